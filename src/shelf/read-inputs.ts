import { forEachField, NAME_FIELDS } from '../../contract/product-fields.ts'
import type { Reader } from '../db/sql.ts'
import { imagePath, type ImageType } from '../images/inspect/image-type.ts'
import { ShelfwireError } from '../platform/errors.ts'
import type {
  AccountInputs,
  AttributeOverrideInput,
  EanInput,
  ImageInput,
  OfferInput,
  ProductInputs,
} from '../resolve/inputs.ts'
import {
  accountInput,
  assortmentRuleInputs,
  attributeDefinitionInputs,
  attributeOverrideInputs,
  categoryInputs,
  eanInputs,
  exclusionInputs,
  exclusionRuleInputs,
  groupInputs,
  holdInputs,
  imageInputs,
  listingInputs,
  offerInputs,
  offerPriceInputs,
  type OfProduct,
  overrideInputs,
  ownStockInputs,
  productInputs,
  rateInputs,
  ruleInputs,
  sourceOrderInputs,
  storeInputs,
  supplierInputs,
} from './inputs.sql.ts'

/** Reads what all products of an account share. The statements are sent together: one round trip. */
export async function readAccountInputs(reader: Reader, accountId: number): Promise<AccountInputs> {
  const [
    account,
    stores,
    groups,
    rules,
    rates,
    suppliers,
    attributes,
    categories,
    exclusionRules,
    assortmentRules,
    orders,
  ] = await Promise.all([
    accountInput(reader, accountId),
    storeInputs(reader, accountId),
    groupInputs(reader, accountId),
    ruleInputs(reader, accountId),
    rateInputs(reader, accountId),
    supplierInputs(reader, accountId),
    attributeDefinitionInputs(reader, accountId),
    categoryInputs(reader, accountId),
    exclusionRuleInputs(reader, accountId),
    assortmentRuleInputs(reader, accountId),
    sourceOrderInputs(reader, accountId),
  ])
  const [row] = account
  if (row === undefined) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
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

/** Reads the inputs of these products, in id order; products that the account does not have are left out. */
export function readProductInputs(
  reader: Reader,
  accountId: number,
  productIds: readonly number[],
): Promise<ProductInputs[]> {
  const ids = [...productIds]
  return gather(reader, accountId, ids, {
    eans: eanInputs(reader, accountId, ids),
    offers: offerInputs(reader, accountId, ids),
    attributeOverrides: attributeOverrideInputs(reader, accountId, ids),
    images: imageInputs(reader, accountId, ids),
  })
}

type ImageRow = Awaited<ReturnType<typeof imageInputs>>[number]

/** The states of a product's pictures by URL, from their rows. */
export function imageStates(rows: readonly ImageRow[]): ProductInputs['images'] {
  return Object.fromEntries(
    rows.map(({ url, state, hash, type, reason }): [string, ImageInput] => [
      url,
      { state, path: hash === null ? null : imagePath(hash, type as ImageType), reason },
    ]),
  )
}

const NO_CONTENT = { ...forEachField(NAME_FIELDS, () => null), texts: {}, attributes: [], images: [] }

/** The same without what only the content half depends on: EANs, texts, attributes and images. */
export function readPriceInputs(
  reader: Reader,
  accountId: number,
  productIds: readonly number[],
): Promise<ProductInputs[]> {
  const ids = [...productIds]
  const offers = offerPriceInputs(reader, accountId, ids)
  return gather(reader, accountId, ids, {
    eans: [],
    offers: offers.then((rows) => rows.map((offer) => ({ ...NO_CONTENT, ...offer }))),
    attributeOverrides: [],
    images: [],
  })
}

type Rows<T> = PromiseLike<readonly OfProduct<T>[]> | readonly OfProduct<T>[]

/** Reads the other inputs and groups all of them by product. The statements are sent together: one round trip. */
async function gather(
  reader: Reader,
  accountId: number,
  ids: number[],
  given: {
    eans: Rows<EanInput>
    offers: Rows<OfferInput>
    attributeOverrides: Rows<AttributeOverrideInput>
    images: PromiseLike<readonly ImageRow[]> | readonly ImageRow[]
  },
): Promise<ProductInputs[]> {
  const [products, eans, offers, ownStock, overrides, attributeOverrides, exclusions, holds, listings, images] =
    await Promise.all([
      productInputs(reader, accountId, ids),
      given.eans,
      given.offers,
      ownStockInputs(reader, accountId, ids),
      overrideInputs(reader, accountId, ids),
      given.attributeOverrides,
      exclusionInputs(reader, accountId, ids),
      holdInputs(reader, accountId, ids),
      listingInputs(reader, accountId, ids),
      given.images,
    ])
  const eansOf = byProduct(eans)
  const offersOf = byProduct(offers)
  const ownStockOf = byProduct(ownStock)
  const overridesOf = byProduct(overrides)
  const attributeOverridesOf = byProduct(attributeOverrides)
  const exclusionsOf = byProduct(exclusions)
  const holdsOf = byProduct(holds)
  const listingsOf = byProduct(listings)
  const imagesOf = byProduct(images)
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
      images: imageStates(imagesOf(product.productId)),
    }))
    .sort((a, b) => a.productId - b.productId)
}

function byProduct<T extends { productId: number }>(rows: readonly T[]): (productId: number) => T[] {
  const groups = Map.groupBy(rows, (row) => row.productId)
  return (productId) => groups.get(productId) ?? []
}
