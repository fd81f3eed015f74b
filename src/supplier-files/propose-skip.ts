import type { Condition } from './mapping.ts'
import { textAt, type SampleRows } from './sample-columns.ts'

// Headings between the articles of a list, and sums below them: rows that have one cell, or a word for a sum and its amount.

/** More rows than this share are no headings. */
const SHARE_MAX = 0.5
/** The cells that articles have at least, where rows of one cell are headings. */
const CELLS_MIN = 3
const SUM =
  /^(?:sub|grand )?(?:total|totals|summe|gesamt|zwischensumme|endsumme|suma|razem|somme|totale|totaal|celkem|spolu|összesen|summa|i alt|yhteensä|toplam|итого|всего|разом)\b/iu

function isBetween(texts: readonly string[]): boolean {
  const [first = ''] = texts
  if (texts.length === 1) return /\p{L}/u.test(first) && !/^https?:/i.test(first)
  return texts.length > 1 && texts.length <= 3 && texts.some((text) => SUM.test(text))
}

/** The rows of a sample that are articles, and those between them. */
export function articlesAmong(rows: SampleRows): { articles: SampleRows; between: SampleRows } {
  const cells = rows.map((row) => Object.keys(row).flatMap((name) => textAt(row, name) || []))
  const counts = cells.map(({ length }) => length).toSorted((a, b) => a - b)
  const usual = counts[Math.floor(counts.length / 2)] ?? 0
  const flags = cells.map((texts) => isBetween(texts))
  const count = flags.filter(Boolean).length
  if (usual < CELLS_MIN || count === 0 || count > rows.length * SHARE_MAX) return { articles: rows, between: [] }
  return {
    articles: rows.filter((_, row) => flags[row] !== true),
    between: rows.filter((_, row) => flags[row] === true),
  }
}

/** The condition by which the rows between the articles are left out: a column that all of them leave empty, and no article. */
export function skipOf(
  { articles, between }: ReturnType<typeof articlesAmong>,
  fields: Readonly<Record<string, unknown>>,
  note: (path: string, reason: string) => void,
): Condition[] | undefined {
  if (between.length === 0) return undefined
  const known = [fields['cost'], fields['title'], fields['sku']].filter((name) => typeof name === 'string')
  const column = [...known, ...Object.keys(articles[0] ?? {})].find(
    (name) => articles.every((row) => textAt(row, name) !== '') && between.every((row) => textAt(row, name) === ''),
  )
  if (column === undefined) return undefined
  note(
    'skip',
    `${between.length} rows between the articles are headings or sums: rows without a value in ${JSON.stringify(column)} are left out`,
  )
  return [{ column, empty: true }]
}
