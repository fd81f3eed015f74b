import { describe, expect, it, test } from 'vitest'
import { runToEnd } from './attributes.ts'
import { compilingCategories } from './category.ts'
import { foldCategory } from '../rules/conditions.ts'
import { explain } from '../explain/explain.ts'
import { anAccount, anOffer, aProduct, aRule, aStore, aSupplier, payloadOf, compileAccount } from '../fixtures.ts'
import type { CategoryInput, ExclusionRuleInput } from '../inputs.ts'

const compiled = (categories: readonly CategoryInput[]) => runToEnd(compilingCategories(categories))

const own = (categoryId: number, path: string, ...supplierPaths: string[]): CategoryInput => ({
  categoryId,
  path,
  supplierPaths,
  names: {},
  externalId: null,
  taxClass: null,
})
const TOOLS = [
  own(1, 'Workshop', 'Tools'),
  own(2, 'Workshop/Sawing', 'tools / Hand tools/saws', 'SAWS'),
  own(3, 'Empty'),
]

describe('a supplier’s path', () => {
  const { mapped } = compiled(TOOLS)
  it.each([
    ['Tools', 'Workshop'],
    ['TOOLS/Hand tools', 'Workshop'],
    ['Tools/Hand tools/Saws', 'Workshop/Sawing'],
    ['Tools/ Hand Tools /Saws/Japanese', 'Workshop/Sawing'],
    ['Saws/Big', 'Workshop/Sawing'],
    ['Toolsmith', null],
    ['Garden/Tools', null],
    ['Empty', null],
    ['Workshop', null],
    ['/', null],
    ['', null],
  ])('"%s" is mapped to %s', (stated, path) => {
    expect(mapped(foldCategory(stated))?.path ?? null).toBe(path)
  })

  it('that two categories name is mapped to the older one, whatever the order', () => {
    const twice = [own(7, 'Newer', 'tools'), own(4, 'Older', 'Tools')]
    expect([twice, twice.toReversed()].map((categories) => compiled(categories).mapped('tools')?.path)).toEqual([
      'Older',
      'Older',
    ])
  })
})

describe('the category of a product', () => {
  const explained = (over: Parameters<typeof aProduct>[0], account: Parameters<typeof anAccount>[0] = {}) =>
    explain(compileAccount(anAccount({ categories: TOOLS, ...account })), aProduct(over), 1)!.category

  it('is the account’s category for the first supplier’s path; explain shows both', () => {
    expect(
      explained({ offers: [anOffer(1, { category: 'Tools/Hand tools/Saws' }), anOffer(2, { category: 'Tools' })] }),
    ).toMatchObject({
      value: 'Workshop/Sawing',
      stated: 'Tools/Hand tools/Saws',
      source: { from: 'supplier', supplierId: 1 },
    })
    expect(explained({ offers: [anOffer(1, { category: 'Garden' })] })).toMatchObject({
      value: 'Garden',
      stated: 'Garden',
    })
    expect(explained({ offers: [anOffer(1)] })).toMatchObject({ value: null, stated: null })
    // the first supplier that states one, mapped or not: mappings of later suppliers do not count
    expect(
      explained({ offers: [anOffer(1, { category: 'Garden' }), anOffer(2, { category: 'Tools' })] }),
    ).toMatchObject({
      value: 'Garden',
    })
  })

  it('is the product’s override, which is not mapped', () => {
    const override = { field: 'category' as const, locale: '', value: 'Tools' }
    expect(explained({ offers: [anOffer(1, { category: 'Saws' })], overrides: [override] })).toMatchObject({
      value: 'Tools',
      stated: 'Tools',
      source: { from: 'override', locale: '' },
    })
  })

  it('is what pricing rules, exclusion rules, assortment rules and SKU patterns use', () => {
    const product = aProduct({ offers: [anOffer(1, { category: 'Tools/Hand tools/Saws' })] })
    const rules = [
      aRule({ ruleId: 5, categories: ['Tools'] }),
      aRule({ ruleId: 6, categories: ['workshop'] }),
      aRule({ ruleId: 99, isDefault: true }),
    ]
    const excluded: ExclusionRuleInput = {
      ruleId: 1,
      name: 'Saws',
      reason: 'saws',
      priority: 1,
      isActive: true,
      storeIds: null,
      kind: 'category',
      names: ['Workshop/Sawing'],
      supplierIds: null,
      amount: null,
      currency: null,
    }
    const unlisted = {
      ruleId: 1,
      storeId: 2,
      name: '',
      priority: 1,
      isActive: true,
      isListed: false,
      supplierIds: null,
      manufacturers: null,
      categories: ['Workshop'],
    }
    const inputs = {
      rules,
      exclusionRules: [excluded],
      assortmentRules: [unlisted],
      stores: [aStore(), aStore({ storeId: 2 })],
      skuPattern: '{category|slug}',
    }
    const shown = (categories: CategoryInput[]) =>
      [1, 2].map((storeId) => {
        const payload = payloadOf(anAccount({ ...inputs, categories }), product, storeId)
        return payload === null
          ? null
          : [payload.price.prices[0]?.ruleId, payload.content.exclusion_reason, payload.content.sku]
      })
    expect(shown(TOOLS)).toEqual([[6, 'saws', 'sawing'], null])
    expect(shown([])).toEqual([
      [5, null, 'saws'],
      [5, null, 'saws'],
    ])
  })
})

describe('the member categories', () => {
  const named = (row: CategoryInput, names: Record<string, string>, externalId: string | null = null) => ({
    ...row,
    names,
    externalId,
  })
  const categories = [
    named(own(1, 'Workshop', 'Tools'), { de: 'Werkstatt' }),
    named(own(2, 'Workshop/Sawing', 'Saws'), { de: 'Sägen', en: 'Saws > all' }, 'saw-1'),
  ]
  const stores = [aStore({ locale: 'en' }), aStore({ storeId: 2, locale: 'de-AT' })]
  const shown = (over: Parameters<typeof aProduct>[0], account: Parameters<typeof anAccount>[0] = {}) =>
    [1, 2].map(
      (storeId) =>
        payloadOf(anAccount({ categories, stores, ...account }), aProduct(over), storeId)?.content.categories,
    )
  const by = (value: string) => ({ overrides: [{ field: 'category' as const, locale: '', value }] })

  it('has the category that a supplier’s path is mapped to, in the language of each store', () => {
    const product = { offers: [anOffer(1, { category: 'Saws/Japanese' })] }
    expect(shown(product)).toEqual([
      [{ id: 2, path: 'Workshop > Saws › all', external_id: 'saw-1' }],
      [{ id: 2, path: 'Werkstatt > Sägen', external_id: 'saw-1' }],
    ])
    const explained = explain(compileAccount(anAccount({ categories, stores })), aProduct(product), 2)!.category
    expect(explained).toMatchObject({
      value: 'Workshop/Sawing',
      stated: 'Saws/Japanese',
      own: { id: 2, path: 'Werkstatt > Sägen', external_id: 'saw-1' },
      source: { from: 'supplier', supplierId: 1 },
    })
  })

  it('has the category of which an override is the path, letter case and blanks aside', () => {
    const offers = [anOffer(1, { category: 'Saws' })]
    expect(shown({ offers, ...by(' WORKSHOP ') })[1]).toEqual([{ id: 1, path: 'Werkstatt', external_id: null }])
    expect(shown({ offers, ...by('Workshop / sawing') })[0]).toMatchObject([{ id: 2 }])
    // an override is not mapped, and a path below a category is not in it
    expect(shown({ offers, ...by('Saws') })).toEqual([undefined, undefined])
    expect(shown({ offers, ...by('Workshop/Sawing/Japanese') })).toEqual([undefined, undefined])
  })

  it('is left out where the product is in no category of the account', () => {
    expect(shown({ offers: [anOffer(1)] })).toEqual([undefined, undefined])
    expect(shown({ offers: [anOffer(1, { category: 'Garden' })] })).toEqual([undefined, undefined])
    // an unmapped supplier path stays the supplier's, even if the account has a category of the same name
    expect(shown({ offers: [anOffer(1, { category: 'Workshop/Sawing' })] })).toEqual([undefined, undefined])
    expect(shown({ offers: [anOffer(1, { category: 'Saws' })] }, { categories: [] })).toEqual([undefined, undefined])
  })
})

describe('overridden images', () => {
  const offers = [anOffer(1, { images: ['https://i.example/1.jpg'] })]
  const images = (value: string) => ({ field: 'images' as const, locale: '', value })
  const shown = (value?: string) => {
    const account = compileAccount(anAccount())
    return explain(account, aProduct({ offers, overrides: value === undefined ? [] : [images(value)] }), 1)!.images
  }

  it('replace all suppliers’ images, in their order; an empty list shows none', () => {
    expect(shown()).toMatchObject({ value: ['https://i.example/1.jpg'], source: { from: 'supplier' } })
    expect(shown('["https://o.example/b.jpg","https://o.example/a.jpg"]')).toMatchObject({
      value: ['https://o.example/b.jpg', 'https://o.example/a.jpg'],
      source: { from: 'override', locale: '' },
    })
    expect(shown('[]')).toMatchObject({ value: [], source: { from: 'override' } })
    const product = aProduct({ offers, overrides: [images('[]')] })
    expect(payloadOf(anAccount(), product)?.content.images).toEqual([])
    const noImage = {
      ruleId: 1,
      name: '',
      reason: 'no_image',
      priority: 1,
      isActive: true,
      storeIds: null,
      kind: 'no_image' as const,
      names: null,
      supplierIds: null,
      amount: null,
      currency: null,
    }
    expect(payloadOf(anAccount({ exclusionRules: [noImage] }), product)?.content.exclusion_reason).toBe('no_image')
  })

  it.each(['', '{}', '[1]', '["a"', 'null'])('a text that is not a list of URLs (%s) is ignored', (value) => {
    expect(shown(value)).toMatchObject({ value: ['https://i.example/1.jpg'], source: { from: 'supplier' } })
  })
})

test('offers of an unknown supplier count nowhere, unlike those of an inactive one', () => {
  const gone = anOffer(2, {
    cost: '1',
    texts: { en: { title: 'Gone' } },
    manufacturer: 'Gone',
    category: 'Gone',
    images: ['https://i.example/gone.jpg'],
    attributes: [{ key: 'color', value: 'gone' }],
  })
  const product = aProduct({
    offers: [gone],
    eans: [{ ean: '96385074', isPrimary: false, supplierId: 2, supplierSku: 'S2', position: 0 }],
  })
  const listed = {
    ruleId: 1,
    storeId: 1,
    name: '',
    priority: 1,
    isActive: true,
    isListed: true,
    supplierIds: [2],
    manufacturers: null,
    categories: null,
  }
  const account = (suppliers: ReturnType<typeof aSupplier>[]) =>
    anAccount({ suppliers, stores: [aStore({ listsByDefault: false })], assortmentRules: [listed] })
  expect(payloadOf(account([aSupplier(1), aSupplier(2, { isActive: false })]), product)).toMatchObject({
    content: {
      title: 'Gone',
      manufacturer: 'Gone',
      ean: '96385074',
      images: ['https://i.example/gone.jpg'],
      attributes: [{ value: 'gone' }],
    },
    price: { prices: [], stock: 0 },
  })
  expect(payloadOf(account([aSupplier(1)]), product)).toBeNull()
  const everything = anAccount({ suppliers: [aSupplier(1)], skuPattern: '{supplier_sku|default:none}' })
  expect(payloadOf(everything, product)).toMatchObject({
    content: { sku: 'none', title: null, description: null, manufacturer: null, ean: null, images: [], attributes: [] },
    price: { prices: [], stock: 0 },
  })
  expect(explain(compileAccount(everything), product, 1)!.offers).toMatchObject([
    { supplierId: 2, supplierCode: null, ineligible: 'unknown_supplier', rank: null },
  ])
})
