import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  forEachField,
  isDimension,
  isNameField,
  isOptional,
  isTextField,
  type DimensionField,
  type OptionalField,
} from '../../contract/product-fields.ts'
import { CONTENT_MEMBERS } from '../../contract/schemas.ts'
import { Exact } from '../model/money.ts'
import type { ContentHalf, Price } from '../model/payload.ts'
import { anAccount, aProduct, payloadOf } from '../resolve/fixtures.ts'
import { RESOLVER_VERSION } from '../resolve/resolve.ts'
import { contentEncoder, encodeContent, encodedPrices, encodePrice, shownPrices, tagOf } from './encode.ts'
import { historyIn } from './inputs/inputs.sql.ts'

type OptionalMember = Exclude<OptionalField, DimensionField>

const SEED = { seed: Number(process.env['SEED'] ?? 8_259), numRuns: 500 }
const AWKWARD = [
  '"',
  '\\',
  '\\u0041',
  '\n\r\t\b\f',
  '\0\u0001\u001f\u007f',
  '\u2028\u2029',
  '</script>',
  'zażółć 日本語 🪣',
  '\u00a0',
  '\ud800',
  '{"a":1}',
  "'",
]

const bare = payloadOf(anAccount(), aProduct({ productId: 7, sku: null }))!.content
const content: ContentHalf = { ...bare, excluded: false, exclusion_reason: null }
const entry = (baseCost: string, computedPrice: string, over: Partial<Price> = {}): Price => ({
  groupId: 1,
  group: 'Retail',
  baseCost: new Exact(baseCost),
  computedPrice: new Exact(computedPrice),
  currency: 'EUR',
  ruleId: 3,
  isDefault: null,
  compareAtPrice: null,
  sale: null,
  tax: null,
  tiers: [],
  unitPrice: null,
  ...over,
})
/** As an answer carries it: members between braces. */
const parsed = (members: string): unknown => JSON.parse(`{${members}}`)

it('a price has its tiers last, by quantity, and none where there are none', () => {
  const tiers = [
    { quantity: 10, price: new Exact('9.50') },
    { quantity: 1_000_000, price: new Exact('0.000001') },
  ]
  const text = encodePrice({ prices: [entry('8', '10', { tiers })], stock: 1 })
  expect(text).toContain(
    '"applied_rule_id":3,"tiers":[{"quantity":10,"price":9.5},{"quantity":1000000,"price":0.000001}]}]',
  )
  expect(encodePrice({ prices: [entry('8', '10')], stock: 1 })).not.toContain('tiers')
})

describe('the prices of a stored half are read again', () => {
  const amounts = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.nat({ max: 6 }))
  const amount = amounts.map(([units, digits]) => new Exact(units.toString()).dividedBy(new Exact(10).pow(digits)))
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
  const price = fc
    .record({
      groupId: fc.integer({ min: 1, max: 2 ** 40 }),
      group: fc.oneof(fc.constantFrom(...AWKWARD, '"computed_price":1,"customer_group_id":9'), fc.string()),
      baseCost: amount,
      computedPrice: amount,
      currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
      ruleId: fc.nat(),
      isDefault: maybe(fc.boolean()),
      compareAtPrice: maybe(amount),
      tax: maybe(fc.constant({ isIncluded: true, rate: null, taxClass: '"is_sale":true' })),
      sale: maybe(fc.record({ beginsOn: fc.constant(null), endsOn: fc.constant('2026-12-31'), lowest: maybe(amount) })),
    })
    .map((over) => entry('1', '1', { ...over, tiers: [{ quantity: 2, price: new Exact('0.5') }] }))

  it('each group, currency and rule, with the amounts as texts, without the sale', () => {
    fc.assert(
      fc.property(fc.array(price, { maxLength: 4 }), (prices) => {
        expect(encodedPrices(encodePrice({ prices, stock: 3 }))).toEqual(
          prices.map(({ groupId, currency, ruleId, sale, compareAtPrice, computedPrice }) => ({
            groupId,
            currency,
            ruleId,
            regularPrice: (sale === null ? computedPrice : (compareAtPrice ?? computedPrice)).toFixed(),
          })),
        )
      }),
      SEED,
    )
  })
})

describe('the content half', () => {
  it('has the members of the contract in the contract’s order, of this version of the resolver', () => {
    // stored payloads get another member by a sweep, which another version begins
    expect([
      RESOLVER_VERSION,
      encodeContent({
        ...content,
        sku: 'A',
        attributes: [{ key: 'c', label: 'C', value: 'red' }],
        images: ['https://i.example/a.jpg'],
      }),
    ]).toEqual([
      9,
      '"id":7,"sku":"A","ean":null,"title":null,"description":null,"manufacturer":null,"images":["https://i.example/a.jpg"],"store":"main"' +
        ',"excluded":false,"exclusion_reason":null,"attributes":[{"key":"c","label":"C","value":"red"}]',
    ])
  })

  it('has an optional member only where the product has a value: without any it is what the release before wrote', () => {
    // in the contract's order
    const optional = Object.keys(CONTENT_MEMBERS).filter(
      (name): name is OptionalMember =>
        (isNameField(name) || isTextField(name)) && isOptional(name) && !isDimension(name),
    )
    expect(optional).toEqual(expect.arrayContaining(['mpn', 'delivery_time', 'net_content']))
    const written = (names: readonly OptionalMember[]) => names.map((name) => `,"${name}":"A ${name}"`).join('')
    for (const name of optional)
      expect(encodeContent({ ...content, [name]: `A ${name}` })).toBe(encodeContent(content) + written([name]))
    expect(encodeContent({ ...content, ...forEachField(optional.toReversed(), (name) => `A ${name}`) })).toBe(
      encodeContent(content) + written(optional),
    )
    const group = { id: 1, key: 'tee', title: null, position: 0, options: [] }
    expect(encodeContent({ ...content, group })).toBe(
      `${encodeContent(content)},"group":{"id":1,"key":"tee","title":null,"position":0,"options":[]}`,
    )
    expect(encodeContent({ ...content, group, dimensions: { length: '30', height: '10' } })).toBe(
      `${encodeContent({ ...content, group })},"dimensions":{"length":"30","height":"10"}`,
    )
    expect(encodeContent({ ...content, eans: ['4006381333931'] })).toBe(
      `${encodeContent(content)},"eans":["4006381333931"]`,
    )
    const categories = [{ id: 2, path: 'A > B', external_id: null }]
    expect(encodeContent({ ...content, group, categories })).toBe(
      `${encodeContent({ ...content, group })},"categories":[{"id":2,"path":"A > B","external_id":null}]`,
    )
  })

  it('is the same text for each store of a product in turn as for that store alone', () => {
    const stores: ContentHalf[] = [
      content,
      { ...content, store: 'uk', title: null },
      { ...content, store: 'pl', eans: ['1'] },
      { ...content, store: 'fr', images: [...content.images, 'https://a/2.jpg'] },
      { ...content, store: 'es', eans: ['1', '2'] },
      { ...content, store: 'it', title: '' },
    ]
    const encode = contentEncoder()
    expect(stores.map(encode)).toEqual(stores.map(encodeContent))
  })

  it(`parses to what was given, whatever the text (SEED=${SEED.seed})`, () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...AWKWARD))
    const anything: fc.Arbitrary<ContentHalf> = fc.record({
      id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      sku: fc.option(text),
      ean: fc.option(text),
      title: fc.option(text),
      description: fc.option(text),
      manufacturer: fc.option(text),
      images: fc.array(text),
      store: text,
      excluded: fc.boolean(),
      exclusion_reason: fc.option(text),
      attributes: fc.array(fc.record({ key: text, label: text, value: text }, { noNullPrototype: true })),
    })
    fc.assert(
      fc.property(anything, (half) => {
        expect(parsed(encodeContent(half))).toEqual(half)
      }),
      SEED,
    )
  })

  it('escapes every control character, so that a body is one line', () => {
    const body = encodeContent({ ...content, title: AWKWARD.join('') })
    expect([...body].every((sign) => sign >= ' ')).toBe(true)
    expect(body.isWellFormed()).toBe(true)
  })
})

describe('the price half', () => {
  it('has the members of the contract in the contract’s order', () => {
    expect(
      encodePrice({ prices: [entry('8.00', '10.50'), entry('8', '9', { groupId: 2, group: 'a"b' })], stock: 12 }),
    ).toBe(
      '"prices":[{"customer_group_id":1,"customer_group":"Retail","base_cost":8,"computed_price":10.5,"currency":"EUR","applied_rule_id":3}' +
        ',{"customer_group_id":2,"customer_group":"a\\"b","base_cost":8,"computed_price":9,"currency":"EUR","applied_rule_id":3}],"stock":12',
    )
    expect(encodePrice({ prices: [], stock: 0 })).toBe('"prices":[],"stock":0')
    // where there is a list price above it
    const unitPrice = { value: new Exact('12.00'), unit: 'ml', referenceQuantity: new Exact('100') } as const
    expect(encodePrice({ prices: [entry('8', '9', { unitPrice })], stock: 0 })).toBe(
      '"prices":[{"customer_group_id":1,"customer_group":"Retail","base_cost":8,"computed_price":9,"currency":"EUR","applied_rule_id":3,"unit_price":{"value":12,"unit":"ml","reference_quantity":100}}],"stock":0',
    )
    expect(encodePrice({ prices: [entry('8', '9', { compareAtPrice: new Exact('12.50') })], stock: 0 })).toBe(
      '"prices":[{"customer_group_id":1,"customer_group":"Retail","base_cost":8,"computed_price":9,"currency":"EUR","applied_rule_id":3,"compare_at_price":12.5}],"stock":0',
    )
    // where the account has chosen that prices say which is the public one
    const marked = [entry('8', '9', { isDefault: true }), entry('8', '8.5', { groupId: 2, isDefault: false })]
    expect(encodePrice({ prices: marked, stock: 0 })).toBe(
      '"prices":[{"customer_group_id":1,"customer_group":"Retail","base_cost":8,"computed_price":9,"currency":"EUR","applied_rule_id":3,"is_default":true}' +
        ',{"customer_group_id":2,"customer_group":"Retail","base_cost":8,"computed_price":8.5,"currency":"EUR","applied_rule_id":3,"is_default":false}],"stock":0',
    )
  })

  it.each([
    ['19.99', '19.99'],
    ['0.1', '0.1'],
    ['0.30', '0.3'],
    ['1.005', '1.005'],
    ['100', '100'],
    ['0', '0'],
    ['-0', '0'],
    ['0.001', '0.001'],
    ['1000000000000000000000', '1000000000000000000000'],
    ['1000000999998999999999.99', '1000000999998999999999.99'],
    ['0.0000001', '0.0000001'],
  ])('%s is written as %s, digit by digit, without an exponent', (amount, text) => {
    expect(encodePrice({ prices: [entry(amount, amount)], stock: 0 })).toContain(
      `"base_cost":${text},"computed_price":${text},"currency"`,
    )
  })

  it(`the number written is exactly the number given (SEED=${SEED.seed})`, () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 21n), fc.constantFrom(0, 2, 3), (units, digits) => {
        const body = encodePrice({
          prices: [entry('0', new Exact(String(units)).dividedBy(10 ** digits).toFixed())],
          stock: 0,
        })
        const written = /"computed_price":([^,]+),/.exec(body)?.[1] ?? ''
        expect(written).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/)
        const [whole = '', fraction = ''] = written.split('.')
        expect(BigInt(whole + fraction.padEnd(digits, '0'))).toBe(units)
      }),
      SEED,
    )
  })
})

it('the prices alone are the currency and each group with its price, as the payload writes it', () => {
  expect(shownPrices([entry('8', '19.990'), entry('8', '18.5', { groupId: 2, ruleId: 4 })])).toBe('EUR 1:19.99 2:18.5')
  expect(shownPrices([entry('8', '0', { currency: 'JPY' })])).toBe('JPY 1:0')
  expect(shownPrices([])).toBe('')
})

it('a tag is 16 characters of SHA-512 in base64url, equal for equal bodies only', () => {
  // printf abc | sha512sum: ddaf35a1 93617aba cc417349 ae204131 …; its first 12 bytes
  expect(tagOf('abc')).toBe(Buffer.from('ddaf35a193617abacc417349', 'hex').toString('base64url'))
  expect(new Set([...AWKWARD, 'abc', 'abd', ''].filter((text) => text.isWellFormed()).map(tagOf)).size).toBe(
    AWKWARD.length + 2,
  )
})

it('what prices were before is read from its text, of stores that list the product and of others', () => {
  expect(historyIn('1 2026-11-20 EUR 1:19.99 2:18.5\x1e1 2026-11-21\x1e12 2026-11-22 ')).toEqual([
    { storeId: 1, from: '2026-11-20', shown: 'EUR 1:19.99 2:18.5' },
    { storeId: 1, from: '2026-11-21', shown: null },
    // listed, and without a price
    { storeId: 12, from: '2026-11-22', shown: '' },
  ])
})
