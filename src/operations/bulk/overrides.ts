import { readLocale } from '../../input/locale.ts'
import { marksAppend } from '../../catalog/stale/marks.sql.ts'
import {
  attributesDelete,
  attributesUpsert,
  crowdedProducts,
  overridesDelete,
  overridesUpsert,
} from '../../catalog/products/overrides.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import { readImages } from './offer-row.ts'
import { findProducts, PRODUCT_KEY_MEMBERS, readProductKey, type ProductKey } from './product-key.ts'
import { Results, type BulkWritten } from './results.ts'
import { Row } from './row.ts'

const MEMBERS = new Set([...PRODUCT_KEY_MEMBERS, 'field', 'locale', 'key', 'value'])
const NO_KEY: ProductKey = { by: 'product_id', productId: 0 }
const FIELDS = ['title', 'description', 'manufacturer', 'category', 'images', 'attribute'] as const
type Field = (typeof FIELDS)[number]
const LENGTH_MAX = {
  title: LIMITS.titleLengthMax,
  description: LIMITS.descriptionLengthMax,
  manufacturer: LIMITS.nameLengthMax,
  category: LIMITS.categoryLengthMax,
  attribute: LIMITS.attributeValueLengthMax,
} as const

interface OverrideRow {
  members: Row
  key: ProductKey
  field: Field
  /** Of an attribute; '' of everything else. */
  attribute: string
  /** '' is every locale, or that there is none. */
  locale: string
  /** null shows the imported value again, false hides an attribute. */
  value: string | null | false
}

/** A row whose product is known. */
type Placed = Pick<OverrideRow, 'field' | 'attribute' | 'locale'> & { productId: number }

function readOverride(sent: unknown): OverrideRow {
  const members = new Row(sent, MEMBERS)
  const key = readProductKey(members) ?? NO_KEY
  members.need('field')
  members.need('value')
  const field = FIELDS.find((name) => name === members.get('field'))
  const row: OverrideRow = { members, key, field: field ?? 'title', attribute: '', locale: '', value: null }
  if (field === undefined) {
    if (members.has('field')) members.fault('field', `must be one of ${FIELDS.join(', ')}`)
    return row
  }
  if (field === 'attribute') {
    if (!members.has('key')) members.fault('key', 'is required: the key of the attribute')
    row.attribute = members.text('key', LIMITS.attributeKeyLengthMax) ?? ''
  } else if (members.has('key')) members.fault('key', 'is of attributes alone')
  row.locale = readPlace(members, field)
  row.value = readValue(members, field)
  return row
}

/** The locale of a row, '' where there is none. */
function readPlace(members: Row, field: Field): string {
  const given = members.get('locale')
  const isByLocale = field === 'title' || field === 'description'
  if (given === undefined || given === null) {
    if (isByLocale) members.fault('locale', `is required: the language of the ${field}`)
    return ''
  }
  if (!isByLocale && field !== 'attribute') {
    members.fault('locale', `is none of ${field}, which is the same in every language`)
    return ''
  }
  if (field === 'attribute' && given === '*') return ''
  return members.read('locale', readLocale) ?? ''
}

function readValue(members: Row, field: Field): OverrideRow['value'] {
  const given = members.get('value')
  if (given === undefined || given === null) return null
  if (field === 'images') {
    return JSON.stringify(readImages(members, 'value') ?? [])
  }
  if (field === 'attribute' && given === false) return false
  return members.text('value', LENGTH_MAX[field]) ?? null
}

/** Writes overrides of a batch of rows {product_id or sku or ean, field, locale, key, value}, each one value of one product. */
export async function writeOverrides(
  tx: Tx,
  accountId: number,
  sent: readonly unknown[],
  firstRow: number,
): Promise<BulkWritten> {
  const results = new Results(sent.length, firstRow)
  const found = await findProducts(tx, accountId, results.read(sent.map(readOverride)), results)
  const placeOf = (productId: number, field: string, attribute: string, locale: string) =>
    `${productId} ${field} ${locale} ${attribute}`
  const rows = results.firstOfEach(
    found,
    (row) => placeOf(row.productId, row.field, row.attribute, row.locale),
    () => 'field',
  )
  const of = (isAttribute: boolean) =>
    rows.map(({ row }) => row).filter((row) => (row.field === 'attribute') === isAttribute)
  const isNewOf = new Map<string, boolean>()
  const set = of(false).flatMap((row) => (typeof row.value === 'string' ? [{ ...row, value: row.value }] : []))
  if (set.length > 0)
    for (const row of await overridesUpsert(tx, accountId, set))
      isNewOf.set(placeOf(row.productId, row.field, '', row.locale), row.isNew)
  const reset = of(false).filter((row) => row.value === null)
  if (reset.length > 0)
    for (const row of await overridesDelete(tx, accountId, reset))
      isNewOf.set(placeOf(row.productId, row.field, '', row.locale), false)
  const attributes = of(true).map((row) => ({ ...row, key: row.attribute }))
  const shown = attributes.flatMap((row) =>
    row.value === null ? [] : [{ ...row, value: row.value === false ? null : row.value }],
  )
  if (shown.length > 0)
    for (const row of await attributesUpsert(tx, accountId, shown))
      isNewOf.set(placeOf(row.productId, 'attribute', row.key, row.locale), row.isNew)
  const imported = attributes.filter((row) => row.value === null)
  if (imported.length > 0)
    for (const row of await attributesDelete(tx, accountId, imported))
      isNewOf.set(placeOf(row.productId, 'attribute', row.key, row.locale), false)
  const crowded = await takeBackBeyond(
    tx,
    accountId,
    set,
    shown,
    (row) => isNewOf.get(placeOf(row.productId, row.field, row.attribute, row.locale)) === true,
  )
  const productIds = new Set<number>()
  for (const { at, row } of rows) {
    const isNew = isNewOf.get(placeOf(row.productId, row.field, row.attribute, row.locale))
    if (isNew === true && crowded.has(row.productId)) {
      results.fail(
        at,
        [
          {
            name: 'value',
            reason: `is one too many: a product has at most ${LIMITS.overridesPerProductMax} texts, images and attributes of your own`,
          },
        ],
        row.productId,
      )
      continue
    }
    if (isNew !== undefined) productIds.add(row.productId)
    results.done(at, isNew === undefined ? 'unchanged' : isNew ? 'created' : 'changed', row.productId)
  }
  await marksAppend(tx, accountId, [...productIds])
  return { results: results.list, productIds: [...productIds] }
}

/** Takes what is new back from products that have too many overrides with it. @returns these products. */
async function takeBackBeyond(
  tx: Tx,
  accountId: number,
  texts: readonly Placed[],
  attributes: readonly (Placed & { key: string })[],
  isNew: (row: Placed) => boolean,
): Promise<Set<number>> {
  const news = new Set([...texts, ...attributes].filter(isNew).map((row) => row.productId))
  if (news.size === 0) return news
  const crowded = new Set(await crowdedProducts(tx, accountId, [...news]))
  if (crowded.size === 0) return crowded
  const isBeyond = (row: Placed) => crowded.has(row.productId) && isNew(row)
  await overridesDelete(tx, accountId, texts.filter(isBeyond))
  await attributesDelete(tx, accountId, attributes.filter(isBeyond))
  return crowded
}
