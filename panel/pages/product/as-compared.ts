/**
 * A value as it is compared between stores: `0,6 kg` is what `0.6 kg` is, in the notation of another language. Thousands are left as
 * they are: 1,500 may be one and a half.
 */
export function asCompared(value: string): string {
  return value.replaceAll(/(?<![\d.,])(\d+)[.,](\d{1,2}|\d{4,})(?![\d.,])/g, (_, whole: string, digits: string) => {
    const fraction = digits.replace(/0+$/, '')
    return fraction === '' ? whole : `${whole}.${fraction}`
  })
}
