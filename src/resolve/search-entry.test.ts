import { expect, test } from 'vitest'
import { basisOf } from './basis.ts'
import { anAccount, anOffer, aProduct, aStore, aSupplier, compileAccount } from './fixtures.ts'
import type { AccountInputs, ProductInputs } from './inputs.ts'
import { searchEntry } from './search-entry.ts'

const entryOf = (account: AccountInputs, product: ProductInputs) => {
  const compiled = compileAccount(account)
  return searchEntry(compiled, product, basisOf(compiled, product))
}

const account = anAccount({
  locale: 'en',
  stores: [
    aStore({ storeId: 1, locale: 'en' }),
    aStore({ storeId: 2, locale: 'de-AT' }),
    aStore({ storeId: 3, locale: 'de-AT' }),
  ],
  suppliers: [aSupplier(1), aSupplier(2)],
})
const product = aProduct({
  sku: 'OWN-1',
  eans: [{ ean: '04006381333931', isPrimary: false, supplierId: 1, supplierSku: 'S1', position: 0 }],
  offers: [
    anOffer(1, {
      supplierSku: 'S1',
      texts: { en: { title: 'Cordless drill' }, de: { title: 'Bohrmaschine' }, fr: { title: 'Perceuse' } },
      manufacturer: 'Łódź Tools',
      category: 'Tools / Power tools/Drills',
    }),
    // of a deleted supplier
    anOffer(9, { supplierSku: 'GONE-9', texts: { en: { title: 'Ghost' } } }),
  ],
})

test('a product is found by the titles that stores show, its keys, EANs and manufacturer', () => {
  expect(entryOf(account, product)).toEqual({
    lexemes: [
      '$1',
      '.04006381333931',
      '.1',
      '.4006381333931',
      '.bohrmaschine',
      '.cordless',
      '.drill',
      '.lodz',
      '.own',
      '.own1',
      '.s1',
      '.tools',
      '/tools',
      '/tools/power tools',
      '/tools/power tools/drills',
      '=łódź tools',
    ],
    skuKey: 'own-1',
    titleKey: 'cordless drill',
    isInStock: true,
  })
})

test('it does not depend on the order of offers and stores, nor on which store lists it', () => {
  const turned = {
    ...account,
    stores: account.stores.toReversed().map((store) => ({ ...store, listsByDefault: false })),
  }
  expect(entryOf(turned, { ...product, offers: product.offers.toReversed() })).toEqual(entryOf(account, product))
})

test('without a title in the account’s locale it is sorted by another one; a deleted product is not found', () => {
  const german = { ...product, offers: [anOffer(1, { texts: { de: { title: 'Äxte' } } })] }
  expect(entryOf(account, german)?.titleKey).toBe('axte')
  expect(entryOf(account, { ...product, offers: [] })).toMatchObject({ titleKey: '~', isInStock: false })
  expect(entryOf(account, { ...product, isDeleted: true })).toBeNull()
})

test('where a store’s locale has no title, a product is found by the one that the panel shows in its place', () => {
  const titled = (texts: Record<string, { title: string }>) =>
    entryOf(account, { ...product, offers: [anOffer(1, { texts })] })
  // no store is French
  expect(titled({ fr: { title: 'Perceuse à percussion' } })).toMatchObject({
    lexemes: expect.arrayContaining(['.percussion', '.perceuse']),
    titleKey: 'perceuse a percussion',
  })
  const both = titled({ en: { title: 'Hammer drill' }, fr: { title: 'Perceuse' } })
  expect(both?.lexemes).toContain('.hammer')
  expect(both?.lexemes).not.toContain('.perceuse')
})
