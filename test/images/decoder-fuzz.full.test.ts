import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDecoders, UPLOAD_LANE, type Decoders } from '../../src/images/decode/decoders.ts'
import { inspectImage, type Inspection } from '../../src/images/decode/inspect-image.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { avifBomb, fileOf, gifBomb, picture, pngBomb, RASTERS } from './pictures.ts'

// Thousands of broken files: each gets one of the known answers, and neither this process nor the decoding one uses more memory
// over time. SEED=… repeats a run, FUZZ_FILES=… makes it longer.

const FILES = Number(process.env['FUZZ_FILES'] ?? 1_500)
const GROWTH_MB_MAX = 120
/** The number of files between two checks of the memory. */
const LOOK_EVERY = 25
const KNOWN = ['not_an_image', 'unreadable_image', 'too_many_pixels', 'too_large', 'unsafe_svg']
const SVG = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs><style>.a{fill:url(#g)}</style><path class="a" d="M0 0h9v9z"/><use href="#p"/></svg>`,
)

let directory: string
let decoders: Decoders
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'shelfwire-fuzz-'))
  decoders = openDecoders(UPLOAD_LANE, silentLog)
})
afterAll(async () => {
  await decoders.close()
  rmSync(directory, { recursive: true })
})

/** A generator of pseudo-random numbers. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A broken file, made from a picture or from parts of several. */
function broken(whole: readonly Buffer[], below: (n: number) => number): Buffer {
  const pick = () => whole[below(whole.length)] ?? Buffer.alloc(0)
  const bytes = Buffer.from(pick())
  const at = () => below(Math.max(1, bytes.length))
  switch (below(8)) {
    case 0:
      return bytes.subarray(0, at())
    case 1:
      return Buffer.concat([bytes.subarray(0, at()), pick().subarray(below(2_000))])
    case 2: {
      // the first bytes, because headers have the sizes and lengths
      for (let i = 0; i < 1 + below(6); i++) bytes[below(Math.min(200, bytes.length))] = below(256)
      return bytes
    }
    case 3: {
      const [from, to] = [at(), at()].sort((a, b) => a - b)
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
    }
    case 4: {
      const from = at()
      return bytes.fill([0, 0xff, 0x80][below(3)] ?? 0, from, Math.min(bytes.length, from + below(64)))
    }
    case 5: {
      const from = below(Math.max(1, Math.min(400, bytes.length - 4)))
      if (from + 4 <= bytes.length) bytes.writeUInt32BE([0, 1, 0x7fffffff, 0xffffffff, 65_535][below(5)] ?? 0, from)
      return bytes
    }
    default: {
      for (let i = 0; i < 1 + below(40); i++) bytes[at()] = below(256)
      return bytes
    }
  }
}

/** Resident memory in MB of this process and of its child processes. */
function memoryMb(): { own: number; decoder: number } {
  const rssOf = (pid: string | number) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const parent = Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1])
      return parent === process.pid && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('decode/process')
    } catch {
      return false
    }
  })
  return { own: rssOf(process.pid), decoder: Math.max(0, ...children.map(rssOf)) }
}

test('no broken file ends the service, or is answered with anything but a verdict, and memory does not grow', async () => {
  const below = dice(Number(process.env['SEED'] ?? 20_261_121))
  const whole = [
    ...(await Promise.all(RASTERS.map((format) => picture(format, { width: 120, height: 90 })))),
    ...(await Promise.all(RASTERS.map((format) => picture(format, { width: 700, height: 500, seed: 2 })))),
    gifBomb(300, 300, 20),
    pngBomb(2_000, 2_000, 500),
    SVG,
  ]
  const counts = new Map<string, number>()
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  let early = { own: 0, decoder: 0 }
  let peak = 0
  for (let i = 0; i < FILES; i++) {
    const file = fileOf(directory, 'broken', broken(whole, below))
    const found: Inspection = await inspectImage(decoders, file, { key: 1 })
    count(found.ok ? found.type : found.reason)
    if (!found.ok) {
      expect(KNOWN).toContain(found.reason)
      expect(found.message).not.toContain(directory)
      expect(found.message.length).toBeLessThan(400)
    } else {
      expect(found.width * found.height).toBeGreaterThan(0)
      if (found.type !== 'image/svg+xml' && i % 3 === 0) {
        const to = join(directory, 'made')
        const made = await decoders.run(
          { kind: 'convert', file, to, format: 'image/webp', width: 200, height: 200 },
          { key: 1 },
        )
        count(made.ok ? 'converted' : 'not converted')
      }
    }
    // not for every file, because it reads the list of all processes
    if (i % LOOK_EVERY !== 0) continue
    const now = memoryMb()
    peak = Math.max(peak, now.decoder)
    if (i <= FILES / 4) early = now
  }
  const late = memoryMb()
  console.log(Object.fromEntries(counts), { early, late, peak })
  expect(late.own - early.own).toBeLessThan(GROWTH_MB_MAX)
  expect(late.decoder - early.decoder).toBeLessThan(GROWTH_MB_MAX)
  expect(counts.get('unreadable_image')).toBeGreaterThan(FILES / 10)
  // valid pictures are still read
  const good = await inspectImage(decoders, fileOf(directory, 'whole', whole[0] ?? Buffer.alloc(0)), { key: 1 })
  expect(good.ok).toBe(true)
}, 900_000)

test('a process that is killed with a picture is replaced; a picture that kills two is refused', async () => {
  const file = fileOf(directory, 'slow', await picture('png', { width: 2_000, height: 2_000 }))
  const to = join(directory, 'slow.avif')
  const slow = () =>
    decoders.run({ kind: 'convert', file, to, format: 'image/avif', width: 2_000, height: 2_000 }, { key: 1 })
  const pids = () =>
    readdirSync('/proc').filter((name) => {
      try {
        return (
          /^\d+$/.test(name) &&
          readFileSync(`/proc/${name}/status`, 'utf8').includes(`PPid:\t${process.pid}\n`) &&
          readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('decode/process')
        )
      } catch {
        return false
      }
    })
  const kill = async (besides: readonly string[]): Promise<string[]> => {
    await expect.poll(() => pids().filter((pid) => !besides.includes(pid)).length, { interval: 1 }).toBeGreaterThan(0)
    const found = pids().filter((pid) => !besides.includes(pid))
    for (const pid of found) process.kill(Number(pid), 'SIGKILL')
    return found
  }
  const first = slow()
  const killed = await kill([])
  expect(await first).toMatchObject({ ok: true })
  const second = slow()
  const more = await kill(killed)
  await kill([...killed, ...more])
  expect(await second).toEqual({ ok: false, reason: 'unreadable_image', message: 'it ends the decoder' })
  const next = fileOf(directory, 'next', await picture('jpeg'))
  expect(await inspectImage(decoders, next, { key: 1 })).toMatchObject({ ok: true })
})

test('a picture that takes too long is given up, by the time of the processor, and the next one is decoded', async () => {
  await using impatient = {
    decoders: openDecoders(UPLOAD_LANE, silentLog, 768, 50),
    [Symbol.asyncDispose]: () => impatient.decoders.close(),
  }
  const file = fileOf(directory, 'slow', await picture('png', { width: 2_000, height: 2_000 }))
  const to = join(directory, 'slow.avif')
  const next = fileOf(directory, 'next', await picture('jpeg', { width: 20, height: 20 }))
  const [slow, quick] = await Promise.all([
    impatient.decoders.run(
      { kind: 'convert', file, to, format: 'image/avif', width: 2_000, height: 2_000 },
      { key: 1 },
    ),
    inspectImage(impatient.decoders, next, { key: 1 }),
  ])
  expect(slow).toMatchObject({ ok: false, message: 'decoding it takes more than 0.05 s of processor time' })
  expect(quick).toMatchObject({ ok: true })
})

describe('bombs', () => {
  const deep = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 4, background: '#c338' }, limitInputPixels: false })
      .toColourspace('rgb16')
      .png({ progressive: true, compressionLevel: 1 })
      .toBuffer()
  const scans = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#c33' }, limitInputPixels: false })
      .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
      .toBuffer()
  const tiff = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#c33' }, limitInputPixels: false })
      .tiff({ compression: 'deflate' })
      .toBuffer()
  const nested = Array.from(
    { length: 30 },
    (_, i) => `<g id="g${i + 1}"><use href="#g${i}"/><use href="#g${i}"/></g>`,
  ).join('')
  const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`

  test.for<[string, () => Promise<Uint8Array | string> | Uint8Array | string, string]>([
    ['a GIF of 10,000 frames', () => gifBomb(200, 200, 10_000), 'image/gif'],
    ['a GIF of 10,000 large frames', () => gifBomb(2_000, 2_000, 10_000), 'too_many_pixels'],
    ['a PNG that grows a thousand times', () => pngBomb(10_000, 5_000), 'image/png'],
    ['an interlaced PNG of 50 megapixels with 16 bits', () => deep(7_070), 'image/png'],
    ['a progressive JPEG of 50 megapixels', () => scans(7_070), 'image/jpeg'],
    ['an AVIF of 25 megapixels with 10 bits and transparency', () => avifBomb('deep', 4_990), 'image/avif'],
    ['an AVIF of 50 megapixels', () => avifBomb('deep', 7_070), 'too_many_pixels'],
    ['a TIFF of 50 megapixels', () => tiff(7_070), 'not_an_image'],
    ['an SVG whose parts repeat each other', () => svg(`<g id="g0"><path d="M0 0h9"/></g>${nested}`), 'unsafe_svg'],
    ['an SVG with entities', () => `<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${svg('&b;')}`, 'unsafe_svg'],
    ['an SVG of 40,000 levels', () => svg('<g>'.repeat(40_000) + '</g>'.repeat(40_000)), 'unsafe_svg'],
  ])('%s takes no more memory and time than a picture may', { timeout: 120_000 }, async ([, make, outcome]) => {
    const own = openDecoders(UPLOAD_LANE, silentLog)
    let peak = 0
    const watching = setInterval(() => (peak = Math.max(peak, memoryMb().decoder)), 25)
    try {
      const found = await inspectImage(own, fileOf(directory, 'bomb', await make()), { key: 1 })
      expect(found.ok ? found.type : found.reason).toBe(outcome)
      expect(peak).toBeLessThan(LIMITS.imageDecoderMegabytes + 64)
    } finally {
      clearInterval(watching)
      await own.close()
    }
  })

  test('a picture that takes more than a process for small ones has is decoded by one for large ones', async () => {
    const own = openDecoders(UPLOAD_LANE, silentLog)
    try {
      const file = fileOf(directory, 'deep', await deep(3_500))
      const job = { kind: 'convert', file, to: join(directory, 'deep.avif'), width: 2_000, height: 2_000 } as const
      expect(await own.run({ ...job, format: 'image/avif' }, { key: 1 })).toMatchObject({ ok: true })
    } finally {
      await own.close()
    }
  })
})
