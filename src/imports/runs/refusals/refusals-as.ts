import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { spreadsheetCell } from '../../../model/csv-cell.ts'
import type { ListedRefusal } from './refusal-list.ts'

const PART_CHARACTERS = 65_536

type Lines = AsyncIterable<string> | Iterable<string>

/**
 * The list of refused rows of a run, as the file store keeps it, in a form for users: JSON lines of {line, sku, errors}, or CSV with a row
 * for each fault.
 * @param stored NDJSON; undefined: an empty list.
 */
export function refusalsAs(form: 'csv' | 'ndjson', stored: Readable | undefined): AsyncGenerator<string> {
  const lines = stored === undefined ? [] : createInterface({ input: stored, crlfDelay: Infinity })
  return inParts(form === 'csv' ? asCsv(lines) : asLines(lines))
}

async function* asLines(lines: Lines): AsyncGenerator<string> {
  for await (const text of lines) {
    const { line, sku, faults } = JSON.parse(text) as ListedRefusal
    yield `${JSON.stringify({ line, sku, errors: faults })}\n`
  }
}

async function* asCsv(lines: Lines): AsyncGenerator<string> {
  yield 'line,sku,field,reason\r\n'
  for await (const text of lines) {
    const { line, sku, faults } = JSON.parse(text) as ListedRefusal
    for (const { name, reason } of faults) yield `${[line, sku, name, reason].map(cell).join(',')}\r\n`
  }
}

/** Cells are made safe for spreadsheets: people open this file, and keys and reasons contain the supplier's texts. */
const cell = (value: number | string | null): string => (value === null ? '' : spreadsheetCell(String(value)))

/** Joins texts into parts that are large enough to be sent efficiently. */
async function* inParts(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let part = ''
  for await (const text of texts) {
    part += text
    if (part.length < PART_CHARACTERS) continue
    yield part
    part = ''
  }
  if (part !== '') yield part
}
