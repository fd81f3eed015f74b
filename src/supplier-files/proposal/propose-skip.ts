import { say } from '../../../contract/remarks/remarks.ts'
import type { Condition } from '../mapping/mapping.ts'
import { memberText } from '../rows.ts'
import { textAt, type SampleRows } from './sample-columns.ts'
import { must } from '../../platform/must.ts'

// Finds headings between the articles of a list, and sums below them: rows with a single cell, or with a word for a sum and its amount.

/** If more rows than this share look like headings, they are none. */
const SHARE_MAX = 0.5
/** Rows with a single cell are headings only if articles usually have at least this many cells. */
const CELLS_MIN = 3
const SUM =
  /^(?:sub|grand )?(?:total|totals|summe|gesamt|zwischensumme|endsumme|suma|razem|somme|totale|totaal|celkem|spolu|összesen|summa|i alt|yhteensä|toplam|итого|всего|разом)\b/iu

function isBetween(texts: readonly string[]): boolean {
  const [first = ''] = texts
  if (texts.length === 1) return /\p{L}/u.test(first) && !/^https?:/i.test(first)
  return texts.length > 1 && texts.length <= 3 && texts.some((text) => SUM.test(text))
}

const placeOfOnly = (row: SampleRows[number]): string[] => Object.keys(row).filter((name) => textAt(row, name) !== '')

/** Splits a sample into articles and the rows between them. */
export function splitArticles(rows: SampleRows): { articles: SampleRows; between: SampleRows } {
  const cells = rows.map((row) => Object.keys(row).flatMap((name) => textAt(row, name) || []))
  const counts = cells.map(({ length }) => length).toSorted((a, b) => a - b)
  const usual = counts[Math.floor(counts.length / 2)] ?? 0
  const flags = cells.map((texts) => isBetween(texts))
  // a heading may be only a number, such as a size, if other headings have words in the same column
  const places = new Set(
    rows.flatMap((row, at) => (flags[at] === true && cells[at]?.length === 1 ? placeOfOnly(row) : [])),
  )
  for (const [at, row] of rows.entries())
    if (cells[at]?.length === 1 && placeOfOnly(row).some((place) => places.has(place))) flags[at] = true
  const count = flags.filter(Boolean).length
  if (usual < CELLS_MIN || count === 0 || count > rows.length * SHARE_MAX) return { articles: rows, between: [] }
  return {
    articles: rows.filter((_, row) => flags[row] !== true),
    between: rows.filter((_, row) => flags[row] === true),
  }
}

/** If more rows than this share lack a cost, they are no headings with sums. */
const SUMS_SHARE_MAX = 0.4
/** At least this many rows without a cost must have the sum of the rows below them, and at least this share of them. */
const SUMS_MIN = 2
const SUMS_SHARE = 0.6

/** The tolerance for sums of decimals. */
const ROUNDED = 0.001

const amountOf = (text: string) => Number(text.replace(/[\s\u00a0]/g, '').replace(',', '.') || 0)

/**
 * Finds headings without a cost that have the sum of the stock of the articles below them, as accounting programs write their groups.
 * @returns the condition by which they are left out, and the question about it; undefined if there are none
 */
export function skipOfSums(
  rows: SampleRows,
  fields: Readonly<Record<string, unknown>>,
): { skip: Condition[]; question: string } | undefined {
  const { cost, quantity } = fields
  if (typeof cost !== 'string' || typeof quantity !== 'string') return undefined
  const isHeading = rows.map((row) => textAt(row, cost) === '' && textAt(row, quantity) !== '')
  const headings = rows.flatMap((_, at) => (isHeading[at] === true ? [at] : []))
  if (headings.length < SUMS_MIN || headings.length > rows.length * SUMS_SHARE_MAX) return undefined
  /**
   * Whether a heading has the sum of the rows below it; undefined if another heading follows directly, or the sample may end before the sum is
   * complete.
   */
  const isSum = (at: number): boolean | undefined => {
    let sum = 0
    let next = at + 1
    for (; next < rows.length && isHeading[next] !== true; next++) sum += amountOf(textAt(rows[next], quantity))
    const isSame = Math.abs(sum - amountOf(textAt(rows[at], quantity))) < ROUNDED
    if (next === at + 1 || (next === rows.length && !isSame)) return undefined
    return isSame
  }
  const tested = headings.map(isSum)
  const sums = tested.filter((one) => one === true).length
  if (sums < SUMS_MIN || sums < tested.filter((one) => one !== undefined).length * SUMS_SHARE) return undefined
  const example = Object.values(rows[headings.find((at) => isSum(at) === true) ?? 0] ?? {}).find((value) =>
    /\p{L}/u.test(memberText(value)),
  )
  return {
    skip: [{ column: cost, empty: true }],
    question: say('headings_with_sums', {
      rows: headings.length,
      column: cost,
      example: memberText(example).slice(0, 60),
    }),
  }
}

const TYPE_OF_ROW = /^(?:simple|variable|variation|grouped|external)(?:, ?(?:virtual|downloadable))*$/
const OF_OTHERS = ['variable', 'grouped']

/**
 * Finds rows of products whose versions have rows of their own, in an export of WooCommerce with only some of its columns: none names the product of
 * a version, but the type of each row is the same word in every language.
 */
export function skipOfProducts(rows: SampleRows): { skip: Condition[]; question: string } | undefined {
  const names = Object.keys(rows[0] ?? {})
  const column = names.find((name) => {
    const values = rows.map((row) => textAt(row, name))
    return (
      values.includes('variable') && values.includes('variation') && values.every((value) => TYPE_OF_ROW.test(value))
    )
  })
  if (column === undefined) return undefined
  const count = rows.filter((row) => OF_OTHERS.includes(textAt(row, column))).length
  return {
    skip: [{ column, in: OF_OTHERS }],
    question: say('products_left_out', { products: count, rows: rows.length, column }),
  }
}

/** A row without a cost may be a heading if it has at most this share of the usual number of cells. */
const FEW_CELLS = 0.7

/** The question about rows that have no cost and few cells, if most rows have a cost: they may be headings. Undefined if there are none. */
export function doubtfulHeadings(
  rows: SampleRows,
  cost: unknown,
  skip: readonly Condition[] | undefined,
): string | undefined {
  if (typeof cost !== 'string' || skip?.some((one) => one.column === cost) === true) return undefined
  const counts = rows.map((row) => Object.keys(row).filter((name) => textAt(row, name) !== '').length)
  const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0
  const isLeftOut = (row: SampleRows[number]) =>
    skip?.some((one) => 'empty' in one && one.empty && textAt(row, one.column) === '') === true
  const few = rows.filter(
    (row, at) =>
      textAt(row, cost) === '' && must(counts[at]) > 0 && must(counts[at]) <= usual * FEW_CELLS && !isLeftOut(row),
  )
  const [first] = few
  if (first === undefined || few.length > rows.length / 2) return undefined
  const shown =
    Object.values(first)
      .map(memberText)
      .find((text) => /\p{L}/u.test(text)) ?? ''
  return say('maybe_headings', { rows: few.length, column: cost, example: shown.slice(0, 60) })
}

const FOOT_CELLS = 2

/** The pattern of a key: `AB-12` and `CD-345` have the same, and `Page 1` another one. */
const shapeOf = (key: string) =>
  key
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/[\p{L}--\p{Lu}]+/gv, 'a')
    .replace(/\d+/g, '9')

/**
 * Returns functions that tell whether a value has the pattern of the complete articles' keys (`isLike`), or may be a key of another kind (`mayBe`).
 */
function keysOf(articles: SampleRows, key: string) {
  const whole = articles.filter((row) => placeOfOnly(row).length > FOOT_CELLS)
  const keys = whole.map((row) => textAt(row, key)).filter((text) => text !== '')
  const shapes = new Set(keys.map(shapeOf))
  const lengths = keys.map(({ length }) => length)
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)]
  const areWords = keys.filter((text) => !/\d/.test(text)).length > keys.length / 2
  const isLike = (text: string) =>
    shapes.has(shapeOf(text)) &&
    (areWords || /\d/.test(text)) &&
    text.length >= shortest - 1 &&
    text.length <= longest + 1
  return { isLike, mayBe: (text: string) => isLike(text) || /^(?=\D*\d)\S+$/.test(text) }
}

/**
 * The condition by which the rows between the articles are left out: a column that is empty in all of them, and in no article. Undefined if there is
 * none.
 */
export function skipOf(
  parts: ReturnType<typeof splitArticles>,
  fields: Readonly<Record<string, unknown>>,
  note: (path: string, reason: string) => void,
): Condition[] | undefined {
  const key = fields['sku']
  if (parts.between.length === 0) return undefined
  const keys = typeof key === 'string' ? keysOf(parts.articles, key) : undefined
  const keyOf = (row: SampleRows[number]) => (typeof key === 'string' ? textAt(row, key) : '')
  // a row with nothing but a key is an article, and no heading
  const [articles, between] = [
    [...parts.articles, ...parts.between.filter((row) => keys?.isLike(keyOf(row)) === true)],
    parts.between.filter((row) => keys?.isLike(keyOf(row)) !== true),
  ]
  if (between.length === 0) return undefined
  const known = [fields['title'], fields['cost'], fields['sku']].filter((name) => typeof name === 'string')
  const amounts = [fields['title'], fields['cost'], fields['quantity']].filter((name) => typeof name === 'string')
  // a footer may have one cell more than a heading; it has no field of an article, and nothing like a key
  const isFoot = (row: SampleRows[number]) =>
    amounts.length > 1 &&
    placeOfOnly(row).length <= FOOT_CELLS &&
    amounts.every((name) => textAt(row, name) === '') &&
    keys?.mayBe(keyOf(row)) === false
  const certain = articles.filter((row) => !isFoot(row))
  const column = [...known, ...Object.keys(articles[0] ?? {})].find(
    (name) => certain.every((row) => textAt(row, name) !== '') && between.every((row) => textAt(row, name) === ''),
  )
  if (column === undefined) return undefined
  note(
    'skip',
    `${between.length} rows between the articles are headings or sums: rows without a value in ${JSON.stringify(column)} are left out`,
  )
  return [{ column, empty: true }]
}
