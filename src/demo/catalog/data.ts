import { readFileSync } from 'node:fs'
import { must } from '../../platform/must.ts'
import { PACKAGE_ROOT } from '../../platform/process/package.ts'
import { scanRecord } from '../../supplier-files/csv/scan.ts'
import type { Brand, Family, Gender } from './family.ts'
import { sizesOf } from './sizes.ts'
import type { Language, Wording } from './wording.ts'

// The words and articles of the demo's products: the CSV files of demo/, read with the importer's own reader. Lists within a cell are joined by |.

type Cells = Readonly<Record<string, string>>

/** The rows of a file, by the names of its columns. */
function rowsOf(name: string): Cells[] {
  const text = readFileSync(new URL(`demo/${name}.csv`, PACKAGE_ROOT), 'utf8')
  const records: string[][] = []
  for (let at = 0; at < text.length;) {
    const scan = scanRecord(text, at, { delimiter: ';', quote: '"', fieldsMax: 100, fieldLengthMax: text.length }, true)
    if (typeof scan === 'string') throw new Error(`demo/${name}.csv, record ${records.length + 1}: ${scan}`)
    records.push(scan.fields)
    at = scan.next
  }
  const [header = [], ...rows] = records
  return rows.map((cells) => Object.fromEntries(header.map((column, i) => [column, must(cells[i])])))
}

const cell = (row: Cells, column: string): string => must(row[column])
const listIn = (row: Cells, column: string): string[] =>
  cell(row, column)
    .split('|')
    .filter((entry) => entry !== '')
const wordingIn = (row: Cells, of = ''): Wording => ({
  en: cell(row, `${of}en`),
  de: cell(row, `${of}de`),
  pl: cell(row, `${of}pl`),
})

const words = rowsOf('words')
const wordsOf = (kind: string): Readonly<Record<string, Wording>> =>
  Object.fromEntries(words.filter((row) => row['kind'] === kind).map((row) => [cell(row, 'key'), wordingIn(row)]))

/** Colours by the token that the attribute `color` has. All Polish ones are adjectives in `-y` or `-ki`. */
export const COLOURS = wordsOf('colour')
/** Materials by the token that the attribute `material` has; the wording is used after a label. */
export const MATERIALS = wordsOf('material')

/** Definitions of all attributes of the demo's products. */
export const DEMO_ATTRIBUTES: readonly {
  key: string
  unit: string | null
  labels: Record<Language, string>
  options?: Record<string, Record<Language, string>>
}[] = rowsOf('attributes').map((row) => {
  const key = cell(row, 'key')
  const options = { color: COLOURS, material: MATERIALS }[key]
  return {
    key,
    unit: cell(row, 'unit') === '' ? null : cell(row, 'unit'),
    labels: wordingIn(row),
    ...(options === undefined ? {} : { options }),
  }
})

const brands = rowsOf('brands')
const phrases = rowsOf('phrases')
const articles = rowsOf('articles')

/** Every family of the demo's products. */
export const FAMILIES: readonly Family[] = rowsOf('families').map((row) => {
  const id = cell(row, 'family')
  const own = (rows: readonly Cells[]) => rows.filter(({ family }) => family === id)
  const [features, closings] = [true, false].map((isFeature) =>
    own(phrases).filter((phrase) => (phrase['feature'] !== '') === isFeature),
  )
  return {
    id,
    palette: listIn(row, 'palette'),
    brands: own(brands).map((brand) => ({
      name: cell(brand, 'name'),
      style: cell(brand, 'style') as Brand['style'],
      series: listIn(brand, 'series'),
    })),
    features: Object.fromEntries(must(features).map((phrase) => [cell(phrase, 'feature'), wordingIn(phrase)])),
    closings: must(closings).map((phrase) => wordingIn(phrase)),
    articles: own(articles).map((article) => {
      const [lowest, highest] = listIn(article, 'cost').map(Number)
      const sizes = cell(article, 'sizes')
      const colours = cell(article, 'colours')
      return {
        id: cell(article, 'id'),
        category: cell(article, 'category'),
        noun: wordingIn(article, 'noun_'),
        gender: cell(article, 'gender') as Gender,
        lead: wordingIn(article, 'lead_'),
        features: listIn(article, 'features'),
        materials: listIn(article, 'materials'),
        weight: Number(cell(article, 'weight')),
        cost: [must(lowest), must(highest)] as const,
        ...(sizes === '' ? {} : { sizes: sizesOf(sizes) }),
        // `-` means no particular colours, an empty cell the family's
        ...(colours === '' ? {} : { colours: colours === '-' ? [] : listIn(article, 'colours') }),
        has: Object.fromEntries(
          listIn(article, 'numbers').map((number) => {
            const [key, value] = number.split('=')
            return [must(key), Number(value)]
          }),
        ),
      }
    }),
  }
})
