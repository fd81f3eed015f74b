import { orderedAlts } from './image-alts.ts'
import { HASHED_NAMES, LATER_NAMES, laterOf } from './hashed-fields.ts'
import type { OfferRecord } from './offer.ts'
import { orderedGroup } from './offer-group.ts'

/** An offer to write: as read from a supplier file, or with `texts: null`, which clears the texts of every locale. */
export type OfferWrite = Omit<OfferRecord, 'texts'> & { readonly texts?: OfferRecord['texts'] | null }

/** The fields that stand in every text, in their order; texts are hashed and hashes are stored, so it never changes. */
const FIRST = ['sku', 'eans', 'cost', 'currency', 'quantity', 'texts', ...HASHED_NAMES, 'attributes', 'images'] as const

/**
 * A record's whole content as JSON: equal texts are equal records. A list without names; its hash is stored with the offer, and reading processes
 * send records as this text and imports spool it, so that it is made once.
 */
export function recordText(record: OfferWrite): string {
  const fields: unknown[] = []
  // `undefined` (absent) and `null` (cleared) must differ, but JSON would write both as null
  for (const field of FIRST) {
    const value = record[field]
    fields.push(value === undefined ? false : value)
  }
  // only where there are some: the hashes of other records stay what they were
  if (record.keptAttributes !== undefined) fields.push(record.keptAttributes)
  fields.push(...laterOf(LATER_NAMES, record, true))
  if (record.group !== undefined) fields.push({ group: record.group === null ? null : orderedGroup(record.group) })
  if (record.imageAlts !== undefined)
    fields.push({ imageAlts: record.imageAlts === null ? null : orderedAlts(record.imageAlts) })
  return JSON.stringify(fields)
}

/** The record of such a text. */
export const recordOf = (text: string): OfferRecord => recordOfFields(JSON.parse(text) as unknown[])

/** The record of such a text that has been parsed. */
export function recordOfFields(fields: readonly unknown[]): OfferRecord {
  const record: Record<string, unknown> = {}
  for (const [i, field] of FIRST.entries()) if (fields[i] !== false) record[field] = fields[i]
  for (let i = FIRST.length; i < fields.length; i++) {
    const value = fields[i]
    if (value === 'all' || Array.isArray(value)) record['keptAttributes'] = value
    else Object.assign(record, value)
  }
  return record as unknown as OfferRecord
}
