import { describe, expect, test } from 'vitest'
import { IMAGE_SIZES } from '../../../contract/routes/images.ts'
import { acceptedFormat, variantOf } from './variant.ts'

const HASH = 'a'.repeat(64)
const made = (wanted: Parameters<typeof variantOf>[2]) => {
  const variant = variantOf(HASH, 'image/jpeg', wanted)
  return variant === null ? null : [variant.width, variant.height, variant.name.slice(65)]
}

describe('variantOf', () => {
  test('takes another size as the next larger one that is made', () => {
    expect(made({ width: 1 })).toEqual([64, 2_000, '64x2000-1.jpg'])
    expect(made({ width: 401, height: 64 })).toEqual([480, 64, '480x64-1.jpg'])
    expect(made({ height: 1_999 })).toEqual([2_000, 2_000, '2000x2000-1.jpg'])
    const widths = new Set(Array.from({ length: 2_000 }, (_, i) => made({ width: i + 1 })?.[0]))
    expect(widths.size).toBe(IMAGE_SIZES.length)
  })

  test('makes a square from one edge if the proportions are to be exact', () => {
    expect(made({ width: 400, fit: 'crop' })).toEqual([400, 400, '400x400-crop-1.jpg'])
    expect(made({ height: 96, fit: 'pad' })).toEqual([96, 96, '96x96-pad-1.jpg'])
    expect(made({ width: 400, height: 200, fit: 'pad', format: 'webp' })).toEqual([400, 200, '400x200-pad-1.webp'])
  })

  test('keeps the names of files that were made before there were other ways to fit', () => {
    expect(made({ width: 400, height: 200, fit: 'inside' })).toEqual([400, 200, '400x200-1.jpg'])
    expect(made({ format: 'png' })).toEqual([2_000, 2_000, '2000x2000-1.png'])
  })

  test('leaves an SVG, and a picture of which nothing is asked, as it is', () => {
    expect(variantOf(HASH, 'image/svg+xml', { width: 64, fit: 'pad', format: 'webp' })).toBeNull()
    expect(made({})).toBeNull()
  })
})

test.each([
  // Chrome, Firefox, Safari
  ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'image/jpeg', 'avif'],
  ['image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', 'image/png', 'avif'],
  ['image/webp,image/png,image/*;q=0.8', 'image/gif', 'webp'],
  ['IMAGE/WEBP ; q=0.5 , */*;q=0.1', 'image/jpeg', 'webp'],
  // the type with the greater weight
  ['image/avif;q=0.2,image/webp;q=0.9', 'image/jpeg', 'webp'],
  ['image/avif;q=0.2,image/jpeg', 'image/jpeg', 'jpeg'],
  ['image/avif;q=0,image/webp;q=0', 'image/jpeg', 'jpeg'],
  // clients that name neither AVIF nor WebP
  ['image/*,*/*;q=0.8', 'image/jpeg', 'jpeg'],
  ['*/*', 'image/png', 'png'],
  ['*/*', 'image/gif', 'png'],
  ['*/*', 'image/webp', 'jpeg'],
  ['', 'image/avif', 'jpeg'],
  [undefined, 'image/jpeg', 'jpeg'],
  ['image/avif;q=nonsense,;;,', 'image/jpeg', 'jpeg'],
] as const)('a client that sends Accept: %s gets of an %s the type %s', (accept, source, format) => {
  expect(acceptedFormat(accept, source)).toBe(format)
})
