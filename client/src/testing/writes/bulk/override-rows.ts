import { NAME_FIELDS, TEXT_FIELDS } from '../../../contract-names.ts'
import { actualValueSuffix } from '../body-shapes.ts'
import { canonicalLocale } from '../offers.ts'
import { productAsSet, sorted } from '../products.ts'
import type { ProductAsSet } from '../written.ts'
import { findProduct, PRODUCT_KEY_MEMBERS, readProductKey } from './product-key.ts'
import { failed, isObject, MUST, NOT_EXPECTED, Row, type Bulk, type Result, type RowsWriter } from './row.ts'

// Overrides of products: each row is one value of one product.

const MEMBERS = [...PRODUCT_KEY_MEMBERS, 'field', 'locale', 'key', 'value', 'expected']
const FIELDS: readonly string[] = [...TEXT_FIELDS, ...NAME_FIELDS, 'images', 'image_alts', 'attribute']
/** The fields that have a value for each locale. */
const BY_LOCALE: readonly string[] = [...TEXT_FIELDS, 'image_alts']
const EVERY = '*'

type Value = string | false | readonly string[] | Readonly<Record<string, string>> | null

/** The path of member names under which a product has the value of a row. */
type Place = readonly string[]

export const writeOverrideRows: RowsWriter = (bulk, rows) => rows.map((sent) => written(bulk, sent))

function written({ call, draft, writes }: Bulk, sent: unknown): Result {
  const row = new Row(sent, MEMBERS)
  const key = readProductKey(row)
  row.need('field')
  row.need('value')
  const field = FIELDS.find((name) => name === row.get('field'))
  if (field === undefined && row.has('field')) row.note('field', `must be one of ${FIELDS.join(', ')}`)
  if (field === undefined) return failed(row.faults)
  const place = readPlace(row, field)
  const value = readValue(row, field, 'value')
  const expected = readExpected(row, field)
  if (!row.isGood || key === undefined) return failed(row.faults)

  const found = findProduct(call, key)
  if (typeof found !== 'number') return found
  const before = productAsSet(call, found)
  const old = valueAt(before, place)
  if (expected !== undefined && !isSame(expected, old)) return failed([NOT_EXPECTED], found)
  if (isSame(old, value)) return { status: 'unchanged', product_id: found }
  const now = withValue(before, place, value) as unknown as ProductAsSet
  draft.products.set(found, now)
  writes.push({ kind: 'product', productId: found, before, now })
  return { status: old === null ? 'created' : 'changed', product_id: found }
}

const isSame = (a: Value, b: Value) => JSON.stringify(a) === JSON.stringify(b)

function readPlace(row: Row, field: string): Place {
  const isAttribute = field === 'attribute'
  if (isAttribute && !row.has('key')) row.note('key', 'is required: the key of the attribute')
  if (!isAttribute && row.has('key')) row.note('key', 'is of attributes alone')
  const attribute = isAttribute && row.has('key') ? (row.text('key') ?? '') : ''
  const locale = readLocale(row, field)
  if (isAttribute) return ['attributes', attribute, locale]
  return BY_LOCALE.includes(field) ? [field, locale] : [field]
}

function readLocale(row: Row, field: string): string {
  const given = row.get('locale') ?? null
  if (given === null) {
    if (BY_LOCALE.includes(field)) row.note('locale', `is required: the language of the ${field}`)
    return EVERY
  }
  if (!BY_LOCALE.includes(field) && field !== 'attribute') {
    row.note('locale', `is none of ${field}, which is the same in every language`)
    return EVERY
  }
  if (typeof given !== 'string') {
    row.note('locale', MUST.string + actualValueSuffix(given))
    return EVERY
  }
  return given === EVERY ? EVERY : canonicalLocale(given)
}

function readValue(row: Row, field: string, name: 'value' | 'expected'): Value {
  const given = row.get(name) ?? null
  if (given === null) return null
  if (field === 'images') return row.each(name, (at, entry) => row.text(at, entry)) ?? []
  if (field === 'image_alts') return readAlts(row, name, given)
  if (field === 'attribute' && given === false) return false
  return row.text(name) ?? null
}

function readAlts(row: Row, name: string, given: unknown): Readonly<Record<string, string>> {
  if (!isObject(given)) {
    row.note(name, MUST.object + actualValueSuffix(given))
    return {}
  }
  const texts = Object.entries(given).flatMap(([url, text]): [string, string][] => {
    const read = row.text(`${name}.${url.slice(0, 80)}`, text)
    return read === undefined ? [] : [[url, read]]
  })
  return sorted(texts)
}

/** The value that must still be set for the row to be written; undefined: any. */
function readExpected(row: Row, field: string): Value | undefined {
  const given = row.get('expected')
  if (given === undefined || given === null) return given
  if (field === 'images' || field === 'image_alts') return readValue(row, field, 'expected')
  if (typeof given === 'string' || (field === 'attribute' && given === false)) return given
  return row.note('expected', 'must be the value as it was read, or null')
}

type Members = Readonly<Record<string, unknown>>

function valueAt(product: ProductAsSet, place: Place): Value {
  let value: unknown = product
  for (const name of place) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : null
  return value as Value
}

/** A copy with the value at its place. Within maps, a null value and a map that becomes empty are removed. */
function withValue(members: Members, [name = '', ...inner]: Place, value: Value, depth = 0): Members {
  const own = members[name]
  const next = inner.length === 0 ? value : withValue(isObject(own) ? own : {}, inner, value, depth + 1)
  if (depth === 0) return { ...members, [name]: next }
  const others = Object.entries(members).filter(([other]) => other !== name)
  const isEmpty = next === null || (inner.length > 0 && Object.keys(next as Members).length === 0)
  return sorted(isEmpty ? others : [...others, [name, next]])
}
