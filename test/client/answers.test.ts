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
import { MEMBERS } from '../../client/src/verify/product-text.ts'
import type * as digests from '../../contract/digest-schemas.ts'
import * as parts from '../../contract/product-parts.ts'
import * as schemas from '../../contract/schemas.ts'

// The package has no dependency, so its types are written out. What differs from the contract is an error of the compiler here.

type Optional<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T]
/** True: the same members, optional or not. */
type SameMembers<A, B> = [keyof A, Optional<A>] extends [keyof B, Optional<B>]
  ? [keyof B, Optional<B>] extends [keyof A, Optional<A>]
    ? true
    : false
  : false
/** True: the same members, and each may stand for the other. */
type Same<A, B> = [A, B] extends [B, A] ? SameMembers<A, B> : false
/** True where the schema names others by reference, which TypeBox does not follow. */
type Fits<A, B> = A extends B ? SameMembers<A, B> : false

test('the types of the client are those of the contract', () => {
  const same: [
    Same<Attribute, Static<typeof parts.Attribute>>,
    Same<Price, Static<typeof parts.Price>>,
    Same<Store, Static<typeof schemas.Store>>,
    Same<CustomerGroup, Static<typeof schemas.CustomerGroup>>,
    Fits<ProductTexts, Static<typeof schemas.ProductTexts>>,
    Same<VariantGroup, Static<typeof schemas.VariantGroup>>,
    Same<ListedGroup, Static<typeof schemas.VariantGroupList>['data'][number]>,
    Fits<GroupProducts, Static<typeof schemas.VariantGroupAnswer>['data']>,
    Same<ProductCategory, Static<typeof schemas.ProductCategory>>,
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

test('the members that the client knows by their order are in the order of the contract', () => {
  const { Product, VariantGroup, ProductCategory, ImageDetails } = schemas
  const { Attribute, Dimensions, Price } = parts
  const orders: Record<keyof typeof MEMBERS, object> = {
    product: Product.properties,
    attributes: Attribute.properties,
    group: VariantGroup.properties,
    options: VariantGroup.properties.options.items.properties,
    dimensions: Dimensions.properties,
    categories: ProductCategory.properties,
    image_details: ImageDetails.properties,
    prices: Price.properties,
    tiers: Price.properties.tiers.items.properties,
    unit_price: Price.properties.unit_price.properties,
  }
  // one that it does not know comes after them, as in the contract; of several it would have to read the product
  for (const [name, properties] of Object.entries(orders) as [keyof typeof MEMBERS, object][]) {
    const known: readonly string[] = MEMBERS[name]
    expect([name, Object.keys(properties).filter((member) => known.includes(member))]).toEqual([name, known])
  }
})
