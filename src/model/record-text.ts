import { orderedCostTiers } from './cost-tiers.ts'
import { orderedAlts } from './image-alts.ts'
import { LATER_NAMES, laterOf } from './hashed-fields.ts'
import type { OfferRecord } from './offer.ts'
import { orderedGroup } from './offer-group.ts'

/** An offer to write: a record of a supplier file, or with `texts: null`, which clears the texts in every locale. */
export type OfferWrite = Omit<OfferRecord, 'texts'> & { readonly texts?: OfferRecord['texts'] | null }

/** The fields with fixed places in every text. The order never changes, because hashes of the texts are stored. */
const FIRST = [
  'sku',
  'eans',
  'cost',
  'currency',
  'quantity',
  'texts',
  'manufacturer',
  'category',
  'attributes',
  'images',
] as const

/**
 * A record's whole content as JSON, as a list without field names: equal texts are equal records. Its hash is stored with the offer. The text
 * is made once: reading processes send records in this form, and imports spool it.
 */
export function recordText(record: OfferWrite): string {
  // not a loop over FIRST, which took a fifth of this function's time
  const fields: unknown[] = [
    said(record.sku),
    said(record.eans),
    said(record.cost),
    said(record.currency),
    said(record.quantity),
    said(record.texts),
    said(record.manufacturer),
    said(record.category),
    said(record.attributes),
    said(record.images),
  ]
  // later fields only if present, so that the hashes of other records stay the same
  if (record.keptAttributes !== undefined) fields.push(record.keptAttributes)
  const [later] = laterOf(LATER_NAMES, record, true)
  if (later !== undefined) fields.push(later)
  if (record.group !== undefined) fields.push({ group: record.group === null ? null : orderedGroup(record.group) })
  if (record.imageAlts !== undefined)
    fields.push({ imageAlts: record.imageAlts === null ? null : orderedAlts(record.imageAlts) })
  if (record.costTiers !== undefined) fields.push({ costTiers: orderedCostTiers(record.costTiers) })
  return JSON.stringify(fields)
}

/** Encodes an absent field as false, because JSON would write both `undefined` (absent) and `null` (cleared) as null. */
const said = (value: unknown): unknown => (value === undefined ? false : value)

/** The record of a text made by `recordText`. */
export const recordOf = (text: string): OfferRecord => recordOfFields(JSON.parse(text) as unknown[])

/** The same for a text that has been parsed. */
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
