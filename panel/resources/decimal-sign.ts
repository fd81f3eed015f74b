/** A decimal as the service writes it, with the sign that people of that language type. Other texts stay as they are. */
export function asTyped(value: string, language: string | undefined): string {
  const hasComma = (1.5).toLocaleString(language).includes(',')
  return hasComma && /^-?\d+\.\d+$/.test(value) ? value.replace('.', ',') : value
}
