import type { Reader } from '../../db/sql.ts'
import type {
  AttributeDefinitionInput,
  AttributeOverrideInput,
  EanInput,
  GroupInput,
  OfferInput,
  OverrideInput,
  RuleInput,
  StoreInput,
  SupplierInput,
} from '../../resolve/inputs.ts'

// Every input of `resolve`, a fixed number of statements whatever the batch. Each table a payload depends on is read here
// and nowhere else.

export function accountInput(reader: Reader, accountId: number) {
  return reader<{ currency: string; locale: string }[]>`
    select currency, locale from account where account_id = ${accountId}`
}

/** Active stores: an inactive one is not shelved. */
export function storeInputs(reader: Reader, accountId: number) {
  return reader<StoreInput[]>`
    select store_id as "storeId", slug, locale, currency from store
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
    select group_id as "groupId", name from customer_group where account_id = ${accountId} order by group_id`
}

export function ruleInputs(reader: Reader, accountId: number) {
  return reader<RuleInput[]>`
    select rule_id as "ruleId", priority, store_id as "storeId", group_id as "groupId",
      markup_percent::text as "markupPercent", is_default as "isDefault"
    from pricing_rule where account_id = ${accountId}`
}

export function rateInputs(reader: Reader, accountId: number) {
  return reader<{ currency: string; rate: string }[]>`
    select currency, rate::text from exchange_rate where account_id = ${accountId}`
}

export function supplierInputs(reader: Reader, accountId: number) {
  return reader<SupplierInput[]>`
    select supplier_id as "supplierId", priority, safety_buffer as "safetyBuffer", is_active as "isActive"
    from supplier where account_id = ${accountId}`
}

export function attributeDefinitionInputs(reader: Reader, accountId: number) {
  return reader<AttributeDefinitionInput[]>`
    select key, unit, position, labels from attribute_definition where account_id = ${accountId}`
}

/** A row of one product's list. */
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
      o.cost::text, o.currency, o.quantity, c.manufacturer, coalesce(c.texts, '{}') as texts,
      coalesce(c.attributes, '[]') as attributes, coalesce(c.images, '[]') as images
    from offer o left join lateral (
      select manufacturer, texts, attributes, images from offer_content
      where account_id = ${accountId} and product_id = o.product_id and supplier_id = o.supplier_id
        and supplier_sku = o.supplier_sku offset 0
    ) c on true
    where o.account_id = ${accountId} and o.product_id = any(${ids}::bigint[])`
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

export function unlistedInputs(reader: Reader, accountId: number, ids: number[]) {
  return reader<{ productId: number; storeId: number }[]>`
    select product_id as "productId", store_id as "storeId" from product_listing
    where account_id = ${accountId} and product_id = any(${ids}::bigint[]) and not is_listed`
}
