import { expect, test } from 'vitest'
import { OPTIONAL_NAMES, OPTIONAL_TEXTS } from '../../contract/product-fields.ts'
import type * as offerState from '../../src/catalog/products/offers/offer-state.ts'
import { emptyOffer, type OfferState, offerHash, recordHash } from '../../src/catalog/products/offers/offer-state.ts'
import type { OfferWrite } from '../../src/model/record-text.ts'
import { copyTree, LATER_FIELD } from '../harness/copied-tree.ts'

// Hashes of records and offers are stored, and an import after an upgrade compares with those of the previous release. So they
// must never change, even when a field is added that these offers do not have.

const texts = { de: { title: 'Stift', description: 'Ein Stift' }, en: { title: 'Pen' } }
const attributes = [{ key: 'color', value: 'blue' }]
const images = ['https://images.example.com/1.jpg']
const eans = ['4006381333931']

const RECORDS: readonly (readonly [OfferWrite, string])[] = [
  [
    {
      sku: 'N-1',
      eans,
      cost: '12.50',
      currency: 'EUR',
      quantity: 3,
      texts,
      manufacturer: 'Stabilo',
      category: 'Office/Pens',
      attributes,
      images,
    },
    'yniMJ0Q5RbFcTNB8gDjHv9',
  ],
  [{ sku: 'N-2' }, '153e-RaZsaYFz2FeZlTtRI'],
  [{ sku: 'N-3', cost: null, manufacturer: null, texts: null, attributes: [], images: [] }, 'l7D4wj7B7HcM9S-jV95_W4'],
  [{ sku: 'N-4', attributes: [{ key: 'size', value: 'L' }], keptAttributes: ['color'] }, 'lnKmpnrlX64t6BUr61lAjh'],
  [{ sku: 'N-5', texts: { pl: { description: null } }, keptAttributes: 'all' }, 'd31iNxp0VTxFzwWCKeN4c8'],
]

const OFFERS: readonly (readonly [OfferState, string])[] = [
  [
    {
      cost: '12.50',
      costTiers: null,
      currency: 'EUR',
      quantity: 3,
      content: { ...emptyOffer('EUR').content, manufacturer: 'Stabilo', texts, attributes, images },
      eans,
      feedHash: 'any',
    },
    '-Nbxs1TgX2saxZTq8uPZ4A',
  ],
  [emptyOffer('EUR'), 'XbRc7i5glj_GdVUqNAWvT7'],
]

test('a group of variants is in the hash of those alone that have one', () => {
  const [[record], [offer]] = [RECORDS[1]!, OFFERS[1]!]
  const group = { key: 'tee', title: { en: 'Tee', de: 'Shirt' }, options: [], position: null }
  const other = { ...group, title: { de: 'Shirt', en: 'Tee' } }
  const withGroup = (state: OfferState, of: typeof group | null) => ({
    ...state,
    content: { ...state.content, group: of },
  })
  expect(
    new Set([recordHash(record), recordHash({ ...record, group: null }), recordHash({ ...record, group })]).size,
  ).toBe(3)
  expect(recordHash({ ...record, group: other })).toBe(recordHash({ ...record, group }))
  expect(offerHash(withGroup(offer, null))).toBe(offerHash(offer))
  expect(offerHash(withGroup(offer, group))).not.toBe(offerHash(offer))
  expect(offerHash(withGroup(offer, other))).toBe(offerHash(withGroup(offer, group)))
})

test('tiers of a cost are in the hashes of those alone that have some', () => {
  const [[record], [offer]] = [RECORDS[1]!, OFFERS[1]!]
  const costTiers = [{ quantity: 10, cost: '9.2' }]
  const hashes = [record, { ...record, costTiers: null }, { ...record, costTiers }].map(recordHash)
  expect(new Set(hashes).size).toBe(3)
  expect(recordHash({ ...record, costTiers: [] })).toBe(hashes[1])
  expect(recordHash({ ...record, costTiers: [{ cost: '9.20', quantity: 10 }] })).toBe(hashes[2])
  expect(offerHash({ ...offer, costTiers: null })).toBe(offerHash(offer))
  expect(offerHash({ ...offer, costTiers })).not.toBe(offerHash(offer))
  expect(offerHash({ ...offer, costTiers: [{ cost: '9.20', quantity: 10 }] })).toBe(offerHash({ ...offer, costTiers }))
})

test('records and offers have the hashes that earlier releases have stored', () => {
  expect(RECORDS.map(([record]) => recordHash(record))).toEqual(RECORDS.map(([, hash]) => hash))
  expect(OFFERS.map(([offer]) => offerHash(offer))).toEqual(OFFERS.map(([, hash]) => hash))
})

test('facts of an article are in the hashes of what has them, and null of one clears it', () => {
  const known = RECORDS[1]?.[0] ?? { sku: '' }
  const hashes = [
    ...OPTIONAL_NAMES.flatMap((field) => [{ [field]: 'A' }, { [field]: null }]),
    ...OPTIONAL_TEXTS.flatMap((field) => [{ texts: { en: { [field]: 'A' } } }, { texts: { en: { [field]: null } } }]),
  ].map((facts) => recordHash({ ...known, ...facts }))
  expect(new Set([...hashes, recordHash(known)]).size).toBe(hashes.length + 1)
  const empty = emptyOffer('EUR')
  const offers = [
    ...OPTIONAL_NAMES.map((field) => ({ [field]: 'A' })),
    ...OPTIONAL_TEXTS.map((field) => ({ texts: { en: { [field]: 'A' } } })),
  ].map((facts) => offerHash({ ...empty, content: { ...empty.content, ...facts } }))
  expect(new Set([...offers, offerHash(empty)]).size).toBe(offers.length + 1)
})

test('a field that a later release adds changes no hash of what does not have it, and every hash of what has it', async () => {
  await using copy = await copyTree(
    [
      'contract/product-fields.ts',
      'contract/rule-conditions.ts',
      'contract/field-names.ts',
      'src/catalog/products/offers/offer-state.ts',
      'src/model',
      'src/platform/must.ts',
      'src/platform/text/text-hash.ts',
      'tsconfig.json',
    ],
    LATER_FIELD,
  )
  const later = await copy.import<typeof offerState>('src/catalog/products/offers/offer-state.ts')
  expect(later.emptyOffer('EUR').content).toHaveProperty('later', null)
  expect(RECORDS.map(([record]) => later.recordHash(record))).toEqual(RECORDS.map(([, hash]) => hash))
  for (const none of [{}, { later: null }])
    expect(OFFERS.map(([offer]) => later.offerHash({ ...offer, content: { ...offer.content, ...none } }))).toEqual(
      OFFERS.map(([, hash]) => hash),
    )
  const [[record] = []] = RECORDS
  const [[offer] = []] = OFFERS
  if (record === undefined || offer === undefined) throw new Error('there are records and offers')
  // null clears the field, unlike an absent member
  const stated = [undefined, null, 'A', 'B'].map((value) => later.recordHash({ ...record, later: value } as OfferWrite))
  expect(new Set(stated).size).toBe(4)
  const kept = [null, 'A', 'B'].map((value) =>
    later.offerHash({ ...offer, content: { ...offer.content, later: value } as OfferState['content'] }),
  )
  expect(new Set(kept).size).toBe(3)
})
