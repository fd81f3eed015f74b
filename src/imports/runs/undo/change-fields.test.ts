import { expect, test } from 'vitest'
import { emptyOffer, type OfferContent } from '../../../catalog/products/offers/offer-state.ts'
import { changedFields } from './change-fields.ts'

const content: OfferContent = {
  ...emptyOffer('EUR').content,
  manufacturer: 'Bolt',
  category: null,
  texts: { en: { title: 'Spade' } },
  attributes: [{ key: 'color', value: 'red' }],
  images: ['https://a.example/1.jpg'],
}

test('names what was different before, by field, and nothing that is as it was', () => {
  const now = {
    ...content,
    manufacturer: null,
    category: 'Tools',
    texts: { en: { title: 'Shovel' }, de: { title: 'Schaufel' } },
    attributes: [{ key: 'weight', value: '2' }],
    eans: ['2'],
  }
  expect(changedFields({ content, eans: ['1'] }, now)).toEqual([
    { name: 'manufacturer', before: 'Bolt', now: null },
    { name: 'category', before: null, now: 'Tools' },
    { name: 'title.en', before: 'Spade', now: 'Shovel' },
    { name: 'attributes.color', before: 'red', now: null },
    { name: 'eans', before: '1', now: '2' },
    { name: 'title.de', before: null, now: 'Schaufel' },
    { name: 'attributes.weight', before: null, now: '2' },
  ])
  expect(changedFields({ content, eans: ['1'] }, { ...content, eans: ['1'] })).toEqual([])
})

test('what the run did not change is not compared; of an offer that is gone everything that is known was different', () => {
  expect(changedFields({}, { ...content, eans: ['1'] })).toEqual([])
  expect(changedFields({ eans: ['1'] }, { ...content, eans: ['1'] })).toEqual([])
  expect(changedFields({ eans: ['1'] }, undefined)).toEqual([{ name: 'eans', before: '1', now: null }])
})

test('long texts are cut, and not within a character', () => {
  const title = `${'x'.repeat(399)}\u{1f600}${'y'.repeat(50)}`
  const [field] = changedFields({ content: { ...content, texts: { en: { title } } } }, { ...content, eans: [] })
  expect(field?.before).toBe(`${'x'.repeat(399)} …`)
})
