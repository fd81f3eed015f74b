import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { get as open, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { IMAGE_SIZES } from '../../contract/routes/images.ts'
import { startS3 } from '../harness/s3-server.ts'
import { picture } from './pictures.ts'
import { startPictures, type PictureService } from './served-pictures.ts'
import { ofFile } from '../harness/world.ts'

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>')
const ABSENT = '0'.repeat(64)
const s3 = ofFile(startS3)
const onDisk = ofFile(startPictures)
const onS3 = ofFile(() =>
  startPictures({
    S3_ENDPOINT: s3.settings.endpoint,
    S3_REGION: s3.settings.region,
    S3_BUCKET: s3.settings.bucket,
    S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
  }),
)
let jpeg: Buffer
beforeAll(async () => {
  jpeg = await picture('jpeg', { width: 600, height: 400 })
})
const codeOf = (bytes: Buffer) => (JSON.parse(bytes.toString()) as { code: string }).code

describe.each([
  ['disk', () => onDisk],
  ['S3', () => onS3],
])('a picture on %s', (_, serviceOf) => {
  let pictures: PictureService
  let path: string
  beforeAll(async () => {
    pictures = serviceOf()
    path = await pictures.put(jpeg, 'image/jpeg')
  })

  test('is served without a token, to be kept for ever, and can do nothing', async () => {
    const { status, headers, bytes } = await pictures.get(path)
    expect(status).toBe(200)
    expect(bytes).toEqual(jpeg)
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(jpeg.length),
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${createHash('sha256').update(jpeg).digest('hex')}"`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*; sandbox$/)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['vary']).toBeUndefined()
  })

  test('is the same with any token, also a wrong one', async () => {
    expect((await pictures.get(path, { authorization: 'Bearer sw_wrong' })).status).toBe(200)
  })

  test('answers HEAD with the headers of GET and no bytes', async () => {
    const got = await pictures.get(path)
    const head = await pictures.get(path, {}, 'HEAD')
    const comparable = ({ headers }: typeof got) => ({ ...headers, date: '', 'x-request-id': '' })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(comparable(head)).toEqual(comparable(got))
  })

  test('answers 304 to who has it', async () => {
    const { etag = '' } = (await pictures.get(path)).headers as { etag?: string }
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, bytes, headers } = await pictures.get(path, { 'if-none-match': known })
      expect([known, status, bytes.length, headers['etag']]).toEqual([known, 304, 0, etag])
      expect((await pictures.get(path, { 'if-none-match': known }, 'HEAD')).status).toBe(304)
    }
    expect((await pictures.get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await pictures.get(`/images/${ABSENT}.jpg`, { 'if-none-match': `"${ABSENT}"` })).status).toBe(404)
  })

  test('is served in parts', async () => {
    const size = jpeg.length
    for (const [range, first, last] of [
      ['bytes=0-99', 0, 99],
      ['bytes=100-100', 100, 100],
      [`bytes=${size - 5}-`, size - 5, size - 1],
      ['bytes=-7', size - 7, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
      [`bytes=10-${size * 2}`, 10, size - 1],
    ] as const) {
      const { status, headers, bytes } = await pictures.get(path, { range })
      expect([range, status, headers['content-range']]).toEqual([range, 206, `bytes ${first}-${last}/${size}`])
      expect(headers['content-length']).toBe(String(last - first + 1))
      expect(bytes.equals(jpeg.subarray(first, last + 1))).toBe(true)
    }
  })

  test('is served whole if the range is not understood, and answered with 416 if there is no such part', async () => {
    for (const range of ['bytes=5-2', 'bytes=a-b', 'lines=0-5', 'bytes=0-5,7-9', 'bytes=-', 'bytes', ''])
      expect([range, (await pictures.get(path, { range })).status]).toEqual([range, 200])
    for (const range of [`bytes=${jpeg.length}-`, 'bytes=-0', `bytes=${jpeg.length + 5}-${jpeg.length + 9}`]) {
      const { status, headers, bytes } = await pictures.get(path, { range })
      expect([range, status, headers['content-range']]).toEqual([range, 416, `bytes */${jpeg.length}`])
      expect(codeOf(bytes)).toBe('range-not-satisfiable')
    }
    // HEAD has no parts
    expect((await pictures.get(path, { range: 'bytes=0-5' }, 'HEAD')).headers['content-length']).toBe(
      String(jpeg.length),
    )
  })

  test('is served in part only to who has the other part of the same', async () => {
    const { etag = '' } = (await pictures.get(path)).headers as { etag?: string }
    const range = 'bytes=0-9'
    expect((await pictures.get(path, { range, 'if-range': etag })).status).toBe(206)
    expect((await pictures.get(path, { range, 'if-range': '"other"' })).status).toBe(200)
    expect((await pictures.get(path, { range, 'if-range': `W/${etag}` })).status).toBe(200)
  })

  test('is not there under another hash, type, name or path', async () => {
    const hash = path.slice(8, 72)
    for (const other of [
      `/images/${ABSENT}.jpg`,
      `/images/${hash}.png`,
      `/images/${hash}.svg`,
      `/images/${hash}.jpeg`,
      `/images/${hash}.JPG`,
      `/images/${hash}`,
      `/images/${hash.toUpperCase()}.jpg`,
      `/images/${hash}.jpg.`,
      `/images/${hash}.jpg%00`,
      `/images/x/${hash}.jpg`,
      `/images/../images/${hash}.jpg`,
      `/images/..%2f..%2f${hash}.jpg`,
      '/images/..%2f..%2f..%2f..%2fetc%2fpasswd',
      '/images/%2e%2e/%2e%2e/secret.key',
      '/images/secret.key',
      '/images/',
      '/images',
    ]) {
      const { status, headers } = await pictures.get(other)
      expect([other, status, headers['content-type']]).toEqual([other, 404, 'application/problem+json'])
      expect(headers['cache-control']).toBe('no-store')
    }
    expect((await pictures.get(path, {}, 'POST')).headers['allow']).toBe('GET, HEAD')
  })

  test('that is an SVG is served as one, whatever size is asked for, and is not converted', async () => {
    const svg = await pictures.put(SVG, 'image/svg+xml')
    for (const query of ['', '?w=400', '?h=64&w=64']) {
      const { status, headers, bytes } = await pictures.get(svg + query)
      expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
      expect(bytes).toEqual(SVG)
      expect(headers['content-security-policy']).toContain('sandbox')
    }
    const converted = await pictures.get(`${svg}?format=png`)
    expect([converted.status, codeOf(converted.bytes)]).toEqual([400, 'invalid-parameters'])
  })

  test('is made smaller and converted', async () => {
    for (const [query, type, width, height] of [
      ['?w=240', 'jpeg', 240, 160],
      ['?h=64', 'jpeg', 96, 64],
      ['?w=240&h=64&format=webp', 'webp', 96, 64],
      ['?format=png', 'png', 600, 400],
      ['?w=2000&format=webp', 'webp', 600, 400],
      ['?w=64&format=avif', 'heif', 64, 43],
    ] as const) {
      const { status, headers, bytes } = await pictures.get(path + query)
      const made = await sharp(bytes).metadata()
      expect([query, status, made.format, made.width, made.height]).toEqual([query, 200, type, width, height])
      expect(headers['content-type']).toBe(`image/${type === 'heif' ? 'avif' : type}`)
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    }
  })

  test('has a tag for each size, and parts of them', async () => {
    const small = await pictures.get(`${path}?w=96`)
    const { etag = '' } = small.headers as { etag?: string }
    expect(etag).not.toBe((await pictures.get(path)).headers['etag'])
    expect((await pictures.get(`${path}?w=96`, { 'if-none-match': etag })).status).toBe(304)
    expect((await pictures.get(`${path}?w=128`, { 'if-none-match': etag })).status).toBe(200)
    const part = await pictures.get(`${path}?w=96`, { range: 'bytes=2-9' })
    expect([part.status, part.bytes]).toEqual([206, small.bytes.subarray(2, 10)])
    const head = await pictures.get(`${path}?w=96`, {}, 'HEAD')
    expect([head.headers['content-length'], head.bytes.length]).toEqual([String(small.bytes.length), 0])
  })

  test.each(['w=2001', 'w=0', 'w=-64', 'h=4000', 'w=64.0', 'w=64&w=96', 'format=gif', 'format=JPEG', 'width=64', 'w='])(
    'is refused as %s',
    async (query) => {
      const { status, bytes } = await pictures.get(`${path}?${query}`)
      expect([status, codeOf(bytes)]).toEqual([400, 'invalid-parameters'])
    },
  )

  test('takes no notice of parameters that others add', async () => {
    expect((await pictures.get(`${path}?v=2&utm_source=mail`)).bytes).toEqual(jpeg)
  })

  test('has no smaller size if the picture does not exist', async () => {
    expect((await pictures.get(`/images/${ABSENT}.jpg?w=64`)).status).toBe(404)
    expect((await pictures.get(`/images/${path.slice(8, 72)}.webp?w=64`)).status).toBe(404)
  })
})

describe('a picture', () => {
  test('is made smaller once, however many ask at once', async () => {
    const bytes = await picture('png', { width: 900, height: 700, seed: 50 })
    const path = await onS3.put(bytes, 'image/png')
    s3.seen.length = 0
    const answers = await Promise.all(Array.from({ length: 50 }, () => onS3.get(`${path}?w=640&format=webp`)))
    expect(new Set(answers.map(({ status, bytes: made }) => `${status} ${made.toString('base64')}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    // the original was read only once, so the variant was made only once
    expect(s3.seen).toEqual([`GET ${path.slice(1)}`])
    await onS3.get(`${path}?w=640&format=webp`)
    expect(s3.seen).toHaveLength(1)
  })

  test('that is an animation has its first frame', async () => {
    const gif = await picture('gif', { width: 100, height: 80 })
    const { headers, bytes } = await onDisk.get(`${await onDisk.put(gif, 'image/gif')}?w=64`)
    expect([headers['content-type'], (await sharp(bytes).metadata()).width]).toEqual(['image/png', 64])
  })

  test('is upright, and does not contain the place where it was taken', async () => {
    const turned = await sharp(await picture('jpeg', { width: 200, height: 100 }))
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { bytes } = await onDisk.get(`${await onDisk.put(turned, 'image/jpeg')}?w=96`)
    const made = await sharp(bytes).metadata()
    expect([made.width, made.height, made.exif, made.orientation]).toEqual([96, 192, undefined, undefined])
  })

  test('that cannot be decoded has no other size, and is not tried again and again', async () => {
    const path = await onS3.put(Buffer.concat([jpeg.subarray(0, 500), Buffer.from('cut')]), 'image/jpeg')
    const first = await onS3.get(`${path}?w=64`)
    expect([first.status, codeOf(first.bytes)]).toEqual([503, 'image-unavailable'])
    s3.seen.length = 0
    const second = await onS3.get(`${path}?w=64`)
    expect([second.status, second.headers['retry-after']]).toEqual([503, '600'])
    expect(s3.seen).toEqual([])
    expect((await onS3.get(path)).status).toBe(200)
  })

  test('is 503 while the store does not answer, and then is there', async () => {
    // a picture that was not read before, so it is not in memory
    const path = await onS3.put(await picture('jpeg', { seed: 77 }), 'image/jpeg')
    s3.fail.push(500, 500, 500)
    const { status, headers, bytes } = await onS3.get(path)
    expect([status, headers['retry-after'], codeOf(bytes)]).toEqual([503, '5', 'image-unavailable'])
    expect(bytes.toString()).not.toMatch(/bucket|pictures\//)
    expect((await onS3.get(path)).status).toBe(200)
  })

  test('that is read often is read from the store once', async () => {
    const path = await onS3.put(await picture('webp', { seed: 78 }), 'image/webp')
    s3.seen.length = 0
    const answers = []
    for (let i = 0; i < 5; i++) answers.push(await onS3.get(path))
    expect(new Set(answers.map(({ status, bytes }) => `${status} ${bytes.toString('base64')}`)).size).toBe(1)
    expect(s3.seen).toEqual([`GET ${path.slice(1)}`])
  })

  test('leaves no file open when its readers go away', async () => {
    const large = Buffer.concat([jpeg, Buffer.alloc(8_000_000, 'x')])
    const path = await onDisk.put(large, 'image/jpeg')
    await onDisk.get(`${path}?w=64`)
    await Promise.all(
      Array.from(
        { length: 40 },
        (_, i) =>
          new Promise<void>((resolve) => {
            const request = open(`${onDisk.service.url}${path}${i % 2 === 0 ? '' : '?w=64'}`, (response) => {
              response.once('data', () => response.destroy())
            })
            request.on('close', () => resolve()).on('error', () => resolve())
          }),
      ),
    )
    const opened = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(onDisk.dataDir)
        } catch {
          return false
        }
      })
    await expect.poll(opened).toEqual([])
  })
})

describe('a flood of sizes', () => {
  test('is made as far as it can be soon; the rest is told when to come again, and nobody else is kept waiting', async () => {
    const path = await onDisk.put(await picture('png', { width: 400, height: 300, seed: 3 }), 'image/png')
    const known = await onDisk.put(jpeg, 'image/jpeg')
    const queries = IMAGE_SIZES.flatMap((w) => IMAGE_SIZES.map((h) => `?w=${w}&h=${h}&format=webp`))
    const flood = queries.map(async (query) => onDisk.get(path + query))
    const began = performance.now()
    expect((await onDisk.get(known)).status).toBe(200)
    expect((await onDisk.get('/healthz')).status).toBe(200)
    const waited = performance.now() - began
    const answers = await Promise.all(flood)
    const refused = answers.filter(({ status }) => status === 503)
    // some are done while others arrive, which then take their places
    expect(answers.filter(({ status }) => status === 200).length).toBe(queries.length - refused.length)
    expect(refused.length).toBeGreaterThan(50)
    expect(refused.length).toBeLessThanOrEqual(queries.length - 100)
    for (const { headers, bytes } of refused)
      expect([headers['retry-after'], codeOf(bytes)]).toEqual(['5', 'image-unavailable'])
    expect(waited).toBeLessThan(1_500)
  })

  test('makes no other address wait, also for the same sizes, and ends with the clients who asked', async () => {
    const path = await onDisk.put(await picture('png', { width: 900, height: 900, seed: 31 }), 'image/png')
    // each takes longer to make than a process to start
    const queries = IMAGE_SIZES.slice(8, 15).flatMap((w) =>
      IMAGE_SIZES.slice(8, 14).map((h) => `?w=${w}&h=${h}&format=avif`),
    )
    const answered: string[] = []
    const ask = (query: string, localAddress: string) => {
      const { hostname, port } = new URL(onDisk.service.url)
      const sent = request({ hostname, port, path: path + query, localAddress })
      const status = new Promise<number | undefined>((resolve) => {
        sent.on('error', () => resolve(undefined))
        sent.on('response', (response) => {
          if (response.statusCode === 200) answered.push(localAddress)
          response.resume().on('end', () => resolve(response.statusCode))
        })
      })
      sent.end()
      return { status, leave: () => sent.destroy() }
    }
    const flood = queries.map((query) => ask(query, '127.0.0.2'))
    await expect.poll(() => answered.length, { interval: 5 }).toBeGreaterThan(0)
    // the size that the flood requests last
    const before = answered.length
    expect(await ask(queries.at(-1) ?? '', '127.0.0.1').status).toBe(200)
    expect(answered.length - before).toBeLessThan(queries.length / 2)
    const made = () => readdirSync(join(onDisk.dataDir, 'image-variants'), { recursive: true }).length
    const beforeLeaving = made()
    for (const { leave } of flood) leave()
    await Promise.all(flood.map(({ status }) => status))
    expect(answered.length).toBeLessThan((queries.length * 2) / 3)
    // the address's earlier requests, whose clients disconnected, are skipped: no variant is made for them
    expect(await ask('?w=64&format=jpeg', '127.0.0.2').status).toBe(200)
    expect(made() - beforeLeaving).toBeLessThan(queries.length / 4)
  })

  test('is kept within the bytes that are allowed, the least used going first', async () => {
    await using small = await startPictures({ IMAGE_VARIANTS_MB: '16' })
    const path = await small.put(await picture('png', { width: 900, height: 900, seed: 9 }), 'image/png')
    const files = () =>
      readdirSync(join(small.dataDir, 'image-variants'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name)).length)
    const used = `${path}?w=64&format=png`
    await small.get(used)
    // older files of another process
    const [directory = ''] = readdirSync(join(small.dataDir, 'image-variants')).filter((name) => name !== 'unfinished')
    for (let i = 0; i < 20; i++)
      writeFileSync(join(small.dataDir, 'image-variants', directory, `old-${i}`), Buffer.alloc(1_000_000))
    for (const size of [600, 640, 800]) await small.get(`${path}?w=${size}&format=png`)
    const total = () => files().reduce((sum, bytes) => sum + bytes, 0)
    for (let i = 0; i < 300 && total() > 16_000_000; i++) await sleep(10)
    expect(total()).toBeLessThanOrEqual(16_000_000)
    expect(files().length).toBeGreaterThan(3)
    expect((await small.get(used)).status).toBe(200)
  })
})
