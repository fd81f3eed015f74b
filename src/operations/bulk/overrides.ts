import { isByLocale, isTextField, lengthMaxOf, OVERRIDE_FIELDS } from '../../../contract/product-fields.ts'
import { readAltsOfLocale } from '../../input/image-alts.ts'
import { readLocale, readLocaleForm } from '../../input/locale.ts'
import { readName } from '../../input/product-name.ts'
import { writeOverrideRows, type OverrideRowWrite } from '../../catalog/products/overrides/write-override-rows.ts'
import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { readImages } from './offer-row.ts'
import { findProducts, PRODUCT_KEY_MEMBERS, readProductKey, type ProductKey } from './product-key.ts'
import { NOT_EXPECTED, Results, type BulkWritten } from './results.ts'
import { Row } from './row.ts'
import type { Rows } from './rows.ts'

const MEMBERS = new Set([...PRODUCT_KEY_MEMBERS, 'field', 'locale', 'key', 'value', 'expected'])
const NO_KEY: ProductKey = { by: 'product_id', productId: 0 }
const FIELDS = [...OVERRIDE_FIELDS, 'attribute'] as const
type Field = (typeof FIELDS)[number]

interface OverrideRow {
  members: Row
  key: ProductKey
  field: Field
  /** The attribute's key; '' for other fields. */
  attribute: string
  /** '' for every locale, and for fields without locales. */
  locale: string
  /** null removes the override; false hides an attribute. */
  value: string | null | false
  /** The override that must be present, null for none; undefined: any. */
  expected: string | null | false | undefined
}

function readOverride(sent: unknown): OverrideRow {
  const members = new Row(sent, MEMBERS)
  const key = readProductKey(members) ?? NO_KEY
  members.need('field')
  members.need('value')
  const field = FIELDS.find((name) => name === members.get('field'))
  const row: OverrideRow = {
    members,
    key,
    field: field ?? 'title',
    attribute: '',
    locale: '',
    value: null,
    expected: undefined,
  }
  if (field === undefined) {
    if (members.has('field')) members.fault('field', `must be one of ${FIELDS.join(', ')}`)
    return row
  }
  if (field === 'attribute') {
    if (!members.has('key')) members.fault('key', 'is required: the key of the attribute')
    row.attribute = members.key('key', LIMITS.attributeKeyLengthMax) ?? ''
  } else if (members.has('key')) members.fault('key', 'is of attributes alone')
  row.locale = readPlace(members, field)
  row.value = readValue(members, field)
  row.expected = readExpected(members, field)
  return row
}

/** The locale of a row; '' if none. */
function readPlace(members: Row, field: Field): string {
  const given = members.get('locale')
  const hasLocale = isByLocale(field)
  if (given === undefined || given === null) {
    if (hasLocale) members.fault('locale', `is required: the language of the ${field}`)
    return ''
  }
  if (!hasLocale && field !== 'attribute') {
    members.fault('locale', `is none of ${field}, which is the same in every language`)
    return ''
  }
  if (field === 'attribute' && given === '*') return ''
  // a text to be removed may be in a locale that was accepted only by an earlier release
  return members.read('locale', members.get('value') === null ? readLocaleForm : readLocale) ?? ''
}

function readValue(members: Row, field: Field): OverrideRow['value'] {
  const given = members.get('value')
  if (given === undefined || given === null) return null
  if (field === 'images') {
    return JSON.stringify(readImages(members, 'value') ?? [])
  }
  if (field === 'image_alts') return readAlts(members, 'value')
  if (field === 'attribute' && given === false) return false
  if (field === 'attribute') return members.text('value', LIMITS.attributeValueLengthMax) ?? null
  if (isTextField(field)) return members.text('value', lengthMaxOf(field)) ?? null
  return members.read('value', (value) => readName(field, value)) ?? null
}

/** The stored form, in which equal texts are equal. */
const readAlts = (members: Row, name: string): string =>
  JSON.stringify(readAltsOfLocale(name, members.get(name), false, (fault) => members.fault(fault.name, fault.reason)))

/** The expected value in its stored form. It is only compared, so texts are not checked by the rules for new values. */
function readExpected(members: Row, field: Field): OverrideRow['expected'] {
  const given = members.get('expected')
  if (given === undefined || given === null) return given
  if (field === 'images') return JSON.stringify(readImages(members, 'expected') ?? [])
  if (field === 'image_alts') return readAlts(members, 'expected')
  if (typeof given === 'string' || (field === 'attribute' && given === false)) return given
  return members.fault('expected', 'must be the value as it was read, or null')
}

/** Writes overrides of a batch of rows {product_id or sku or ean, field, locale, key, value, expected}; each row is one value of one product. */
export async function writeOverridesBulk(tx: Tx, accountId: number, sent: Rows): Promise<BulkWritten> {
  const results = new Results(sent.length)
  const rows = await findProducts(tx, accountId, await results.read(sent, readOverride), results)
  const written = await writeOverrideRows(
    tx,
    accountId,
    rows.map(({ row: { productId, field, attribute, locale, value, expected } }): OverrideRowWrite => {
      if (field === 'attribute') return { productId, field, key: attribute, locale, value, expected }
      return { productId, field, locale, value: value === false ? null : value, expected }
    }),
  )
  for (const [i, { at, row }] of rows.entries()) {
    const outcome = written.value[i] ?? 'unchanged'
    if (outcome === 'not-expected') results.fail(at, [NOT_EXPECTED], row.productId)
    else if (outcome === 'backward-sale') results.fail(at, [BACKWARD_SALE], row.productId)
    else if (outcome === 'too-many') results.fail(at, [TOO_MANY], row.productId)
    else results.done(at, outcome, row.productId)
  }
  return { ...written, value: results.list }
}

const BACKWARD_SALE = {
  name: 'value',
  reason:
    'must not leave a sale that ends before it begins, which would never be in force: see sale_begins_on and sale_ends_on of the product',
}
const TOO_MANY = {
  name: 'value',
  reason: `is one too many: a product has at most ${LIMITS.overridesPerProductMax} texts, images and attributes of your own`,
}
