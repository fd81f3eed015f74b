import { NAME_FIELDS, PRICED_NAMES, type PricedName } from '../../../contract/product-fields.ts'
import {
  ASSORTMENT_CONDITIONS,
  PRICING_CONDITIONS,
  type Condition,
  type LongConditionsOf,
} from '../../../contract/rule-conditions.ts'
import { priceListsList } from '../../catalog/settings/prices/price-lists.sql.ts'
import { conditionColumns } from '../../catalog/settings/rules/rule-rows.sql.ts'
import { timestampText } from '../../db/fragments/timestamp-text.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { Identifier } from '../../db/statements/statement.ts'
import type {
  AccountInputs,
  AssortmentRuleInput,
  AttributeDefinitionInput,
  AttributeOverrideInput,
  CategoryInput,
  EanInput,
  ExclusionRuleInput,
  GroupInput,
  GroupPlace,
  HoldInput,
  ImageInput,
  OfferInput,
  OverrideInput,
  OwnGroupInput,
  PriceListEntryInput,
  PriceHistoryInput,
  RuleInput,
  SourceOrderInput,
  StoreInput,
  SupplierInput,
  TaxClassInput,
} from '../../resolve/inputs.ts'
import { must } from '../../platform/must.ts'

// All inputs of `resolve`, in a fixed number of statements whatever the size of the batch. Every table that payloads depend on is read here and
// nowhere else.

/** Columns with the names of NAME_FIELDS, and those of them that prices depend on. */
const NAMES = columnsOf(NAME_FIELDS)
const PRICED = columnsOf(PRICED_NAMES)

function columnsOf(fields: readonly string[]) {
  return { plain: new Identifier(...fields), ofContent: new Identifier(...fields.map((field) => `c.${field}`)) }
}

/** The version of the inputs that products share, and the newest resolver version used for the account. */
export interface InputsVersion {
  version: number
  resolver: number
}

export async function inputsVersion(reader: Reader, accountId: number): Promise<InputsVersion | undefined> {
  const [row] = await reader<InputsVersion[]>`
    select version, resolver from account_inputs where account_id = ${accountId}`
  return row
}

export function accountInput(reader: Reader, accountId: number) {
  return reader<
    (Pick<
      AccountInputs,
      'currency' | 'locale' | 'anyLocale' | 'day' | 'skuPattern' | 'priceJumpFactor' | 'imageBase'
    > & {
      additionalMembers: string[]
    })[]
  >`
    select a.currency, a.locale, a.any_locale as "anyLocale", i.day::text as day, a.sku_pattern as "skuPattern",
      a.price_jump_factor::text as "priceJumpFactor", nullif(i.image_base, '') as "imageBase",
      a.additional_members as "additionalMembers"
    from account a join account_inputs i on i.account_id = ${accountId}
    where a.account_id = ${accountId}`
}

/** Active stores. Others are not shelved; a deleted store is never active. */
export function storeInputs(reader: Reader, accountId: number) {
  return reader<StoreInput[]>`
    select store_id as "storeId", slug, locale, currency, lists_by_default as "listsByDefault",
      tax_country as "taxCountry", prices_include_tax as "pricesIncludeTax"
    from store where account_id = ${accountId} and is_active order by store_id`
}

/** Into how many stores a product is resolved. */
export async function activeStores(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from store where account_id = ${accountId} and is_active`
  return must(row).count
}

export function groupInputs(reader: Reader, accountId: number) {
  return reader<GroupInput[]>`
    select group_id as "groupId", name, is_default as "isDefault", tax_country as "taxCountry",
      prices_include_tax as "pricesIncludeTax"
    from customer_group where account_id = ${accountId} order by group_id`
}

/** A row whose lists of values are read separately: they may be long, and most are the same in the next version. */
export interface Listed {
  /** A hash of the lists; rows with equal digests have equal lists. Without lists it contains no digit. */
  digest: string
  /** The number of values in the lists. */
  values: number
}

/** SQL for the columns of `Listed`. @param kind SQL text that the digest includes, where it decides how the values are compared. */
function digestOf(reader: Reader, lists: readonly string[], kind = reader`''`) {
  const columns = lists.map((name) => reader(name))
  const [first, ...others] = columns.map(
    (list) => reader`coalesce(hash_array_extended(${list}, 0)::text || ':' || cardinality(${list})::text, '')`,
  )
  const [count, ...counts] = columns.map((list) => reader`coalesce(cardinality(${list}), 0)`)
  if (first === undefined || count === undefined) throw new Error('a row without lists has no digest')
  return reader`${others.reduce((all, one) => reader`${all} || ',' || ${one}`, reader`${kind} || ${first}`)} as digest,
    ${counts.reduce((all, one) => reader`${all} + ${one}`, count)} as values`
}

/** Columns of the conditions of one kind of rule: short ones, which are read with the rule, and long ones, which are read separately. */
const ruleColumns = (conditions: readonly Condition[]) => ({
  short: conditionColumns(conditions.filter(({ isLong }) => !isLong)),
  long: conditionColumns(conditions.filter(({ isLong }) => isLong)),
  lists: conditions.filter(({ isLong }) => isLong).map(({ name }) => name),
})
const PRICING = ruleColumns(PRICING_CONDITIONS)
const ASSORTMENT = ruleColumns(ASSORTMENT_CONDITIONS)

type RuleLists = LongConditionsOf<'pricing'>
type AssortmentLists = LongConditionsOf<'assortment'>

export function ruleInputs(reader: Reader, accountId: number) {
  return reader<(Omit<RuleInput, keyof RuleLists> & Listed)[]>`
    select rule_id as "ruleId", name, priority, is_default as "isDefault", is_active as "isActive",
      ${PRICING.short(reader)}, action, percent::text, fixed_price::text as "fixedPrice", addition::text,
      floor_margin_percent::text as "floorMarginPercent", floor_profit::text as "floorProfit",
      floor_price::text as "floorPrice", ceiling_price::text as "ceilingPrice", currency, rounding,
      tiers, tiers_above_price as "tiersAbovePrice", tiers_from_supplier as "tiersFromSupplier",
      list_price_percent::text as "listPricePercent", over_price_lists as "overPriceLists",
      ${digestOf(reader, PRICING.lists)}
    from pricing_rule where account_id = ${accountId}`
}

export function ruleLists(reader: Reader, accountId: number, ids: readonly number[]) {
  return reader<(RuleLists & Listed & { id: number })[]>`
    select rule_id as id, ${PRICING.long(reader)}, ${digestOf(reader, PRICING.lists)}
    from pricing_rule where account_id = ${accountId} and rule_id = any(${[...ids]}::bigint[])`
}

export function exclusionRuleInputs(reader: Reader, accountId: number) {
  return reader<(Omit<ExclusionRuleInput, 'names'> & Listed)[]>`
    select rule_id as "ruleId", name, reason, priority, is_active as "isActive", store_ids as "storeIds", kind,
      supplier_ids as "supplierIds", amount::text, currency, ${digestOf(reader, ['names'], reader`kind`)}
    from exclusion_rule where account_id = ${accountId}`
}

export function exclusionRuleLists(reader: Reader, accountId: number, ids: readonly number[]) {
  return reader<(Pick<ExclusionRuleInput, 'names'> & Listed & { id: number; kind: ExclusionRuleInput['kind'] })[]>`
    select rule_id as id, kind, names, ${digestOf(reader, ['names'], reader`kind`)}
    from exclusion_rule where account_id = ${accountId} and rule_id = any(${[...ids]}::bigint[])`
}

export function assortmentRuleInputs(reader: Reader, accountId: number) {
  return reader<(Omit<AssortmentRuleInput, keyof AssortmentLists> & Listed)[]>`
    select rule_id as "ruleId", store_id as "storeId", name, priority, is_active as "isActive", is_listed as "isListed",
      ${ASSORTMENT.short(reader)}, ${digestOf(reader, ASSORTMENT.lists)}
    from assortment_rule where account_id = ${accountId}`
}

export function assortmentRuleLists(reader: Reader, accountId: number, ids: readonly number[]) {
  return reader<(AssortmentLists & Listed & { id: number })[]>`
    select rule_id as id, ${ASSORTMENT.long(reader)}, ${digestOf(reader, ASSORTMENT.lists)}
    from assortment_rule where account_id = ${accountId} and rule_id = any(${[...ids]}::bigint[])`
}

export function sourceOrderInputs(reader: Reader, accountId: number) {
  return reader<SourceOrderInput[]>`
    select field, supplier_ids as "supplierIds" from source_order where account_id = ${accountId}`
}

export function rateInputs(reader: Reader, accountId: number) {
  return reader<{ currency: string; rate: string }[]>`
    select currency, rate::text from exchange_rate where account_id = ${accountId}`
}

export async function taxClassInputs(reader: Reader, accountId: number): Promise<TaxClassInput[]> {
  const rows = await reader<
    (Omit<TaxClassInput, 'rates'> & { rates: { country: string; valid_from: string; percent: string }[] })[]
  >`
    select key, is_default as "isDefault", codes, rates from tax_class where account_id = ${accountId} order by key`
  return rows.map((row) => ({
    ...row,
    rates: row.rates.map(({ country, valid_from: validFrom, percent }) => ({ country, validFrom, percent })),
  }))
}

/** Suppliers that are not deleted; offers of deleted ones count nowhere. */
export function supplierInputs(reader: Reader, accountId: number) {
  return reader<SupplierInput[]>`
    select supplier_id as "supplierId", code, priority, safety_buffer as "safetyBuffer", is_active as "isActive",
      cost_tax_country as "costTaxCountry", list_price_tax as "listPriceTax"
    from supplier where account_id = ${accountId} and deleted_at is null`
}

/** Texts of an attribute definition, which are read separately. */
export type AttributeTexts = Pick<AttributeDefinitionInput, 'labels' | 'units' | 'options'>

/** The columns of `Listed` for them. `values` is estimated from their stored size, at 16 bytes per value. */
const textsDigest = (reader: Reader) => reader`
  jsonb_hash_extended(labels, 0)::text || ',' || jsonb_hash_extended(units, 0)::text || ',' || jsonb_hash_extended(options, 0)::text as digest,
  (pg_column_size(labels) + pg_column_size(units) + pg_column_size(options)) / 16 as values`

export function attributeDefinitionInputs(reader: Reader, accountId: number) {
  return reader<(Omit<AttributeDefinitionInput, keyof AttributeTexts> & Listed)[]>`
    select key, unit, position, type, separator, decimal_sign as decimal, ${textsDigest(reader)}
    from attribute_definition where account_id = ${accountId}`
}

export function attributeTexts(reader: Reader, accountId: number, keys: readonly string[]) {
  return reader<(AttributeTexts & Listed & { id: string })[]>`
    select key as id, labels, units, options, ${textsDigest(reader)}
    from attribute_definition where account_id = ${accountId} and key = any(${[...keys]}::text[])`
}

export function categoryInputs(reader: Reader, accountId: number) {
  return reader<(Omit<CategoryInput, 'supplierPaths'> & Listed)[]>`
    select category_id as "categoryId", path, names, external_id as "externalId", tax_class as "taxClass",
      ${digestOf(reader, ['supplier_paths'])}
    from category where account_id = ${accountId}`
}

export function categoryLists(reader: Reader, accountId: number, ids: readonly number[]) {
  return reader<(Pick<CategoryInput, 'supplierPaths'> & Listed & { id: number })[]>`
    select category_id as id, supplier_paths as "supplierPaths", ${digestOf(reader, ['supplier_paths'])}
    from category where account_id = ${accountId} and category_id = any(${[...ids]}::bigint[])`
}

export const priceListInputs = priceListsList

/** Entries of price lists for the product of a row. Null in an account without price lists, which is checked once per statement. */
const listEntries = (reader: Reader, accountId: number) => reader`
  case when (select exists (select from price_list where account_id = ${accountId})) then (
    select jsonb_agg(jsonb_build_object('listKey', list_key, 'groupId', group_id, 'amount', trim_scale(amount)::text)
      order by list_key, group_id)
    from price_list_entry where account_id = ${accountId} and product_id = product.product_id
  ) end as "listEntries"`

/** A row that belongs to a product. */
export type OfProduct<T> = T & { productId: number }

interface ProductRow {
  productId: number
  sku: string | null
  isDeleted: boolean
  listEntries: PriceListEntryInput[] | null
}

export function productInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<ProductRow[]>`
    select product_id as "productId", sku, deleted_at is not null as "isDeleted", ${listEntries(reader, accountId)} from product
    where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
}

/** A product with its registered groups and slugs, and the owner's group. */
export interface PlacedRow extends ProductRow {
  createdAt: string
  groups: GroupPlace[] | null
  ownGroup: OwnGroupInput | null
  /** Current slugs only. */
  slugs: { storeId: number; slug: string }[] | null
}

/**
 * Groups and slugs are read with the products to save statements; whether the account has any at all is checked once per statement.
 * @param hasEntries whether to read entries of price lists.
 */
export function placedProductInputs(reader: Reader, accountId: number, ids: number[], hasEntries: boolean) {
  return reader<PlacedRow[]>`
    select product_id as "productId", sku, deleted_at is not null as "isDeleted", ${timestampText(reader, reader`created_at`)} as "createdAt",
      case when (select exists (select from variant_group_member where account_id = ${accountId})) then (
        select jsonb_agg(jsonb_build_object('supplierId', supplier_id, 'key', group_key, 'groupId', group_id, 'position', position)
          order by supplier_id, group_key)
        from variant_group_member where account_id = ${accountId} and product_id = product.product_id
      ) end as groups,
      case when (select exists (select from own_variant where account_id = ${accountId})) then (
        select jsonb_build_object('groupId', v.group_id, 'position', v.position, 'values', v.options,
          'title', coalesce(g.title, '{}'), 'options', coalesce(g.options, '[]'))
        from own_variant v
        left join own_variant_group g on g.account_id = ${accountId} and g.group_id = v.group_id
        where v.account_id = ${accountId} and v.product_id = product.product_id
      ) end as "ownGroup",
      case when (select exists (select from product_slug where account_id = ${accountId})) then (
        select jsonb_agg(jsonb_build_object('storeId', store_id, 'slug', slug) order by store_id)
        from product_slug where account_id = ${accountId} and product_id = product.product_id and retired = 0
      ) end as slugs, ${hasEntries ? listEntries(reader, accountId) : reader`null as "listEntries"`}
    from product where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
}

export function eanInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<OfProduct<EanInput>[]>`
    select product_id as "productId", ean, is_primary as "isPrimary", supplier_id as "supplierId",
      supplier_sku as "supplierSku", position
    from product_ean where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
}

export function offerInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<OfProduct<OfferInput>[]>`
    select o.product_id as "productId", o.supplier_id as "supplierId", o.supplier_sku as "supplierSku",
      o.cost::text, o.cost_tiers as "costTiers", o.currency, o.quantity, ${NAMES.ofContent}, coalesce(c.texts, '{}') as texts,
      coalesce(c.attributes, '[]') as attributes, coalesce(c.images, '[]') as images, c.image_alts as "imageAlts", c.variant_group as "group"
    from offer o left join lateral (
      select ${NAMES.plain}, texts, attributes, images, image_alts, variant_group from offer_content
      where account_id = ${accountId} and product_id = o.product_id and supplier_id = o.supplier_id
        and supplier_sku = o.supplier_sku offset 0
    ) c on true
    where o.account_id = ${accountId} and o.product_id = any(${ids}::bigint[]) and o.dropped_at is null`
}

type PriceOffer = Pick<
  OfferInput,
  'supplierId' | 'supplierSku' | 'cost' | 'costTiers' | 'currency' | 'quantity' | PricedName
>

/** Offers, limited to what prices and conditions of rules depend on. */
export function offerPriceInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<OfProduct<PriceOffer>[]>`
    select o.product_id as "productId", o.supplier_id as "supplierId", o.supplier_sku as "supplierSku",
      o.cost::text, o.cost_tiers as "costTiers", o.currency, o.quantity, ${PRICED.ofContent}
    from offer o left join lateral (
      select ${PRICED.plain} from offer_content
      where account_id = ${accountId} and product_id = o.product_id and supplier_id = o.supplier_id
        and supplier_sku = o.supplier_sku offset 0
    ) c on true
    where o.account_id = ${accountId} and o.product_id = any(${ids}::bigint[]) and o.dropped_at is null`
}

export function ownStockInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<{ productId: number; quantity: number; cost: string | null }[]>`
    select product_id as "productId", quantity, cost::text from own_stock
    where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
}

export function overrideInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<OfProduct<OverrideInput>[]>`
    select product_id as "productId", field, locale, value from product_override
    where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
}

export function attributeOverrideInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<OfProduct<AttributeOverrideInput>[]>`
    select product_id as "productId", key, locale, value from attribute_override
    where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
}

export function listingInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<OfProduct<{ storeId: number; isListed: boolean }>[]>`
    select product_id as "productId", store_id as "storeId", is_listed as "isListed" from product_listing
    where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
}

export function exclusionInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<OfProduct<{ storeId: number; reason: string }>[]>`
    select product_id as "productId", store_id as "storeId", reason from product_exclusion
    where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
}

/** The pictures registered for products. */
export function imageInputs(reader: Reader, accountId: number, ids: readonly number[]) {
  return reader<
    {
      productId: number
      url: string
      state: ImageInput['state']
      hash: string | null
      type: string | null
      width: number | null
      height: number | null
      reason: string | null
    }[]
  >`
    select p.product_id as "productId", i.url, i.state, i.hash, i.type, i.width, i.height, i.reason
    from product_image p cross join lateral (
      select url, state, hash, type, width, height, reason from image where account_id = ${accountId} and url_hash = p.url_hash offset 0
    ) i
    where p.account_id = ${accountId} and p.product_id = any(${[...ids]}::bigint[])`
}

/** URLs of the pictures that offers and overrides of these products name. An override's value is JSON text as it is stored. */
export async function imageUrlInputs(reader: Reader, accountId: number, ids: readonly number[]) {
  const given = [...ids]
  const [offers, overrides] = await Promise.all([
    reader<{ productId: number; images: string[] }[]>`
      select o.product_id as "productId", c.images
      from offer o cross join lateral (
        select images from offer_content
        where account_id = ${accountId} and product_id = o.product_id and supplier_id = o.supplier_id
          and supplier_sku = o.supplier_sku offset 0
      ) c
      where o.account_id = ${accountId} and o.product_id = any(${given}::bigint[]) and o.dropped_at is null and c.images <> '[]'`,
    reader<{ productId: number; value: string }[]>`
      select product_id as "productId", value from product_override
      where account_id = ${accountId} and product_id = any(${given}::bigint[]) and field = 'images'`,
  ])
  return { offers, overrides }
}

/** A sale that a source of a product states. Days are `YYYY-MM-DD`. */
export interface SaleDays {
  productId: number
  beginsOn: string | null
  endsOn: string | null
}

/**
 * The price history of products for which one of these sales is in force: the part that was shown in the 30 days before a sale began, and all of it
 * for a sale without a first day. One row per product with a text for `historyIn`: one row per price took longer to send and to parse, and JSON took
 * half as long again to build.
 */
export function priceHistoryInputs(reader: Reader, accountId: number, sales: readonly SaleDays[]) {
  return reader<OfProduct<{ history: string }>[]>`
    with sale as materialized (
      select given.product_id,
        case when count(begins_on) = count(*) then (min(begins_on)::date - 32)::timestamp at time zone min(a.time_zone) end as since
      from unnest(${sales.map(({ productId }) => productId)}::bigint[], ${sales.map(({ beginsOn }) => beginsOn)}::text[],
        ${sales.map(({ endsOn }) => endsOn)}::text[]) as given (product_id, begins_on, ends_on)
      join account a on a.account_id = ${accountId}
      join account_inputs i on i.account_id = ${accountId}
      where (begins_on is null or begins_on <= i.day::text) and (ends_on is null or ends_on >= i.day::text)
      group by given.product_id
    ), recorded as (
      select sale.product_id, h.store_id, h.history_id, h.from_at, h.shown, sale.since,
        lead(h.from_at) over (partition by sale.product_id, h.store_id order by h.history_id) as until
      from sale cross join lateral (
        select store_id, history_id, from_at, shown from price_history
        where account_id = ${accountId} and product_id = sale.product_id offset 0
      ) h
    )
    select product_id as "productId", string_agg(store_id || ' ' ||
      (from_at at time zone (select time_zone from account where account_id = ${accountId}))::date || coalesce(' ' || shown, ''), E'\\x1e'
      order by store_id, history_id) as history
    from recorded where since is null or until is null or until > since
    group by product_id`
}

/**
 * Parses a text of `priceHistoryInputs`, with entries separated by U+001E: `1 2026-11-20 EUR 1:19.99` (store, day, prices), or `1 2026-11-20` from
 * when the product was not listed.
 */
export const historyIn = (text: string): PriceHistoryInput[] =>
  text.split('\x1e').map((entry) => {
    const day = entry.indexOf(' ') + 1
    const end = day + DAY_LENGTH
    return {
      storeId: Number(entry.slice(0, day)),
      from: entry.slice(day, end),
      shown: end === entry.length ? null : entry.slice(end + 1),
    }
  })

const DAY_LENGTH = 'YYYY-MM-DD'.length

export function holdInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<OfProduct<HoldInput>[]>`
    select product_id as "productId", store_id as "storeId", group_id as "groupId", currency,
      trim_scale(shown_price)::text as "shownPrice", shown_rule_id as "shownRuleId"
    from price_hold where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
}
