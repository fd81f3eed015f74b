import { attributeNumber, NumberEvidence } from '../numbers.ts'
import { guessByName } from './column-names.ts'
import type { Note } from './draft.ts'
import { columnsOf, type Column, type SampleRows } from './sample-columns.ts'

// Finds out how a file writes its numbers, and the language of its column names.

/** The decimal sign that the values of a column show; undefined if they do not show one. */
export function proposedDecimal(columns: readonly Column[], cost: unknown, note: Note): '.' | ',' | undefined {
  const numbers = new NumberEvidence()
  const priced = columns.find(({ name }) => name === cost)?.values ?? []
  for (const value of priced) numbers.note(value)
  const sign = numbers.sign()
  if (sign === undefined) return undefined
  const example = priced.find((value) => attributeNumber(value, sign) !== value || value.includes(sign)) ?? ''
  note('decimal', `numbers such as ${JSON.stringify(example)} have ${JSON.stringify(sign)} for decimals`)
  return sign
}

/** The decimal sign of columns of prices, by the first of them that shows one. */
export function decimalOf(prices: readonly string[], rows: SampleRows, note: Note): { decimal: '.' | ',' | undefined } {
  const columns = columnsOf(rows)
  const place = prices.findIndex((price) => proposedDecimal(columns, price, () => {}) !== undefined)
  return { decimal: proposedDecimal(columns, prices[place], note) }
}

/** The decimal sign of the columns of prices, and the language of all column names, for a table whose columns are known. */
export function languageOf(
  prices: readonly string[],
  rows: SampleRows,
  note: Note,
): { decimal: '.' | ',' | undefined; locale: string } {
  const languages = columnsOf(rows).map(({ name }) => guessByName(name)[0]?.languages ?? [])
  note('locale', 'the language of the column names; correct it if texts are in another')
  return { ...decimalOf(prices, rows, note), locale: mostFrequent(languages) ?? 'en' }
}

/** The language of most names. A name that several languages share counts in parts for each. */
export function mostFrequent(names: readonly (readonly string[])[]): string | undefined {
  const counts = new Map<string, number>()
  for (const languages of names)
    for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1 / languages.length)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}
