import { pick, prng, seedOf } from '../catalog/prng.ts'
import { offers, sellers } from '../catalog/supplier-files.ts'

// Files that one supplier of the demo sends after its first one: changed prices and stock, a truncated file, and one with a wrong decimal sign. The
// same files every time.

/** The supplier that sends these files. */
export const DAILY_SUPPLIER = 'nordwind'

/** The mapping for a file of prices and stock. */
export const DAILY_MAPPING = {
  format: 'csv',
  delimiter: ';',
  locale: 'de',
  decimal: ',',
  fields: { sku: 'Artikelnummer', cost: 'EK', quantity: 'Bestand' },
}

/** How many percent of the articles change with each file. */
const CHANGED_PERCENT = 2
/** How many articles cost several times as much in the file with the wrong decimal sign; their prices are held. */
const JUMPED = 4
/** Further articles in that file, whose costs are unchanged. */
const UNMOVED = 60
/** The share of the articles in the truncated file; so small a file is held back. */
const CUT_SHARE = 0.3

interface Line {
  place: number
  /** Decimal text with a point. */
  cost: string
  quantity: number | string
}

const HEADER = 'Artikelnummer;EK;Bestand'
const fileOf = (lines: readonly Line[]): string =>
  [
    HEADER,
    ...lines.map(({ place, cost, quantity }) => `NW-${100_000 + place};${cost.replace('.', ',')};${quantity}`),
    '',
  ].join('\r\n')

const times = (cost: string, factor: number) => (Math.round(Number(cost) * 100 * factor) / 100).toFixed(2)

/** The file of a day, counted from 1: some costs rise or fall a little, some articles sell out. Every fifth file has a row that cannot be read. */
export function dailyFile(count: number, day: number): string {
  const random = prng(seedOf(`day ${day}`))
  const lines: Line[] = []
  for (const { place, cost, quantity } of offers(count, DAILY_SUPPLIER)) {
    if (random() * 100 >= CHANGED_PERCENT) continue
    const isSoldOut = random() < 0.15
    lines.push({
      place,
      cost: times(cost, 0.94 + 0.14 * random()),
      quantity: isSoldOut ? 0 : Math.max(1, quantity + pick([-4, -2, -1, 3, 12, 40], random)),
    })
  }
  const [first] = lines
  if (day % 5 === 0 && first !== undefined) lines[0] = { ...first, quantity: 'auf Anfrage' }
  return fileOf(lines)
}

/** A file in which a few articles that no other supplier sells cost ten times as much; too few rows for the file to be held back. */
export function jumpedFile(count: number): string {
  const known = [...offers(count, DAILY_SUPPLIER)]
  const jumped = known
    .filter(({ place, quantity }) => sellers(place).codes.length === 1 && quantity > 2)
    .slice(0, JUMPED)
    .map(({ place, cost, quantity }): Line => ({ place, cost: times(cost, 10), quantity }))
  const others = known.filter(({ place }) => jumped.every((line) => line.place !== place)).slice(0, UNMOVED)
  return fileOf([...jumped, ...others])
}

/** A truncated file of all offers of the supplier, by which most articles would be out of stock. */
export function cutFile(count: number): string {
  const lines = [...offers(count, DAILY_SUPPLIER)]
  return fileOf(lines.slice(0, Math.ceil(lines.length * CUT_SHARE)))
}
