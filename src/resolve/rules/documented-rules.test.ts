import { describe, expect, test } from 'vitest'
import { amountText } from '../../model/money.ts'
import { anAccount, anOffer, aProduct, aRule, aStore, aSupplier, payloadOf } from '../fixtures.ts'
import type { AccountInputs, ProductInputs } from '../inputs.ts'

// Sentences of docs/rules.md that no other test covers, one test for each.

const priceIn = (account: AccountInputs, product: ProductInputs) => {
  const price = payloadOf(account, product)?.price.prices[0]
  return price === undefined ? null : amountText(price.computedPrice)
}
const stockIn = (account: AccountInputs, product: ProductInputs) => payloadOf(account, product)?.price.stock

describe('the best offer', () => {
  test('is one with a cost even where only one without has stock, and the stock is that of the same offer', () => {
    const dear = anOffer(1, { cost: '10', quantity: 0 })
    const costless = anOffer(2, { cost: null, quantity: 7 })
    const product = aProduct({ offers: [costless, dear] })
    expect([priceIn(anAccount(), product), stockIn(anAccount(), product)]).toEqual(['10', 0])
  })

  test('is one without a cost where there is no other: it needs no exchange rate, and gives stock but no price', () => {
    const product = aProduct({ offers: [anOffer(2, { cost: null, currency: 'USD', quantity: 7 })] })
    expect([priceIn(anAccount(), product), stockIn(anAccount(), product)]).toEqual([null, 7])
    // with own cost, the price is made of that
    const own = { ...product, ownStock: { quantity: 0, cost: '4' } }
    expect([priceIn(anAccount(), own), stockIn(anAccount(), own)]).toEqual(['4', 7])
  })
})

test('prices are as net or gross as costs are: nothing is added or taken off for taxes', () => {
  expect(
    priceIn(anAccount({ rules: [aRule({ percent: '0' })] }), aProduct({ offers: [anOffer(1, { cost: '10' })] })),
  ).toBe('10')
})

describe('a paused supplier', () => {
  const account = anAccount({ suppliers: [aSupplier(1, { isActive: false }), aSupplier(2)] })
  const paused = anOffer(1, {
    cost: '1',
    quantity: 9,
    manufacturer: 'Acme',
    texts: { en: { title: 'Theirs' } },
    attributes: [{ key: 'color', value: 'red' }],
    images: ['https://i.example/1.jpg'],
  })
  const active = anOffer(2, { cost: '5', quantity: 1 })

  test('gives neither cost nor stock, but its texts, attributes, images and EANs where no active supplier has any', () => {
    const eans = [{ ean: '4006381333931', isPrimary: false, supplierId: 1, supplierSku: 'S1', position: 0 }]
    const payload = payloadOf(account, aProduct({ offers: [paused, active], eans }))
    expect(amountText(payload!.price.prices[0]!.computedPrice)).toBe('5')
    expect(payload).toMatchObject({
      price: { stock: 1 },
      content: {
        title: 'Theirs',
        ean: '4006381333931',
        manufacturer: 'Acme',
        attributes: [{ key: 'color', value: 'red' }],
        images: ['https://i.example/1.jpg'],
      },
    })
  })

  test('comes after all active ones, also in a source order that names it first', () => {
    const own = { ...active, texts: { en: { title: 'Ours' } } }
    const first = { ...account, sourceOrders: [{ field: 'title' as const, supplierIds: [1] }] }
    expect(payloadOf(first, aProduct({ offers: [paused, own] }))?.content.title).toBe('Ours')
    // but a wanted language from a paused supplier precedes another language from an active one
    const polish = anAccount({ ...account, stores: [aStore({ locale: 'pl' })] })
    const szpadel = { ...paused, texts: { pl: { title: 'Szpadel' } } }
    expect(payloadOf(polish, aProduct({ offers: [szpadel, own] }))?.content.title).toBe('Szpadel')
  })

  test('offers what assortment rules ask for', () => {
    const rule = {
      ruleId: 1,
      storeId: 1,
      name: 'R',
      priority: 1,
      isActive: true,
      isListed: false,
      supplierIds: [1],
      manufacturers: null,
      categories: null,
    }
    expect(payloadOf({ ...account, assortmentRules: [rule] }, aProduct({ offers: [paused, active] }))).toBeNull()
  })
})

test('a supplier in an exclusion rule is that of the best offer, also where the price is made of own cost', () => {
  const rule = {
    ruleId: 1,
    name: 'R',
    reason: 'theirs',
    priority: 1,
    isActive: true,
    storeIds: null,
    kind: 'supplier' as const,
    names: null,
    supplierIds: [2],
    amount: null,
    currency: null,
  }
  const account = anAccount({
    exclusionRules: [rule],
    rules: [aRule({ supplierIds: [2], percent: '100' }), aRule({ ruleId: 9, isDefault: true })],
  })
  const product = aProduct({ offers: [anOffer(2, { cost: '1' })], ownStock: { quantity: 3, cost: '4' } })
  expect(payloadOf(account, product)?.content.exclusion_reason).toBe('theirs')
  // the pricing rule for that supplier does not match: the cost is the own cost
  expect(priceIn(account, product)).toBe('4')
})

test('names are compared without letter case, by single letters, whatever the language; accents and ß count', () => {
  const isNamed = (condition: string, manufacturer: string) => {
    const rules = [aRule({ manufacturers: [condition], percent: '100' }), aRule({ ruleId: 9, isDefault: true })]
    return priceIn(anAccount({ rules }), aProduct({ offers: [anOffer(1, { manufacturer, cost: '1' })] })) === '2'
  }
  expect(isNamed('ACME GmbH', ' Acme gmbh ')).toBe(true)
  expect(isNamed('ŁÓDŹ', 'łódź')).toBe(true)
  // composed and decomposed letters are equal
  expect(isNamed('Müller', 'Mu\u0308ller')).toBe(true)
  expect(isNamed('Muller', 'Müller')).toBe(false)
  expect(isNamed('STRASSE', 'Straße')).toBe(false)
  expect(isNamed('ISIK', 'ısık')).toBe(false)
})

test('keys of attributes are compared as they are', () => {
  const attributes = ['Color', 'color', ' color'].map((key) => ({ key, value: key }))
  expect(payloadOf(anAccount(), aProduct({ offers: [anOffer(1, { attributes })] }))?.content.attributes).toHaveLength(3)
})
