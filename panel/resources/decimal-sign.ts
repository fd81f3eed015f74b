/** Converts the service's decimal to the reader's decimal separator. Other texts stay as they are. */
export function asTyped(value: string, language: string | undefined): string {
  const hasComma = (1.5).toLocaleString(language).includes(',')
  return hasComma && /^-?\d+\.\d+$/.test(value) ? value.replace('.', ',') : value
}
