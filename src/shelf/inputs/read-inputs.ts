import { forEachField, isSaleField, NAME_FIELDS, type SaleField } from '../../../contract/product-fields.ts'
import {
  RULE_CONDITIONS,
  type AnyConditions,
  type Condition,
  type ConditionValue,
  type Form,
  type LongConditionsOf,
} from '../../../contract/rule-conditions.ts'
import type { Reader } from '../../db/sql.ts'
import { imagePath, type ImageType } from '../../images/inspect/image-type.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { knownMembers } from '../../resolve/content/additional-members.ts'
import { foldedCategories, foldedNames } from '../../resolve/rules/conditions.ts'
import type {
  AccountInputs,
  AttributeOverrideInput,
  CategoryInput,
  EanInput,
  ExclusionRuleInput,
  ImageInput,
  OfferInput,
  OverrideInput,
  ProductInputs,
} from '../../resolve/inputs.ts'
import {
  accountInput,
  assortmentRuleInputs,
  assortmentRuleLists,
  attributeDefinitionInputs,
  attributeTexts,
  type AttributeTexts,
  attributeOverrideInputs,
  categoryInputs,
  categoryLists,
  eanInputs,
  exclusionInputs,
  exclusionRuleInputs,
  exclusionRuleLists,
  groupInputs,
  historyIn,
  holdInputs,
  imageInputs,
  listingInputs,
  offerInputs,
  offerPriceInputs,
  type OfProduct,
  overrideInputs,
  ownStockInputs,
  priceHistoryInputs,
  type PlacedRow,
  placedProductInputs,
  priceListInputs,
  productInputs,
  rateInputs,
  ruleInputs,
  ruleLists,
  type SaleDays,
  sourceOrderInputs,
  storeInputs,
  supplierInputs,
  taxClassInputs,
} from './inputs.sql.ts'
import { withLists, type KeptLists } from './shared-lists.ts'

/** The lists of an account's rules, categories and attributes as they were read, by row. */
export interface AccountLists {
  rules: KeptLists<LongConditionsOf<'pricing'>>
  exclusionRules: KeptLists<Pick<ExclusionRuleInput, 'names'>>
  assortmentRules: KeptLists<LongConditionsOf<'assortment'>>
  categories: KeptLists<Pick<CategoryInput, 'supplierPaths'>>
  attributes: KeptLists<AttributeTexts, string>
}

/** For one kind of rule: the value of a rule without long lists, and a function that folds the lists for comparison. */
function listsOf<K extends 'pricing' | 'assortment'>(kind: K) {
  const long = RULE_CONDITIONS[kind].filter(({ isLong }) => isLong)
  const withEach = (value: (condition: Condition) => ConditionValue | null) =>
    Object.fromEntries(long.map((condition) => [condition.field, value(condition)])) as LongConditionsOf<K>
  return {
    none: withEach(() => null),
    folded: (row: LongConditionsOf<K>) =>
      withEach(({ field, form }) => {
        const list = (row as AnyConditions)[field] ?? null
        return list === null ? null : FOLDED[form](list)
      }),
  }
}
/** Converts a condition's value, once, to the form that product facts are compared in. */
const FOLDED: Readonly<Record<Form, (value: ConditionValue) => ConditionValue>> = {
  ids: (ids) => ids,
  names: (names) => foldedNames(names as readonly string[]),
  paths: (paths) => foldedCategories(paths as readonly string[]),
  number: (text) => text,
  day: (text) => text,
}
const PRICING_LISTS = listsOf('pricing')
const ASSORTMENT_LISTS = listsOf('assortment')

/** Never used: every definition has a digest. */
const NO_TEXTS: AttributeTexts = { labels: {}, units: {}, options: {} }

/**
 * Reads all inputs that an account's products share: two round trips, more if lists of values are long.
 * @param known lists that were read before; unchanged ones are not read again.
 */
export async function readAccountInputs(
  reader: Reader,
  accountId: number,
  known?: AccountLists,
): Promise<{ inputs: AccountInputs; lists: AccountLists }> {
  const [
    account,
    stores,
    groups,
    ruleRows,
    rates,
    suppliers,
    attributeRows,
    categoryRows,
    exclusionRows,
    assortmentRows,
    orders,
    taxClasses,
    priceLists,
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
    taxClassInputs(reader, accountId),
    priceListInputs(reader, accountId),
  ])
  const [row] = account
  if (row === undefined) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
  const idOf = ({ ruleId }: { ruleId: number }) => ruleId
  const [rules, exclusionRules, assortmentRules, categories, attributes] = await Promise.all([
    withLists(ruleRows, known?.rules, {
      idOf,
      none: PRICING_LISTS.none,
      read: (ids) => ruleLists(reader, accountId, ids),
      folded: PRICING_LISTS.folded,
    }),
    withLists(exclusionRows, known?.exclusionRules, {
      idOf,
      none: { names: null },
      read: (ids) => exclusionRuleLists(reader, accountId, ids),
      folded: ({ kind, names: list }) => ({
        names: list === null ? null : kind === 'category' ? foldedCategories(list) : foldedNames(list),
      }),
    }),
    withLists(assortmentRows, known?.assortmentRules, {
      idOf,
      none: ASSORTMENT_LISTS.none,
      read: (ids) => assortmentRuleLists(reader, accountId, ids),
      folded: ASSORTMENT_LISTS.folded,
    }),
    withLists(categoryRows, known?.categories, {
      idOf: ({ categoryId }) => categoryId,
      none: { supplierPaths: [] },
      read: (ids) => categoryLists(reader, accountId, ids),
      folded: ({ supplierPaths }) => ({ supplierPaths: foldedCategories(supplierPaths) }),
    }),
    withLists(attributeRows, known?.attributes, {
      idOf: ({ key }) => key,
      none: NO_TEXTS,
      read: (keys) => attributeTexts(reader, accountId, keys),
      // unchanged: the compiled options are kept with these objects
      folded: ({ labels, units, options }) => ({ labels, units, options }),
    }),
  ])
  return {
    inputs: {
      ...row,
      additionalMembers: knownMembers(row.additionalMembers),
      stores,
      groups,
      rules: rules.rows,
      rates: Object.fromEntries(rates.map(({ currency, rate }) => [currency, rate])),
      suppliers,
      attributes: attributes.rows,
      categories: categories.rows,
      exclusionRules: exclusionRules.rows,
      assortmentRules: assortmentRules.rows,
      sourceOrders: orders,
      taxClasses,
      priceLists,
    },
    lists: {
      rules: rules.lists,
      exclusionRules: exclusionRules.lists,
      assortmentRules: assortmentRules.lists,
      categories: categories.lists,
      attributes: attributes.lists,
    },
  }
}

/** Reads the inputs of these products, in id order; products that the account does not have are left out. */
export const readProductInputs = (
  reader: Reader,
  accountId: number,
  productIds: readonly number[],
): Promise<ProductInputs[]> => readInputs(reader, accountId, productIds, true)

/** The same without inputs that only prices depend on: price lists, held prices, price history and manual exclusions. */
export const readContentInputs: typeof readProductInputs = (reader, accountId, productIds) =>
  readInputs(reader, accountId, productIds, false)

function readInputs(reader: Reader, accountId: number, productIds: readonly number[], isPriced: boolean) {
  const ids = [...productIds]
  return gather(reader, accountId, ids, {
    products: placedProductInputs(reader, accountId, ids, isPriced),
    eans: eanInputs(reader, accountId, ids),
    offers: offerInputs(reader, accountId, ids),
    attributeOverrides: attributeOverrideInputs(reader, accountId, ids),
    images: imageInputs(reader, accountId, ids),
    isPriced,
  })
}

type ImageRow = Awaited<ReturnType<typeof imageInputs>>[number]

/** The states of a product's pictures by URL, from their rows. */
export function imageStates(rows: readonly ImageRow[]): ProductInputs['images'] {
  return Object.fromEntries(
    rows.map(({ url, state, hash, type, width, height, reason }): [string, ImageInput] => [
      url,
      hash === null || type === null
        ? { state, path: null, reason, copy: null }
        : { state, path: imagePath(hash, type as ImageType), reason, copy: { hash, type, width, height } },
    ]),
  )
}

const NO_CONTENT = {
  ...forEachField(NAME_FIELDS, () => null),
  texts: {},
  attributes: [],
  images: [],
  imageAlts: null,
  group: null,
}

/** The same without inputs that only the content half depends on: EANs, texts, attributes, images and groups. */
export function readPriceInputs(
  reader: Reader,
  accountId: number,
  productIds: readonly number[],
): Promise<ProductInputs[]> {
  const ids = [...productIds]
  const offers = offerPriceInputs(reader, accountId, ids)
  return gather(reader, accountId, ids, {
    products: productInputs(reader, accountId, ids),
    eans: [],
    offers: offers.then((rows) => rows.map((offer) => ({ ...NO_CONTENT, ...offer }))),
    attributeOverrides: [],
    images: [],
    isPriced: true,
  })
}

type Row = Pick<PlacedRow, 'productId' | 'sku' | 'isDeleted' | 'listEntries'> & Partial<PlacedRow>
const NO_PLACES: ProductInputs['groups'] = []
const NO_HISTORY: ProductInputs['priceHistory'] = []
const NO_SLUGS: ProductInputs['slugs'] = []
const NO_ENTRIES: ProductInputs['listEntries'] = []

type SaleStated = Pick<OfferInput, SaleField>

type Rows<T> = PromiseLike<readonly OfProduct<T>[]> | readonly OfProduct<T>[]

/** Reads the other inputs and groups all of them by product. The statements are sent together: one round trip. */
async function gather(
  reader: Reader,
  accountId: number,
  ids: number[],
  given: {
    products: PromiseLike<readonly Row[]>
    eans: Rows<EanInput>
    offers: Rows<OfferInput>
    attributeOverrides: Rows<AttributeOverrideInput>
    images: PromiseLike<readonly ImageRow[]> | readonly ImageRow[]
    /** false: skip inputs that only prices depend on. */
    isPriced: boolean
  },
): Promise<ProductInputs[]> {
  const { isPriced } = given
  const [products, eans, offers, ownStock, overrides, attributeOverrides, exclusions, holds, listings, images] =
    await Promise.all([
      given.products,
      given.eans,
      given.offers,
      ownStockInputs(reader, accountId, ids),
      overrideInputs(reader, accountId, ids),
      given.attributeOverrides,
      isPriced ? exclusionInputs(reader, accountId, ids) : [],
      isPriced ? holdInputs(reader, accountId, ids) : [],
      listingInputs(reader, accountId, ids),
      given.images,
    ])
  const history = !isPriced ? [] : await readHistory(reader, accountId, offers, overrides)
  const eansOf = byProduct(eans)
  const offersOf = byProduct(offers)
  const ownStockOf = byProduct(ownStock)
  const overridesOf = byProduct(overrides)
  const attributeOverridesOf = byProduct(attributeOverrides)
  const exclusionsOf = byProduct(exclusions)
  const holdsOf = byProduct(holds)
  const historyOf = new Map(history.map((row) => [row.productId, historyIn(row.history)]))
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
      priceHistory: historyOf.get(product.productId) ?? NO_HISTORY,
      listings: listingsOf(product.productId),
      images: imageStates(imagesOf(product.productId)),
      createdAt: product.createdAt ?? '',
      groups: product.groups ?? NO_PLACES,
      slugs: product.slugs ?? NO_SLUGS,
      ownGroup: product.ownGroup ?? null,
      listEntries: product.listEntries ?? NO_ENTRIES,
    }))
    .sort((a, b) => a.productId - b.productId)
}

/** The price history of products for which a source states a sale; without such products, no statement is sent. */
async function readHistory(
  reader: Reader,
  accountId: number,
  offers: readonly OfProduct<SaleStated>[],
  overrides: readonly OfProduct<OverrideInput>[],
) {
  const sales: SaleDays[] = []
  for (const { productId, sale_price: price, sale_begins_on: beginsOn, sale_ends_on: endsOn } of offers)
    if (price !== null) sales.push({ productId, beginsOn, endsOn })
  const owned = overrides.filter(({ field }) => isSaleField(field))
  for (const { productId, field } of owned) {
    if (field !== 'sale_price') continue
    const day = (of: string) => owned.find((row) => row.productId === productId && row.field === of)?.value ?? null
    sales.push({ productId, beginsOn: day('sale_begins_on'), endsOn: day('sale_ends_on') })
  }
  return sales.length === 0 ? [] : priceHistoryInputs(reader, accountId, sales)
}

function byProduct<T extends { productId: number }>(rows: readonly T[]): (productId: number) => T[] {
  const groups = Map.groupBy(rows, (row) => row.productId)
  return (productId) => groups.get(productId) ?? []
}
