import * as products from '../../src/catalog/products/products.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { categoriesList } from '../../src/catalog/settings/content/categories.sql.ts'
import { createCategory, editCategory } from '../../src/catalog/settings/content/categories.ts'
import { editGroup } from '../../src/catalog/settings/stores/groups.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { editSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { createTaxClass, editTaxClass, type TaxClassChanges } from '../../src/catalog/settings/prices/tax-classes.ts'
import type { Tx } from '../../src/db/sql.ts'
import type { TestAccount } from '../harness/account.ts'
import type { Case } from './input-case.ts'

const STANDARD = {
  key: 'standard',
  name: 'Standard',
  isDefault: true,
  codes: [],
  rates: [{ country: 'DE', validFrom: '2020-01-01', percent: '19' }],
}
const taxed = (before: TaxClassChanges, change: TaxClassChanges): Case => ({
  before: async (tx, { account }) => {
    await createTaxClass(tx, account.accountId, { ...STANDARD, ...before })
    return editStore(tx, account.accountId, account.storeIds[0], { taxCountry: 'DE' })
  },
  change: (tx, { account }) => editTaxClass(tx, account.accountId, 'standard', change),
  kinds: ['price'],
})

/** Gives the first store a tax country, and the account two tax classes. */
async function inStoreWithTax(tx: Tx, { account }: { account: TestAccount }) {
  await createTaxClass(tx, account.accountId, {
    ...STANDARD,
    rates: [...STANDARD.rates, { country: 'PL', validFrom: '2020-01-01', percent: '23' }],
  })
  await createTaxClass(tx, account.accountId, {
    ...STANDARD,
    key: 'reduced',
    isDefault: false,
    rates: [{ country: 'DE', validFrom: '2020-01-01', percent: '7' }],
  })
  return editStore(tx, account.accountId, account.storeIds[0], { taxCountry: 'DE' })
}

/** The tax settings of an account; a part of SETTING_INPUTS. */
export const TAX_INPUTS: Readonly<Record<string, Case | string>> = {
  'store.tax_country': {
    before: (tx, { account }) => createTaxClass(tx, account.accountId, STANDARD),
    change: (tx, { account }) => editStore(tx, account.accountId, account.storeIds[0], { taxCountry: 'DE' }),
    kinds: ['price'],
  },
  'store.prices_include_tax': {
    before: async (tx, { account }) => {
      await createTaxClass(tx, account.accountId, STANDARD)
      return editStore(tx, account.accountId, account.storeIds[0], { taxCountry: 'DE' })
    },
    change: (tx, { account }) => editStore(tx, account.accountId, account.storeIds[0], { pricesIncludeTax: true }),
    kinds: ['price'],
  },
  'tax_class.account_id': 'key',
  'tax_class.key': {
    before: (tx, { account }) => editStore(tx, account.accountId, account.storeIds[0], { taxCountry: 'DE' }),
    change: (tx, { account }) => createTaxClass(tx, account.accountId, STANDARD),
    kinds: ['price'],
  },
  'tax_class.name': 'shown to the owner alone',
  'tax_class.is_default': taxed({ isDefault: false }, { isDefault: true }),
  'tax_class.codes': {
    before: async (tx, { account, p1 }) => {
      await createTaxClass(tx, account.accountId, { ...STANDARD, isDefault: false })
      await editStore(tx, account.accountId, account.storeIds[0], { taxCountry: 'DE' })
      return products.setOverrides(tx, account.accountId, [
        { productId: p1, field: 'tax_class', locale: '', value: 'VAT19' },
      ])
    },
    change: (tx, { account }) => editTaxClass(tx, account.accountId, 'standard', { codes: ['vat19'] }),
    kinds: ['price'],
  },
  'tax_class.rates': taxed({}, { rates: [{ country: 'DE', validFrom: '2020-01-01', percent: '16' }] }),
  'customer_group.tax_country': {
    before: inStoreWithTax,
    change: (tx, { account }) => editGroup(tx, account.accountId, account.groupId, { taxCountry: 'PL' }),
    kinds: ['price'],
  },
  'customer_group.prices_include_tax': {
    before: inStoreWithTax,
    change: (tx, { account }) => editGroup(tx, account.accountId, account.groupId, { pricesIncludeTax: true }),
    kinds: ['price'],
  },
  'supplier.cost_tax_country': {
    before: (tx, { account }) => createTaxClass(tx, account.accountId, STANDARD),
    change: (tx, { account }) =>
      editSupplier(tx, account.accountId, account.suppliers[0]!.supplierId, { costTaxCountry: 'DE' }),
    kinds: ['price'],
  },
  'supplier.list_price_tax': {
    before: async (tx, world) => {
      await inStoreWithTax(tx, world)
      await writeOffers(tx, world.account.accountId, world.account.suppliers[0]!, [{ sku: 'A2', list_price: '1000' }])
    },
    change: (tx, { account }) =>
      editSupplier(tx, account.accountId, account.suppliers[0]!.supplierId, { listPriceTax: 'DE' }),
    kinds: ['price'],
  },
  'category.tax_class': {
    before: async (tx, world) => {
      await inStoreWithTax(tx, world)
      await createCategory(tx, world.account.accountId, { path: 'Own', supplierPaths: ['Tools'] })
    },
    change: async (tx, { account }) => {
      const [row] = await categoriesList(tx, account.accountId)
      return editCategory(tx, account.accountId, row!.categoryId, { taxClass: 'reduced' })
    },
    kinds: ['price'],
  },
}
