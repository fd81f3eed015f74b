import type { Schemas } from '../../../api.ts'
import type { Collection } from './collection.ts'

// Settings that a test states when it makes the fake, and that are read from it alone.

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
