import { describe, expect, test } from 'vitest'
import { anAccount, anOffer, aProduct, payloadOf } from '../fixtures.ts'
import { namedImages, resolveImages, shownImages } from './images.ts'
import type { ImageInput } from '../inputs.ts'

const BASE = 'https://pictures.example/base'
const PENDING: ImageInput = { state: 'pending', path: null, reason: null, copy: null }
const FAILED: ImageInput = { state: 'pending', path: null, reason: 'timeout', copy: null }
const MIRRORED: ImageInput = {
  state: 'mirrored',
  path: '/images/aa.jpg',
  reason: null,
  copy: { hash: 'aa', type: 'image/jpeg', width: 3, height: 2 },
}
const DEAD: ImageInput = { state: 'dead', path: null, reason: 'gone', copy: null }

const shown = (known: Record<string, ImageInput>, urls: readonly string[], base: string | null = BASE) =>
  shownImages(resolveImages(base, known, urls))

describe('the three rules of the contract', () => {
  test('a mirrored picture is shown by our URL, one that is not by its original, a dead one not at all; in order', () => {
    const known = { 'https://a/1': DEAD, 'https://a/2': MIRRORED, 'https://a/3': PENDING, 'https://a/4': FAILED }
    expect(shown(known, ['https://a/4', 'https://a/3', 'https://a/2', 'https://a/1', 'https://a/0'])).toEqual([
      'https://a/4',
      'https://a/3',
      `${BASE}/images/aa.jpg`,
      'https://a/0',
    ])
  })

  test('where pictures are not mirrored, every one is shown by its original, whatever was known of it', () => {
    const known = { 'https://a/1': DEAD, 'https://a/2': MIRRORED }
    expect(shown(known, ['https://a/1', 'https://a/2'], null)).toEqual(['https://a/1', 'https://a/2'])
  })

  test('what would end a tag or a string of a page is percent-encoded in originals, once in a list; all else is as given', () => {
    const urls = [
      `https://a/o'b<"x">\`.png?q='1'`,
      'https://a/o%27b%3C%22x%22%3E%60.png?q=%271%27',
      'https://a/(1),ü&{}|^[2]%20%27.png#x',
    ]
    const served = ['https://a/o%27b%3C%22x%22%3E%60.png?q=%271%27', 'https://a/(1),ü&{}|^[2]%20%27.png#x']
    expect(shown({}, urls)).toEqual(served)
    expect(shown({}, urls, null)).toEqual(served)
    // a list without such characters is unchanged
    expect(shown({}, ['https://a/1', 'https://a/1'], null)).toEqual(['https://a/1', 'https://a/1'])
    // and the state of a picture is found by its URL as given
    expect(shown({ [`https://a/o'b.png`]: MIRRORED }, [`https://a/o'b.png`])).toEqual([`${BASE}/images/aa.jpg`])
  })

  test('two originals with the same bytes are one picture', () => {
    const known = { 'https://a/1': MIRRORED, 'https://a/2': MIRRORED }
    expect(shown(known, ['https://a/1', 'https://a/2'])).toEqual([`${BASE}/images/aa.jpg`])
  })

  test('the fragment of a URL has no state of its own, and stays in the original', () => {
    expect(shown({ 'https://a/1': DEAD }, ['https://a/1#large'])).toEqual([])
    expect(shown({ 'https://a/1': PENDING }, ['https://a/1#large'])).toEqual(['https://a/1#large'])
  })

  test('a name that every object has is not a state', () => {
    expect(shown({}, ['constructor', '__proto__'])).toEqual(['constructor', '__proto__'])
  })
})

test('a product of which all pictures are dead has none, for rules on exclusion too', () => {
  const account = {
    ...anAccount(),
    imageBase: BASE,
    exclusionRules: [
      {
        ruleId: 1,
        name: 'No picture',
        reason: 'no picture',
        priority: 1,
        isActive: true,
        storeIds: null,
        kind: 'no_image' as const,
        names: null,
        supplierIds: null,
        amount: null,
        currency: null,
      },
    ],
  }
  const product = aProduct({ offers: [anOffer(1, { images: ['https://a/1'] })] })
  const read = (image: ImageInput) => payloadOf(account, { ...product, images: { 'https://a/1': image } })?.content
  expect(read(PENDING)).toMatchObject({ images: ['https://a/1'], exclusion_reason: null })
  expect(read(DEAD)).toMatchObject({ images: [], exclusion_reason: 'no picture' })
})

test('all pictures of offers and overrides are named, each once and without its fragment; of a deleted product none', () => {
  const product = aProduct({
    offers: [anOffer(1, { images: ['https://a/1', 'https://a/1#x'] }), anOffer(2, { images: ['https://a/2'] })],
    overrides: [
      { field: 'images', locale: '', value: '["https://a/3"]' },
      { field: 'title', locale: 'en', value: '["https://a/4"]' },
    ],
  })
  expect([...namedImages(product)]).toEqual(['https://a/1', 'https://a/2', 'https://a/3'])
  expect([...namedImages({ ...product, isDeleted: true })]).toEqual([])
})
