import type { Static } from 'typebox'
import { expect, test } from 'vitest'
import type {
  Attribute,
  Change,
  ChangeList,
  CustomerGroup,
  DigestList,
  GroupProducts,
  ListedCategory,
  ListedGroup,
  Meta,
  Price,
  Product,
  ProductCategory,
  ProductPrices,
  ProductTags,
  ProductTexts,
  Store,
  VariantGroup,
} from '../../client/src/answers.ts'
import type * as digests from '../../contract/digest-schemas.ts'
import { NAME_FIELDS, TEXT_FIELDS } from '../../contract/product-fields.ts'
import * as parts from '../../contract/product-parts.ts'
import * as schemas from '../../contract/schemas.ts'

// The package has no dependencies, so its types are written out. A difference from the contract is a compiler error here.

type Optional<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T]
/** True if both have the same members, optional or not. */
type SameMembers<A, B> = [keyof A, Optional<A>] extends [keyof B, Optional<B>]
  ? [keyof B, Optional<B>] extends [keyof A, Optional<A>]
    ? true
    : false
  : false
/** True if both have the same members and are assignable to each other. */
type Same<A, B> = [A, B] extends [B, A] ? SameMembers<A, B> : false
/** For schemas with references, which TypeBox does not follow: true if A is assignable to B and has the same members. */
type Fits<A, B> = A extends B ? SameMembers<A, B> : false

test('the types of the client are those of the contract', () => {
  const same: [
    Same<Attribute, Static<typeof parts.Attribute>>,
    Same<Price, Static<typeof parts.Price>>,
    Same<Store, Static<typeof schemas.Store>>,
    Same<CustomerGroup, Static<typeof schemas.CustomerGroup>>,
    Fits<ProductTexts, Static<typeof schemas.ProductTexts>>,
    Same<VariantGroup, Static<typeof parts.VariantGroup>>,
    Same<ListedGroup, Static<typeof schemas.VariantGroupList>['data'][number]>,
    Fits<GroupProducts, Static<typeof schemas.VariantGroupAnswer>['data']>,
    Same<ProductCategory, Static<typeof parts.ProductCategory>>,
    Same<ListedCategory, Static<typeof schemas.CategoryList>['data'][number]>,
    Same<Meta, Static<typeof schemas.Meta>>,
    Fits<Product, Static<typeof schemas.Product>>,
    Fits<ProductPrices, Static<typeof schemas.ProductPrices>>,
    Fits<Change, Static<typeof schemas.Change>>,
    Fits<ChangeList, Static<typeof schemas.ChangeList>>,
    Same<DigestList, Static<typeof digests.DigestList>>,
    Same<ProductTags, Static<typeof digests.ProductTags>>,
  ] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]
  expect(same).toHaveLength(17)
})

/** The source of the client's lists of members: of answers with an order, and of products and offers. */
function contractNames(): string {
  const { Product } = schemas
  const { Attribute, Dimensions, ImageDetails, Price, ProductCategory, VariantGroup } = parts
  const members: Readonly<Record<string, object>> = {
    product: Object.fromEntries(schemas.PRODUCT_MEMBERS.map((name) => [name, Product.properties[name]])),
    attributes: Attribute.properties,
    group: VariantGroup.properties,
    options: VariantGroup.properties.options.items.properties,
    image_details: ImageDetails.properties,
    categories: ProductCategory.properties,
    dimensions: Dimensions.properties,
    prices: Price.properties,
    tiers: Price.properties.tiers.items.properties,
    unit_price: Price.properties.unit_price.properties,
  }
  // as oxfmt formats it: on one line if it fits
  const lines = (before: string, names: readonly string[], after: string, indent = '') => {
    const quoted = names.map((name) => `'${name}'`)
    const line = `${indent}${before}[${quoted.join(', ')}]${after}`
    if (line.length <= 120) return line
    return [`${indent}${before}[`, ...quoted.map((name) => `${indent}  ${name},`), `${indent}]${after}`].join('\n')
  }
  const list = (name: string, names: readonly string[]) => lines(`export const ${name} = `, names, ' as const')
  const entries = Object.entries(members).map(([name, of]) => lines(`${name}: `, Object.keys(of), ',', '  '))
  return [
    '// Written by `npm run tables` from the contract: names that code of this package, which imports nothing, needs when it runs.',
    '',
    '/** The members of each object in the order of the contract. */',
    `export const MEMBERS = {\n${entries.join('\n')}\n} as const`,
    '',
    '/** The members of a product that follow the language of its store, in the order of the product. */',
    list('LOCALE_MEMBERS', schemas.LOCALE_MEMBERS),
    '',
    '/** Texts that offers have, and products of their own, in each locale. */',
    list('TEXT_FIELDS', TEXT_FIELDS),
    '',
    '/** Texts that are the same in every locale. */',
    list('NAME_FIELDS', NAME_FIELDS),
    '',
  ].join('\n')
}

test('the names that the client has when it runs are those of the contract, in its order: `npm run tables` writes them', async () => {
  await expect(contractNames()).toMatchFileSnapshot('../../client/src/contract-names.ts')
})
