import { LIMITS } from '../../platform/limits.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { Reading } from '../reading.ts'
import { defaultLimits, memberLookup, type RawRow } from '../rows.ts'

// Reads the first rows of a file, and tries a mapping on them.

/** How many rows a proposal is based on, at most. */
export const SAMPLE_ROWS = 300
/** How many bytes of a file a proposal reads, at most. */
export const SAMPLE_BYTES = 8_388_608

/** A stream of bytes that are in memory. */
export async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve()
  yield bytes
}

/** Settings of a mapping that decide how rows are read, and not how they are converted. */
const OF_READING = [
  'file',
  'items',
  'sheet',
  'quote',
  'skipLines',
  'header',
  'headerLines',
  'shortRows',
  'table',
  'each',
  'categories',
  'group',
] as const satisfies readonly (keyof Mapping)[]

/** The first rows as they were read for the proposal, by a mapping without fields. */
export interface ReadBefore {
  reading: Reading
  settings: Partial<Mapping>
  raws: readonly RawRow[]
}

/** The rows that were read before, if this mapping reads them in the same way, so that they need not be parsed again; undefined otherwise. */
function readAlike(mapping: Mapping, before: ReadBefore | undefined): readonly RawRow[] | undefined {
  if (before === undefined) return undefined
  const { settings, reading, raws } = before
  const { format, encoding, delimiter } = reading.form
  const isAlike =
    OF_READING.every((name) => mapping[name] === settings[name]) &&
    mapping.format === format &&
    (mapping.encoding ?? settings.encoding) === (encoding ?? settings.encoding) &&
    (mapping.delimiter === undefined || mapping.delimiter === delimiter)
  return isAlike ? raws : undefined
}

/** The first rows of a file. */
export interface Sample {
  raws: RawRow[]
  rows: Readonly<Record<string, unknown>>[]
  /** The fault of the first row that cannot be read. */
  fault: string | undefined
}

/**
 * Reads the first rows, at most SAMPLE_ROWS. @throws ShelfwireError `source-unreadable` for an error in a small file, or before the first row of
 * a large one
 */
export async function sampleOf(reading: Reading, head: Buffer): Promise<Sample> {
  const raws: RawRow[] = []
  try {
    let copied = 0
    for await (const page of reading.rows(streamOf(head))) {
      raws.push(...page)
      // each article of a list is a copy of its record, so for wide records a few suffice
      for (const raw of page) if ('article' in raw && 'row' in raw) copied += Object.keys(raw.row).length
      if (raws.length >= SAMPLE_ROWS || copied > LIMITS.detectValuesMax) break
    }
  } catch (error) {
    // of a large file the sample ends anywhere, so an error after the first rows may come from the cut
    if (raws.length === 0 || head.length < SAMPLE_BYTES) throw error
  }
  const first = raws.find((raw) => 'fault' in raw)
  const rows: Sample['rows'][number][] = []
  let values = 0
  const yielding = openYielding()
  for (const raw of raws.slice(0, SAMPLE_ROWS)) {
    // for wide tables fewer rows suffice
    if (!('row' in raw) || (rows.length > 0 && values > LIMITS.detectValuesMax)) continue
    if (reading.isRemark(raw.row)) continue
    const members = reading.membersOf(raw.row)
    rows.push(members)
    values += countValues(members)
    const pause = yielding()
    if (pause !== null) await pause
  }
  return {
    raws: raws.slice(0, SAMPLE_ROWS),
    rows,
    fault: first === undefined ? undefined : `line ${first.line} ${first.fault}`,
  }
}

/** How many values a value contains, at all levels. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const member of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) count += countValues(member)
  return count
}

/**
 * Whether all rows of the sample can be imported by the mapping: none is refused, each has a key of its own, and either all or none have a cost.
 * If the mapping has both a list of articles and a quantity, a record without the list must have a quantity, too.
 */
export async function isFullyImportable(mapping: Mapping, head: Buffer): Promise<boolean> {
  const trial = new Reading(mapping, defaultLimits, () => {})
  const { raws } = await sampleOf(trial, head)
  const lookup = mapping.each === undefined ? undefined : memberLookup(mapping.each)
  const seen = new Set<string>()
  let offers = 0
  let priced = 0
  const yielding = openYielding()
  for (const raw of raws) {
    const read = trial.convert(raw)
    const pause = yielding()
    if (pause !== null) await pause
    if ('skipped' in read) continue
    if (!('offer' in read) || seen.size === seen.add(read.offer.sku).size) return false
    offers++
    if (typeof read.offer.cost === 'string') priced++
    const list = 'row' in raw ? lookup?.(raw.row) : undefined
    const isAlone = lookup !== undefined && (list === undefined || typeof list !== 'object' || Array.isArray(list))
    const { quantity } = read.offer
    if (isAlone && mapping.fields.quantity !== undefined && (quantity === undefined || read.isQuantityEmpty === true))
      return false
  }
  return offers > 0 && (priced === 0 || priced === offers)
}

/** Of the articles that have a cost by a mapping, how many cost 0. */
export interface CostCounts {
  priced: number
  zeros: number
}

/** Tries the mapping on the sample, and says what would be refused. */
export async function noteTrial(
  mapping: Mapping,
  head: Buffer,
  note: (path: string, reason: string) => void,
  before?: ReadBefore,
): Promise<CostCounts> {
  const trial = new Reading(mapping, defaultLimits, () => {})
  const read = readAlike(mapping, before)
  if (read !== undefined && before !== undefined) trial.continueFrom(before.reading)
  const raws = read ?? (await sampleOf(trial, head)).raws
  type Counted = Map<string, { rows: number; first: string }>
  const refusals: Counted = new Map()
  const dropped: Counted = new Map()
  const count = (counted: Counted, name: string, reason: string) => {
    const known = counted.get(name)
    if (known === undefined) counted.set(name, { rows: 1, first: reason })
    else known.rows++
  }
  const refuse = (name: string, reason: string) => count(refusals, name, reason)
  const seen = new Set<string>()
  let offers = 0
  const costs = { priced: 0, zeros: 0 }
  const yielding = openYielding()
  for (const raw of raws) {
    const read = trial.convert(raw)
    const pause = yielding()
    if (pause !== null) await pause
    if ('offer' in read) {
      offers++
      if (typeof read.offer.cost === 'string') costs.priced++
      if (read.offer.cost === '0') costs.zeros++
      if (seen.has(read.offer.sku)) refuse('its sku', 'is that of an earlier row: make the key of columns that differ')
      seen.add(read.offer.sku)
      const byName = new Map((read.dropped ?? []).map(({ name, reason }) => [name, reason]))
      for (const [name, reason] of byName) count(dropped, name, reason)
    } else if ('faults' in read) {
      const byName = new Map(read.faults.map(({ name, reason }) => [name, reason]))
      for (const [name, reason] of byName) refuse(name, reason)
    }
  }
  note('', `of the first ${raws.length} rows it makes ${offers} offers`)
  for (const [name, { rows, first }] of refusals)
    note('', `${rows} ${rows === 1 ? 'row' : 'rows'} would be refused: ${name} ${first}`)
  for (const [name, { rows, first }] of dropped)
    note(
      '',
      `${rows} ${rows === 1 ? 'row' : 'rows'} would be imported without a value that cannot be read: ${name} ${first}`,
    )
  return costs
}
