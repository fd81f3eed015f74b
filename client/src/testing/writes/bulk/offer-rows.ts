import { NAME_FIELDS, TEXT_FIELDS } from '../../../contract-names.ts'
import { actualValueSuffix } from '../body-shapes.ts'
import { newOffer, offerMembers } from '../offers.ts'
import { offerKey } from '../written.ts'
import { findSupplier, keep, readOfferKey } from './price-rows.ts'
import { failed, isObject, MUST, Row, type Bulk, type Members, type Result, type RowsWriter } from './row.ts'

// Offers of suppliers: what a row leaves out stays as it is, and null clears it.

const MEMBERS = [
  'supplier',
  'sku',
  'eans',
  'cost',
  'cost_tiers',
  'currency',
  'quantity',
  'texts',
  ...NAME_FIELDS,
  'attributes',
  'images',
  'image_alts',
  'group',
]

export const writeOfferRows: RowsWriter = (bulk, rows) => rows.map((sent) => written(bulk, sent))

function written(bulk: Bulk, sent: unknown): Result {
  const row = new Row(sent, MEMBERS)
  const key = readOfferKey(row)
  for (const [name, read] of READERS) if (row.has(name) && row.get(name) !== null) read(row, name)
  if (!row.isGood || key === undefined) return failed(row.faults)

  const supplier = findSupplier(bulk, key.supplier)
  if ('status' in supplier) return supplier
  const before = bulk.draft.offers.get(offerKey(supplier.code, key.sku)) ?? null
  const { supplier: _supplier, sku: _sku, ...given } = sent as Members
  const members = offerMembers({ ...given, ...emptied(given) }, supplier, before?.texts ?? {})
  const now = before === null ? newOffer(bulk.call, supplier, key.sku, members) : { ...before, ...members }
  return keep(bulk, before, now)
}

/** Texts of only blanks, each as null. */
const emptied = (given: Members): Members =>
  Object.fromEntries(
    NAME_FIELDS.flatMap((name) => {
      const value = given[name]
      return typeof value === 'string' && value.trim() === '' ? [[name, null]] : []
    }),
  )

type Reader = (row: Row, name: string) => unknown

/** In the order in which the service reports faults. */
const READERS: readonly (readonly [name: string, read: Reader])[] = [
  ['eans', (row, name) => row.each(name, (at, entry) => row.ean(at, entry))],
  ['cost', (row, name) => row.amount(name)],
  ['cost_tiers', readTiers],
  ['currency', (row, name) => row.text(name)],
  ['quantity', (row, name) => row.pieces(name)],
  ['texts', readTexts],
  ...NAME_FIELDS.map((field) => [field, (row: Row) => row.textOrNull(field)] as const),
  ['attributes', readAttributes],
  ['images', (row, name) => row.each(name, (at, entry) => row.text(at, entry))],
  ['image_alts', readAlts],
  ['group', readGroup],
]

/** The entries of a list that are objects. */
function entriesOf(row: Row, name: string, given: unknown, words: string): [at: string, entry: Members][] {
  if (!Array.isArray(given)) {
    row.note(name, MUST.list)
    return []
  }
  return (given as unknown[]).flatMap((entry, i): [string, Members][] => {
    if (isObject(entry)) return [[`${name}.${i}`, entry]]
    row.note(`${name}.${i}`, words)
    return []
  })
}

function readTiers(row: Row, name: string): void {
  for (const [at, entry] of entriesOf(row, name, row.get(name), 'must be an object of quantity and cost')) {
    row.known(entry, ['quantity', 'cost'], `${at}.`)
    const { quantity, cost } = entry
    if (!Number.isInteger(quantity)) row.note(`${at}.quantity`, MUST.whole + actualValueSuffix(quantity))
    row.amount(`${at}.cost`, cost)
  }
}

function readTexts(row: Row, name: string): void {
  const given = row.get(name)
  if (!isObject(given)) return row.note(name, MUST.object)
  for (const [tag, entry] of Object.entries(given)) {
    const at = `${name}.${tag.slice(0, 40)}`
    if (entry === null) continue
    if (!isObject(entry)) {
      row.note(at, `must be an object of ${TEXT_FIELDS.join(', ')}`)
      continue
    }
    row.known(entry, TEXT_FIELDS, `${at}.`)
    for (const field of TEXT_FIELDS) if (entry[field] !== undefined) row.textOrNull(`${at}.${field}`, entry[field])
  }
}

function readAttributes(row: Row, name: string): void {
  const keys = new Set<string>()
  for (const [at, entry] of entriesOf(row, name, row.get(name), 'must be an object of key and value')) {
    row.known(entry, ['key', 'value'], `${at}.`)
    const key = row.text(`${at}.key`, entry['key'])
    const value = row.text(`${at}.value`, entry['value'])
    if (key === undefined || value === undefined) continue
    if (keys.has(key)) row.note(`${at}.key`, 'is duplicated')
    keys.add(key)
  }
}

function readAlts(row: Row, name: string): void {
  const given = row.get(name)
  if (!isObject(given)) return row.note(name, MUST.object + actualValueSuffix(given))
  for (const [tag, texts] of Object.entries(given)) {
    const at = `${name}.${tag.slice(0, 40)}`
    if (texts === null) continue
    if (!isObject(texts)) row.note(at, MUST.object + actualValueSuffix(texts))
    else for (const [url, text] of Object.entries(texts)) row.textOrNull(`${at}.${url.slice(0, 80)}`, text)
  }
}

function readGroup(row: Row, name: string): void {
  const given = row.get(name)
  if (!isObject(given)) return row.note(name, MUST.object)
  row.known(given, ['key', 'title', 'options', 'position'], `${name}.`)
  row.text(`${name}.key`, given['key'])
  const { title, options, position } = given
  if (title !== undefined && title !== null && !isObject(title)) row.note(`${name}.title`, MUST.object)
  for (const [tag, text] of Object.entries(isObject(title) ? title : {}))
    row.textOrNull(`${name}.title.${tag.slice(0, 40)}`, text)
  if (options !== undefined && options !== null)
    for (const [at, entry] of entriesOf(row, `${name}.options`, options, 'must be an object of key, label and value')) {
      row.known(entry, ['key', 'label', 'value'], `${at}.`)
      row.text(`${at}.key`, entry['key'])
      if (entry['label'] !== undefined) row.textOrNull(`${at}.label`, entry['label'])
      row.text(`${at}.value`, entry['value'])
    }
  if (position !== undefined && position !== null && !Number.isInteger(position))
    row.note(`${name}.position`, MUST.whole + actualValueSuffix(position))
}
