import type { Static } from 'typebox'
import { expect, test } from 'vitest'
import type {
  Attribute,
  Change,
  ChangeList,
  CustomerGroup,
  GroupProducts,
  ListedGroup,
  Meta,
  Price,
  Product,
  ProductPrices,
  Store,
  VariantGroup,
} from '../../client/src/answers.ts'
import type * as schemas from '../../contract/schemas.ts'

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
    Same<Attribute, Static<typeof schemas.Attribute>>,
    Same<Price, Static<typeof schemas.Price>>,
    Same<Store, Static<typeof schemas.Store>>,
    Same<CustomerGroup, Static<typeof schemas.CustomerGroup>>,
    Same<VariantGroup, Static<typeof schemas.VariantGroup>>,
    Same<ListedGroup, Static<typeof schemas.VariantGroupList>['data'][number]>,
    Fits<GroupProducts, Static<typeof schemas.VariantGroupAnswer>['data']>,
    Same<Meta, Static<typeof schemas.Meta>>,
    Fits<Product, Static<typeof schemas.Product>>,
    Fits<ProductPrices, Static<typeof schemas.ProductPrices>>,
    Fits<Change, Static<typeof schemas.Change>>,
    Fits<ChangeList, Static<typeof schemas.ChangeList>>,
  ] = [true, true, true, true, true, true, true, true, true, true, true, true]
  expect(same).toHaveLength(12)
})
