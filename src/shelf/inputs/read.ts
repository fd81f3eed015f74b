import type { Reader } from '../../db/sql.ts'
import { HouseError } from '../../ground/errors.ts'
import type { AccountInputs, AttributeOverrideInput, EanInput, OfferInput, ProductInputs } from '../../resolve/inputs.ts'
import * as store from './store.ts'

/** Reads what all products of an account share. The statements are sent together: one round trip. */
export async function readAccountInputs(reader: Reader, accountId: number): Promise<AccountInputs> {
  const [account, stores, groups, rules, rates, suppliers, attributes, categories, exclusionRules, assortmentRules, orders] = await Promise.all([
    store.accountInput(reader, accountId),
    store.storeInputs(reader, accountId),
    store.groupInputs(reader, accountId),
    store.ruleInputs(reader, accountId),
    store.rateInputs(reader, accountId),
    store.supplierInputs(reader, accountId),
    store.attributeDefinitionInputs(reader, accountId),
    store.categoryInputs(reader, accountId),
    store.exclusionRuleInputs(reader, accountId),
    store.assortmentRuleInputs(reader, accountId),
    store.sourceOrderInputs(reader, accountId),
  ])
  const [row] = account
  if (row === undefined) throw new HouseError('unknown-account', `there is no account ${accountId}`)
  return {
    ...row,
    stores,
    groups,
    rules,
    rates: Object.fromEntries(rates.map(({ currency, rate }) => [currency, rate])),
    suppliers,
    attributes,
    categories,
    exclusionRules,
    assortmentRules,
    sourceOrders: orders,
  }
}

/** Reads what is known of these products, in id order; products the account does not have are left out. */
export function readProductInputs(reader: Reader, accountId: number, productIds: readonly number[]): Promise<ProductInputs[]> {
  const ids = [...productIds]
  return gather(reader, accountId, ids, {
    eans: store.eanInputs(reader, accountId, ids),
    offers: store.offerInputs(reader, accountId, ids),
    attributeOverrides: store.attributeOverrideInputs(reader, accountId, ids),
  })
}

/** The same without what the content half alone depends on: EANs, texts, attributes and images. */
export function readPriceInputs(reader: Reader, accountId: number, productIds: readonly number[]): Promise<ProductInputs[]> {
  const ids = [...productIds]
  const offers = store.offerPriceInputs(reader, accountId, ids)
  return gather(reader, accountId, ids, {
    eans: [],
    offers: offers.then((rows) => rows.map((offer) => ({ ...offer, texts: {}, attributes: [], images: [] }))),
    attributeOverrides: [],
  })
}

type Rows<T> = PromiseLike<readonly store.OfProduct<T>[]> | readonly store.OfProduct<T>[]

/** Puts products together. The statements are sent together: one round trip. */
async function gather(
  reader: Reader,
  accountId: number,
  ids: number[],
  given: { eans: Rows<EanInput>; offers: Rows<OfferInput>; attributeOverrides: Rows<AttributeOverrideInput> },
): Promise<ProductInputs[]> {
  const [products, eans, offers, ownStock, overrides, attributeOverrides, exclusions, holds, listings] = await Promise.all([
    store.productInputs(reader, accountId, ids),
    given.eans,
    given.offers,
    store.ownStockInputs(reader, accountId, ids),
    store.overrideInputs(reader, accountId, ids),
    given.attributeOverrides,
    store.exclusionInputs(reader, accountId, ids),
    store.holdInputs(reader, accountId, ids),
    store.listingInputs(reader, accountId, ids),
  ])
  const eansOf = byProduct(eans)
  const offersOf = byProduct(offers)
  const ownStockOf = byProduct(ownStock)
  const overridesOf = byProduct(overrides)
  const attributeOverridesOf = byProduct(attributeOverrides)
  const exclusionsOf = byProduct(exclusions)
  const holdsOf = byProduct(holds)
  const listingsOf = byProduct(listings)
  return products
    .map((product) => ({
      ...product,
      eans: eansOf(product.productId),
      offers: offersOf(product.productId),
      ownStock: ownStockOf(product.productId)[0] ?? null,
      overrides: overridesOf(product.productId),
      attributeOverrides: attributeOverridesOf(product.productId),
      exclusions: exclusionsOf(product.productId),
      holds: holdsOf(product.productId),
      listings: listingsOf(product.productId),
    }))
    .sort((a, b) => a.productId - b.productId)
}

function byProduct<T extends { productId: number }>(rows: readonly T[]): (productId: number) => T[] {
  const groups = Map.groupBy(rows, (row) => row.productId)
  return (productId) => groups.get(productId) ?? []
}
