import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDecoders, UPLOAD_LANE, type Decoders } from '../../src/images/decode/decoders.ts'
import { inspectImage } from '../../src/images/decode/inspect-image.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { fileOf, picture, gifBomb, jpegBomb, plainPicture, pngBomb, RASTERS } from './pictures.ts'

let directory: string
let decoders: Decoders
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'shelfwire-inspect-'))
  decoders = openDecoders(UPLOAD_LANE, silentLog)
})
afterAll(async () => {
  await decoders.close()
  rmSync(directory, { recursive: true })
})

const inspect = (name: string, bytes: Uint8Array | string) =>
  inspectImage(decoders, fileOf(directory, name, bytes), { key: 1 })
const reasonOf = async (name: string, bytes: Uint8Array | string) => {
  const found = await inspect(name, bytes)
  return found.ok ? `is ${found.type}` : found.reason
}

describe('a picture', () => {
  test.each(RASTERS)('%s: is told by its content, whatever its name, with hash and size', async (format) => {
    const bytes = await picture(format, { width: 70, height: 40 })
    expect(await inspect('a.txt', bytes)).toEqual({
      ok: true,
      hash: createHash('sha256').update(bytes).digest('hex'),
      type: `image/${format}`,
      width: 70,
      height: 40,
      bytes: bytes.length,
    })
  })

  test('that a camera held upright has the size that is seen', async () => {
    const bytes = await sharp(await plainPicture(60, 20, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(await inspect('upright.jpg', bytes)).toMatchObject({ width: 20, height: 60 })
  })

  test('with CMYK colours, an animation and a progressive scan are pictures', async () => {
    const cmyk = await sharp(await plainPicture(60, 20, 'png'))
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    expect(await inspect('cmyk.jpg', cmyk)).toMatchObject({ ok: true, type: 'image/jpeg' })
    const progressive = await sharp(await plainPicture(60, 20, 'png'))
      .jpeg({ progressive: true })
      .toBuffer()
    expect(await inspect('progressive.jpg', progressive)).toMatchObject({ ok: true })
    const frames = await sharp(await picture('png', { width: 10, height: 30 }), { raw: undefined })
      .gif()
      .toBuffer()
    expect(await inspect('frames.gif', frames)).toMatchObject({ ok: true, type: 'image/gif' })
  })
})

describe('what is no picture', () => {
  test.each([
    ['nothing', ''],
    ['HTML', '<!doctype html><html><body><img src=x onerror=alert(1)></body></html>'],
    ['an HTML page that is well-formed XML', '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>'],
    ['text', 'GIF88a'],
    ['a PDF', '%PDF-1.4'],
    ['a TIFF', Buffer.from('49492a0008000000', 'hex')],
    ['a video', Buffer.from('000000186674797069736f6d', 'hex')],
  ])('%s is refused', async (_, bytes) => {
    expect(await reasonOf('x.jpg', bytes)).toMatch(/^(?:not_an_image|unreadable_image)$/)
  })

  test.each(RASTERS)('a %s that ends in the middle is unreadable', async (format) => {
    const bytes = await picture(format, { width: 400, height: 300 })
    for (const share of [0.1, 0.5, 0.9])
      expect(await reasonOf(`cut.${format}`, bytes.subarray(0, bytes.length * share))).toBe('unreadable_image')
  })

  test.each(RASTERS)('a %s of which only the beginning is there is unreadable', async (format) => {
    const bytes = await picture(format)
    expect(await reasonOf(`head.${format}`, bytes.subarray(0, 64))).toBe('unreadable_image')
  })
})

describe('what is too large', () => {
  test('a file of more than 25 MB is refused without being read', async () => {
    const bytes = Buffer.concat([await plainPicture(10, 10), Buffer.alloc(LIMITS.imageBytesMax)])
    expect(await reasonOf('large.png', bytes)).toBe('too_large')
  })

  test('50 megapixels pass and more do not', async () => {
    expect(await inspect('fifty.png', pngBomb(10_000, 5_000))).toMatchObject({ ok: true, width: 10_000, height: 5_000 })
    expect(await reasonOf('more.png', pngBomb(10_001, 5_000))).toBe('too_many_pixels')
    expect(await reasonOf('more.jpg', await jpegBomb(10_001, 5_000))).toBe('too_many_pixels')
  })

  test('a small file that wants much memory is refused', async () => {
    expect(await reasonOf('bomb.png', pngBomb(60_000, 60_000, 1_000))).toBe('too_many_pixels')
    expect(await reasonOf('short.png', pngBomb(7_000, 7_000, 1_000))).toBe('unreadable_image')
  })

  test('an animation counts with all its frames', async () => {
    expect(await inspect('few.gif', gifBomb(2_000, 2_000, 125))).toMatchObject({
      ok: true,
      width: 2_000,
      height: 2_000,
    })
    expect(await reasonOf('many.gif', gifBomb(2_000, 2_000, 126))).toBe('too_many_pixels')
  })
})

describe('the decoding process', () => {
  test('answers for some broken files, and decodes the next one', async () => {
    const bytes = await picture('jpeg')
    for (let i = 0; i < 20; i++) {
      const broken = Buffer.from(bytes)
      for (let j = 0; j < 20; j++) broken[20 + ((i * 7_919 + j * 104_729) % (bytes.length - 20))] = (i * 31 + j) & 0xff
      await inspect('broken.jpg', broken)
    }
    expect(await reasonOf('whole.jpg', bytes)).toBe('is image/jpeg')
  })
})
