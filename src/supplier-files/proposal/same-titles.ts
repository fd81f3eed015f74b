// Finds versions of a product that share its title and its number, although no column is called like one: in every row, number and title
// determine each other. docs/decisions/258-versions-have-one-title.md says why.

import { guessByName } from './column-names.ts'
import { isMachineReadable } from './column-traits.ts'

/** Names of columns with numbers: `CATALOGUE ID`, `item_no`, `productId`. */
const NUMBER = /(?:^|[^\p{L}])(?:id|no|nr|num|number|code|kod|código|codigo|codice|nummer|numer)\.?$/iu
const NUMBER_BEHIND = /\p{Ll}(?:ID|Id|No|Code)$/u
/** Words for other things than products, whose numbers a column may have. */
const OF_OTHERS =
  /categ|kategor|group|grup|brand|marca|supplier|vendor|customer|client|order|store|shop|warehouse|location|company|user|variant|variation|sku|ean|gtin/i

/** From this many products with several versions on, the match is no coincidence. */
const PRODUCTS_MIN = 2

/**
 * The column with the numbers of products whose titles several rows share: each number has one title, and each title one number. Undefined
 * if there is none.
 * @param titles the title of each row
 */
export function numberOfTitles(
  names: readonly string[],
  valuesOf: (name: string) => readonly string[],
  titles: readonly string[],
): string | undefined {
  if (titles.includes('') || new Set(titles).size === titles.length) return undefined
  return names.find(
    (name) =>
      (NUMBER.test(name.trim()) || NUMBER_BEHIND.test(name)) &&
      !OF_OTHERS.test(name) &&
      standsFor(valuesOf(name), titles),
  )
}

/**
 * The column with the numbers of models whose versions have keys of their own, such as EANs: each number has one title, and its rows differ by their
 * options. Other models may have the same title. Undefined if there is none.
 * @param options the columns of the options
 */
export function numberOfModels(
  names: readonly string[],
  valuesOf: (name: string) => readonly string[],
  titles: readonly string[],
  options: readonly string[],
): string | undefined {
  if (titles.includes('') || new Set(titles).size === titles.length) return undefined
  const versions = titles.map((_, row) => JSON.stringify(options.map((name) => valuesOf(name)[row] ?? '')))
  return names.find((name) => {
    const isNumber = guessByName(name).some(({ field, score }) => field === 'sku' && score >= 2)
    const values = valuesOf(name)
    if (!(isNumber || isMachineReadable({ values })) || OF_OTHERS.test(name) || options.includes(name)) return false
    const groups = [...Map.groupBy(titles.keys(), (row) => values[row] ?? '')]
    const several = groups.filter(([, rows]) => rows.length > 1)
    return (
      several.length >= PRODUCTS_MIN &&
      groups.every(
        ([number, rows]) =>
          number !== '' &&
          new Set(rows.map((row) => titles[row])).size === 1 &&
          new Set(rows.map((row) => versions[row])).size === rows.length,
      )
    )
  })
}

function standsFor(numbers: readonly string[], titles: readonly string[]): boolean {
  const pairs = new Map<string, number>()
  for (const [row, number] of numbers.entries()) {
    if (number === '') return false
    const pair = JSON.stringify([number, titles[row]])
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  const several = [...pairs.values()].filter((count) => count > 1).length
  return several >= PRODUCTS_MIN && pairs.size === new Set(numbers).size && pairs.size === new Set(titles).size
}
