import { expect, test } from 'vitest'
import { emptyOffer, offerDifference, type OfferState } from './offer-state.ts'

const offer = (changes: Partial<OfferState> = {}, content: Partial<OfferState['content']> = {}): OfferState => {
  const none = emptyOffer('EUR')
  return { ...none, ...changes, content: { ...none.content, ...content } }
}

test('equal offers differ in nothing; cost, currency and quantity are always there', () => {
  const one = offer({ cost: '10.50', quantity: 3 }, { images: ['a'], texts: { en: { title: 'T' } } })
  expect(offerDifference(one, one, 100)).toEqual({
    before: { cost: '10.5', currency: 'EUR', quantity: 3 },
    after: { cost: '10.5', currency: 'EUR', quantity: 3 },
  })
})

test('only the texts and attributes that differ are in the difference; null for one that is missing', () => {
  const before = offer(
    { eans: ['1'] },
    {
      manufacturer: 'Acme',
      texts: { en: { title: 'Old', description: 'Same' }, de: { title: 'Weg' } },
      attributes: [
        { key: 'color', value: 'red' },
        { key: 'size', value: 'L' },
      ],
    },
  )
  const after = offer(
    { eans: ['1', '2'] },
    {
      manufacturer: 'Acme',
      category: 'Tools',
      texts: { en: { title: 'New', description: 'Same' } },
      attributes: [{ key: 'color', value: 'red' }],
      images: ['x'],
    },
  )
  const { before: old, after: next } = offerDifference(before, after, 100)
  expect(old).toEqual({
    cost: null,
    currency: 'EUR',
    quantity: 0,
    eans: ['1'],
    content: {
      category: null,
      texts: { en: { title: 'Old' }, de: { title: 'Weg' } },
      attributes: [{ key: 'size', value: 'L' }],
      images: [],
    },
  })
  expect(next).toEqual({
    cost: null,
    currency: 'EUR',
    quantity: 0,
    eans: ['1', '2'],
    content: {
      category: 'Tools',
      texts: { en: { title: 'New' }, de: { title: null } },
      attributes: [],
      images: ['x'],
    },
  })
})

test('long texts are cut', () => {
  const { after } = offerDifference(offer(), offer({}, { texts: { en: { title: 'abcdef' } } }), 3)
  expect(after.content?.texts).toEqual({ en: { title: 'abc…' } })
})
