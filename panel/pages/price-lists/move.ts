/** The change of a price as a part of the old one; null without an old or new price to compare. */
export function moveOf(before: string | null, after: string | null): number | null {
  if (before === null || after === null || Number(before) === 0) return null
  return Number(after) / Number(before) - 1
}

/** A typed price for the service; a comma is accepted as decimal separator. */
export const typedPrice = (text: string): string => text.trim().replace(/^(\d+),(\d+)$/, '$1.$2')

/** Whether two prices are the same amount, even with different numbers of digits. */
export const isSamePrice = (a: string, b: string): boolean => bare(a) === bare(b)

const bare = (price: string) =>
  /^\d+(?:\.\d+)?$/.test(price)
    ? price
        .replace(/^0+(?=\d)/, '')
        .replace(/(\.\d*?)0*$/, '$1')
        .replace(/\.$/, '')
    : price
