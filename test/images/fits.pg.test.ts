import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { picture } from './pictures.ts'
import { startPictures } from './served-pictures.ts'
import { ofFile } from '../harness/world.ts'

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>')
const pictures = ofFile(startPictures)
let jpeg: string
let png: string
let gif: string
let svg: string

beforeAll(async () => {
  jpeg = await pictures.put(await striped().jpeg({ quality: 95 }).toBuffer(), 'image/jpeg')
  png = await pictures.put(await striped().png().toBuffer(), 'image/png')
  gif = await pictures.put(await picture('gif', { width: 100, height: 80 }), 'image/gif')
  svg = await pictures.put(SVG, 'image/svg+xml')
})

/** A picture of 600 x 300 pixels: red with a blue square in the middle. */
function striped() {
  const square = { create: { width: 300, height: 300, channels: 3, background: '#00f' } } as const
  return sharp({ create: { width: 600, height: 300, channels: 3, background: '#f00' } }).composite([
    { input: square, left: 150, top: 0 },
  ])
}

/** Type and size of the served picture, and the pixel in the middle of its top row, as text. */
async function seen(path: string, headers: Record<string, string> = {}) {
  const { status, headers: answered, bytes } = await pictures.get(path, headers)
  expect([path, status]).toEqual([path, 200])
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixel = (x: number, y: number) => {
    const at = (y * info.width + x) * 4
    // compression changes colours a little
    return [...data.subarray(at, at + 4)].map((value) => Math.round(value / 64) * 64).join()
  }
  return { type: answered['content-type'], size: [info.width, info.height], pixel, headers: answered }
}

const WHITE = '256,256,256,256'
const RED = '256,0,0,256'
const BLUE = '0,0,256,256'

describe('a picture that is padded', () => {
  test('has exactly the size, with a border that is white of a JPEG', async () => {
    for (const format of ['', '&format=png', '&format=webp']) {
      const made = await seen(`${jpeg}?w=400&h=400&fit=pad${format}`)
      expect(made.size).toEqual([400, 400])
      expect([made.pixel(200, 2), made.pixel(200, 397), made.pixel(20, 200), made.pixel(200, 200)]).toEqual([
        WHITE,
        WHITE,
        RED,
        BLUE,
      ])
    }
  })

  test('has a transparent border if the format allows it', async () => {
    const made = await seen(`${png}?w=400&fit=pad`)
    expect([made.size, made.pixel(200, 2).split(',')[3], made.pixel(200, 200)]).toEqual([[400, 400], '0', BLUE])
    expect((await seen(`${png}?w=400&fit=pad&format=jpeg`)).pixel(200, 2)).toBe(WHITE)
  })

  test('is not enlarged, but its border is as large as asked', async () => {
    const made = await seen(`${png}?w=1000&h=800&fit=pad`)
    expect(made.size).toEqual([1_000, 800])
    expect([made.pixel(500, 240).split(',')[3], made.pixel(500, 400), made.pixel(190, 400).split(',')[3]]).toEqual([
      '0',
      BLUE,
      '0',
    ])
  })
})

describe('a picture that is cropped', () => {
  test('has its middle in the proportions that are asked for', async () => {
    const square = await seen(`${jpeg}?w=200&fit=crop`)
    expect([square.size, square.pixel(5, 100), square.pixel(195, 100)]).toEqual([[200, 200], BLUE, BLUE])
    const wide = await seen(`${jpeg}?w=480&h=160&fit=crop`)
    expect([wide.size, wide.pixel(2, 80), wide.pixel(240, 80)]).toEqual([[480, 160], RED, BLUE])
  })

  test('is not enlarged: it is the largest part of it with these proportions', async () => {
    expect((await seen(`${jpeg}?w=1000&h=1000&fit=crop`)).size).toEqual([300, 300])
    expect((await seen(`${jpeg}?w=2000&h=64&fit=crop`)).size).toEqual([600, 19])
    expect((await seen(`${jpeg}?w=64&h=2000&fit=crop`)).size).toEqual([10, 300])
  })

  test('is cropped upright', async () => {
    const turned = await striped().jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const made = await seen(`${await pictures.put(turned, 'image/jpeg')}?w=96&h=200&fit=crop`)
    expect([made.size, made.pixel(48, 4), made.pixel(48, 100)]).toEqual([[96, 200], RED, BLUE])
  })
})

describe('other pictures', () => {
  test('a GIF is padded and cropped by its first frame', async () => {
    for (const fit of ['pad', 'crop']) {
      const made = await seen(`${gif}?w=64&h=64&fit=${fit}`)
      expect([made.type, made.size]).toEqual(['image/png', [64, 64]])
    }
  })

  test('an SVG is answered as it is, and takes part in format=auto', async () => {
    for (const query of ['w=64&fit=pad', 'w=64&h=96&fit=crop', 'format=auto', 'w=333&format=auto']) {
      const { status, bytes, headers } = await pictures.get(`${svg}?${query}`, { accept: 'image/avif' })
      expect([query, status, bytes.equals(SVG), headers['content-type']]).toEqual([query, 200, true, 'image/svg+xml'])
    }
  })

  test.each(['fit=pad', 'fit=crop&format=webp', 'fit=pad&w=401', 'fit=crop&w=64&h=65', 'fit=cover&w=64', 'fit='])(
    'are refused as %s',
    async (query) => {
      const { status, bytes } = await pictures.get(`${jpeg}?${query}`)
      expect([status, (JSON.parse(bytes.toString()) as { code: string }).code]).toEqual([400, 'invalid-parameters'])
    },
  )

  test('a size that is not made is taken as the next larger one, and has its bytes and its tag', async () => {
    const [asked, made] = [await pictures.get(`${jpeg}?w=333`), await pictures.get(`${jpeg}?w=400`)]
    expect([asked.status, asked.bytes.equals(made.bytes)]).toEqual([200, true])
    expect(asked.headers['etag']).toBe(made.headers['etag'])
  })
})

describe('format=auto', () => {
  test('has the type that the client names, and says that it depends on it', async () => {
    const path = `${jpeg}?w=96&format=auto`
    const tags = new Set<unknown>()
    for (const [accept, type] of [
      ['image/avif,image/webp,*/*;q=0.8', 'image/avif'],
      ['image/webp,*/*;q=0.8', 'image/webp'],
      ['*/*', 'image/jpeg'],
    ] as const) {
      const { headers, status, bytes } = await pictures.get(path, { accept })
      expect([status, headers['content-type'], headers['vary']]).toEqual([200, type, 'Accept'])
      const { etag = '' } = headers as { etag?: string }
      tags.add(etag)
      // one cached variant for each type, whether it was requested by Accept or by parameter
      const named = await pictures.get(`${jpeg}?w=96&format=${type.slice(6)}`)
      expect([named.headers['etag'], named.headers['vary']]).toEqual([etag, undefined])
      expect(named.bytes.equals(bytes)).toBe(true)
      for (const more of [{ 'if-none-match': etag }, { range: 'bytes=0-9' }])
        expect((await pictures.get(path, { accept, ...more })).headers['vary']).toBe('Accept')
      expect((await pictures.get(path, { accept }, 'HEAD')).headers).toMatchObject({ vary: 'Accept', etag })
    }
    expect(tags.size).toBe(3)
  })

  test('keeps the transparency of a PNG and of a GIF', async () => {
    expect((await seen(`${png}?format=auto&w=64`, { accept: '*/*' })).type).toBe('image/png')
    expect((await seen(`${gif}?format=auto`, { accept: 'image/webp' })).type).toBe('image/webp')
    expect((await seen(`${gif}?format=auto`, { accept: '*/*' })).type).toBe('image/png')
  })
})
