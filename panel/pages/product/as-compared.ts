/**
 * Normalizes a value for comparing stores: `0,6 kg` equals `0.6 kg` in another language. Three digits after a separator are left as
 * they are: 1,500 may be one and a half or fifteen hundred.
 */
export function asCompared(value: string): string {
  return value.replaceAll(/(?<![\d.,])(\d+)[.,](\d{1,2}|\d{4,})(?![\d.,])/g, (_, whole: string, digits: string) => {
    const fraction = digits.replace(/0+$/, '')
    return fraction === '' ? whole : `${whole}.${fraction}`
  })
}
