import type { Schemas } from '../../../api.ts'
import type { Store } from '../../../answers.ts'
import type { Collection } from './collection.ts'

// Settings that a test states when it makes the fake. They can only be read.

export const STORES: Collection<Schemas['StoreResource']> = {
  path: 'stores',
  noun: 'store',
  key: 'slug',
  isKeyNumber: false,
  rows: ({ catalog }) =>
    catalog.shops.map(({ store, isActive }) => ({
      ...store,
      is_active: isActive,
      lists_by_default: true,
      tax_country: null,
      prices_include_tax: false,
    })),
}

export const GROUPS: Collection<Schemas['GroupResource']> = {
  path: 'groups',
  noun: 'customer group',
  key: 'id',
  isKeyNumber: true,
  rows: ({ catalog }) => catalog.groups.map((group) => ({ ...group, tax_country: null, prices_include_tax: null })),
}

/** Completes the account that a test states. */
export const accountOf = (
  given: Partial<Schemas['AccountResource']>,
  [first]: readonly Pick<Store, 'currency' | 'locale'>[],
): Schemas['AccountResource'] => ({
  id: 1,
  currency: first?.currency ?? 'EUR',
  name: 'Fake',
  locale: first?.locale ?? 'en',
  any_locale: false,
  time_zone: 'UTC',
  sku_pattern: null,
  price_jump_factor: '3',
  adopt_images: false,
  additional_members: [],
  rates_from: 'hand',
  rates_least_change_percent: '0.5',
  rates_greatest_change_percent: '10',
  ...given,
})
