import type { Reader } from '../db/sql.ts'
import type {
  AccountInputs,
  AssortmentRuleInput,
  AttributeDefinitionInput,
  AttributeOverrideInput,
  CategoryInput,
  EanInput,
  ExclusionRuleInput,
  GroupInput,
  HoldInput,
  ImageInput,
  OfferInput,
  OverrideInput,
  RuleInput,
  SourceOrderInput,
  StoreInput,
  SupplierInput,
} from '../resolve/inputs.ts'

// Every input of `resolve`, in a fixed number of statements whatever the size of the batch. Every table that payloads
// depend on is read here and nowhere else.

/** The version of what the account's products share, and the newest resolver that has been used for it. */
export async function inputsVersion(
  reader: Reader,
  accountId: number,
): Promise<{ version: number; resolver: number } | undefined> {
  const [row] = await reader<{ version: number; resolver: number }[]>`
    select version, resolver from account_inputs where account_id = ${accountId}`
  return row
}

export function accountInput(reader: Reader, accountId: number) {
  return reader<
    Pick<AccountInputs, 'currency' | 'locale' | 'anyLocale' | 'day' | 'skuPattern' | 'priceJumpFactor' | 'imageBase'>[]
  >`
    select a.currency, a.locale, a.any_locale as "anyLocale", i.day::text as day, a.sku_pattern as "skuPattern",
      a.price_jump_factor::text as "priceJumpFactor", nullif(i.image_base, '') as "imageBase"
    from account a join account_inputs i on i.account_id = ${accountId}
    where a.account_id = ${accountId}`
}

/** Active stores. Others are not shelved; a deleted store is never active. */
export function storeInputs(reader: Reader, accountId: number) {
  return reader<StoreInput[]>`
    select store_id as "storeId", slug, locale, currency, lists_by_default as "listsByDefault" from store
    where account_id = ${accountId} and is_active order by store_id`
}

/** How many stores a product is resolved for. */
export async function activeStores(reader: Reader, accountId: number): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from store where account_id = ${accountId} and is_active`
  return row?.count ?? 0
}

export function groupInputs(reader: Reader, accountId: number) {
  return reader<GroupInput[]>`
    select group_id as "groupId", name, is_default as "isDefault" from customer_group where account_id = ${accountId} order by group_id`
}

export function ruleInputs(reader: Reader, accountId: number) {
  return reader<RuleInput[]>`
    select rule_id as "ruleId", name, priority, is_default as "isDefault", is_active as "isActive", store_ids as "storeIds",
      group_ids as "groupIds", product_ids as "productIds", supplier_ids as "supplierIds", manufacturers, categories,
      cost_min::text as "costMin", cost_below::text as "costBelow", valid_from::text as "validFrom",
      valid_to::text as "validTo", action, percent::text, fixed_price::text as "fixedPrice", addition::text,
      floor_margin_percent::text as "floorMarginPercent", floor_profit::text as "floorProfit",
      floor_price::text as "floorPrice", ceiling_price::text as "ceilingPrice", currency, rounding
    from pricing_rule where account_id = ${accountId}`
}

export function exclusionRuleInputs(reader: Reader, accountId: number) {
  return reader<ExclusionRuleInput[]>`
    select rule_id as "ruleId", name, reason, priority, is_active as "isActive", store_ids as "storeIds", kind, names,
      supplier_ids as "supplierIds", amount::text, currency
    from exclusion_rule where account_id = ${accountId}`
}

export function assortmentRuleInputs(reader: Reader, accountId: number) {
  return reader<AssortmentRuleInput[]>`
    select rule_id as "ruleId", store_id as "storeId", name, priority, is_active as "isActive", is_listed as "isListed",
      supplier_ids as "supplierIds", manufacturers, categories
    from assortment_rule where account_id = ${accountId}`
}

export function sourceOrderInputs(reader: Reader, accountId: number) {
  return reader<SourceOrderInput[]>`
    select field, supplier_ids as "supplierIds" from source_order where account_id = ${accountId}`
}

export function rateInputs(reader: Reader, accountId: number) {
  return reader<{ currency: string; rate: string }[]>`
    select currency, rate::text from exchange_rate where account_id = ${accountId}`
}

/** Suppliers that are not deleted; offers of deleted ones count nowhere. */
export function supplierInputs(reader: Reader, accountId: number) {
  return reader<SupplierInput[]>`
    select supplier_id as "supplierId", code, priority, safety_buffer as "safetyBuffer", is_active as "isActive"
    from supplier where account_id = ${accountId} and deleted_at is null`
}

export function attributeDefinitionInputs(reader: Reader, accountId: number) {
  return reader<AttributeDefinitionInput[]>`
    select key, unit, units, position, labels, options from attribute_definition where account_id = ${accountId}`
}

export function categoryInputs(reader: Reader, accountId: number) {
  return reader<CategoryInput[]>`
    select category_id as "categoryId", path, supplier_paths as "supplierPaths" from category where account_id = ${accountId}`
}

/** A row that belongs to a product. */
export type OfProduct<T> = T & { productId: number }

export function productInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<{ productId: number; sku: string | null; isDeleted: boolean }[]>`
    select product_id as "productId", sku, deleted_at is not null as "isDeleted" from product
    where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
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
      o.cost::text, o.currency, o.quantity, c.manufacturer, c.category, coalesce(c.texts, '{}') as texts,
      coalesce(c.attributes, '[]') as attributes, coalesce(c.images, '[]') as images
    from offer o left join lateral (
      select manufacturer, category, texts, attributes, images from offer_content
      where account_id = ${accountId} and product_id = o.product_id and supplier_id = o.supplier_id
        and supplier_sku = o.supplier_sku offset 0
    ) c on true
    where o.account_id = ${accountId} and o.product_id = any(${ids}::bigint[]) and o.dropped_at is null`
}

type PriceOffer = Pick<
  OfferInput,
  'supplierId' | 'supplierSku' | 'cost' | 'currency' | 'quantity' | 'manufacturer' | 'category'
>

/** Offers as far as prices and the conditions of rules depend on them. */
export function offerPriceInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<OfProduct<PriceOffer>[]>`
    select o.product_id as "productId", o.supplier_id as "supplierId", o.supplier_sku as "supplierSku",
      o.cost::text, o.currency, o.quantity, c.manufacturer, c.category
    from offer o left join lateral (
      select manufacturer, category from offer_content
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

/** The pictures that products name, as far as they are registered. */
export function imageInputs(reader: Reader, accountId: number, ids: readonly number[]) {
  return reader<
    {
      productId: number
      url: string
      state: ImageInput['state']
      hash: string | null
      type: string | null
      reason: string | null
    }[]
  >`
    select p.product_id as "productId", i.url, i.state, i.hash, i.type, i.reason
    from product_image p cross join lateral (
      select url, state, hash, type, reason from image where account_id = ${accountId} and url_hash = p.url_hash offset 0
    ) i
    where p.account_id = ${accountId} and p.product_id = any(${[...ids]}::bigint[])`
}

/** Lists of pictures' URLs that offers and overrides of these products name; of an override as it is stored, a JSON text. */
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

export function holdInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<OfProduct<HoldInput>[]>`
    select product_id as "productId", store_id as "storeId", group_id as "groupId", currency,
      trim_scale(shown_price)::text as "shownPrice", shown_rule_id as "shownRuleId"
    from price_hold where account_id = ${accountId} and product_id = any(${ids}::bigint[])`
}
