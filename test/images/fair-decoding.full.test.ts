import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { announcedPixels } from '../../src/images/decode/announced-pixels.ts'
import {
  decodersBytesMax,
  MIRROR_LANE,
  openDecoders,
  sizeLane,
  UPLOAD_LANE,
  type Decoders,
  type Lane,
  type Wanted,
} from '../../src/images/decode/decoders.ts'
import type { DecodeJob } from '../../src/images/decode/job.ts'
import { inspectImage } from '../../src/images/decode/inspect-image.ts'
import { TurnRefused } from '../../src/platform/turns/fair-turns.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { fileOf, gifBomb, jpegBomb, picture, pngBomb, RASTERS } from './pictures.ts'

// The order in which pictures of different clients are decoded, and the limits that end the decoding of one.

let directory: string
let slowFile: string
let smallFile: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'shelfwire-fair-'))
  slowFile = fileOf(directory, 'slow', await picture('png', { width: 450, height: 450 }))
  smallFile = fileOf(directory, 'small', await picture('jpeg', { width: 20, height: 20 }))
})
afterAll(() => rmSync(directory, { recursive: true }))

interface Opened extends AsyncDisposable {
  decoders: Decoders
}
const opened = (lane: Partial<Lane> = {}, megabytes?: number): Opened => {
  const decoders = openDecoders({ ...UPLOAD_LANE, ...lane }, silentLog, megabytes)
  return { decoders, [Symbol.asyncDispose]: () => decoders.close() }
}
let names = 0
/** A job of a few hundred ms. */
const slowJob = (): DecodeJob => ({
  kind: 'convert',
  file: slowFile,
  to: join(directory, `made-${++names}.avif`),
  format: 'image/avif',
  width: 450,
  height: 450,
})
/** The decoding processes that this process has started. */
const processes = () =>
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

test('a picture says how many pixels it has before it is decoded', async () => {
  for (const format of RASTERS) {
    const file = fileOf(directory, `announced.${format}`, await picture(format, { width: 321, height: 123 }))
    expect(await announcedPixels(file), format).toBe(321 * 123)
  }
  const file = async (bytes: Uint8Array | string) => announcedPixels(fileOf(directory, 'announced', bytes))
  expect(await file(pngBomb(60_000, 60_000, 1))).toBe(3_600_000_000)
  expect(await file(gifBomb(2_000, 3_000, 2))).toBe(6_000_000)
  expect(await file(await jpegBomb(10_001, 5_000))).toBe(50_005_000)
  expect(await file('<svg/>')).toBe(0)
  expect(await file('')).toBe(null)
  expect(await file((await picture('jpeg')).subarray(0, 30))).toBe(null)
})

describe('turns', () => {
  test('one account’s pictures make nobody else’s wait', async () => {
    await using bench = opened()
    const done: string[] = []
    const attack = Array.from({ length: 4 }, async (_, i) => {
      await bench.decoders.run(slowJob(), { key: 'attacker' })
      done.push(`attacker ${i}`)
    })
    expect(await inspectImage(bench.decoders, smallFile, { key: 'victim' })).toMatchObject({ ok: true })
    done.push('victim')
    await Promise.all(attack)
    expect(done.indexOf('victim')).toBeLessThanOrEqual(1)
  })

  test('large pictures, of however many accounts, keep no small one waiting', async () => {
    await using bench = opened()
    const large = fileOf(directory, 'large', pngBomb(10_000, 5_000))
    const done: string[] = []
    // so many that only a few of them end while the small one is decoded, however slowly its process starts
    const attack = Array.from({ length: 16 }, async (_, i) => {
      await inspectImage(bench.decoders, large, { key: `attacker ${i}` })
      done.push('attacker')
    })
    expect(await inspectImage(bench.decoders, smallFile, { key: 'victim' })).toMatchObject({ ok: true })
    done.push('victim')
    await Promise.all(attack)
    expect(done.indexOf('victim')).toBeLessThanOrEqual(10)
  })

  test('more than may wait are refused, of one account and of all', async () => {
    await using bench = opened({ small: 2, waitingMax: 2, waitingPerKeyMax: 1 })
    const refusalOf = (wanted: Wanted) =>
      bench.decoders.run(slowJob(), wanted).then(
        () => 'done',
        (error: unknown) => (error instanceof TurnRefused ? `${error.refusal} ${error.limit}` : String(error)),
      )
    const ofAccounts = async (...keys: string[]) => {
      const asked = keys.map((key) => refusalOf({ key }))
      // wait until the headers of their files have been read
      await sleep(100)
      return asked
    }
    const asked = [...(await ofAccounts('a', 'a', 'a')), ...(await ofAccounts('b', 'b')), ...(await ofAccounts('c'))]
    const outcomes = await Promise.all(asked)
    expect(outcomes.slice(0, 3).toSorted()).toEqual(['done', 'done', 'key-full 1'])
    expect(outcomes.slice(3).toSorted()).toEqual(['all-full 2', 'done', 'done'])
  })
})

describe('a client that leaves', () => {
  test('takes what waits with it at once, and ends the process that works for it', async () => {
    await using bench = opened()
    // a picture that takes longer than the limit for quick ones
    const file = fileOf(directory, 'long', await picture('png', { width: 2_000, height: 2_000 }))
    const job = (): DecodeJob => ({ ...slowJob(), file, width: 2_000, height: 2_000 }) as DecodeJob
    const left = new AbortController()
    const wanted = { key: 'attacker', signal: left.signal }
    const begun = performance.now()
    const outcomes = [job(), job(), job()].map((each) =>
      bench.decoders.run(each, wanted).then(
        () => 'done',
        (error: Error) => error.message,
      ),
    )
    await expect.poll(() => processes().length, { interval: 5 }).toBe(1)
    const [pid] = processes()
    left.abort(new Error('the client is gone'))
    expect(await Promise.all(outcomes)).toEqual(['the client is gone', 'the client is gone', 'the client is gone'])
    expect(performance.now() - begun).toBeLessThan(LIMITS.imageDecodeLeftMs + 2_000)
    await expect.poll(() => processes().includes(pid ?? ''), { interval: 5 }).toBe(false)
    // the client can decode again
    expect(await inspectImage(bench.decoders, smallFile, { key: 'attacker' })).toMatchObject({ ok: true })
  })
})

describe('memory', () => {
  test('a picture that takes more than its process may have is refused, and the next one is decoded', async () => {
    // a process takes some 70 MB before it has decoded anything
    await using bench = opened({}, 64)
    expect(await bench.decoders.run(slowJob(), { key: 1 })).toEqual({
      ok: false,
      reason: 'unreadable_image',
      message: 'decoding it takes more than 64 MB of memory',
    })
  })

  test('of all processes follows from IMAGE_DECODER_MB and the number of processors', () => {
    const megabytes = (lanes: readonly Lane[], setting: number) => decodersBytesMax(lanes, setting) / 1_048_576
    expect(megabytes([UPLOAD_LANE, sizeLane(2), MIRROR_LANE], 768)).toBe(2 * 256 + 768 + 2 * 256 + 768 + 768)
    expect(megabytes([UPLOAD_LANE, sizeLane(64), MIRROR_LANE], 768)).toBe(2 * 256 + 768 + 4 * 256 + 768 + 768)
    expect(megabytes([UPLOAD_LANE, sizeLane(2), MIRROR_LANE], 256)).toBe(7 * 256)
    expect(megabytes([MIRROR_LANE], 768)).toBe(768)
  })
})
