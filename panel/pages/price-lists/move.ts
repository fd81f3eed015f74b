/** By how much a price moves, as a part of the old one; null where there is none to compare with. */
export function moveOf(before: string | null, after: string | null): number | null {
  if (before === null || after === null || Number(before) === 0) return null
  return Number(after) / Number(before) - 1
}

/** A price as it is sent; a comma is taken for the point. */
export const typedPrice = (text: string): string => text.trim().replace(/^(\d+),(\d+)$/, '$1.$2')

/** Whether two prices are the same amount, however many digits they are written with. */
export const isSamePrice = (a: string, b: string): boolean => bare(a) === bare(b)

const bare = (price: string) =>
  /^\d+(?:\.\d+)?$/.test(price)
    ? price
        .replace(/^0+(?=\d)/, '')
        .replace(/(\.\d*?)0*$/, '$1')
        .replace(/\.$/, '')
    : price
