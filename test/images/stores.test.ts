import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import type { ImageStore, StoredImage } from '../../src/images/store/image-store.ts'
import { openS3Store } from '../../src/images/store/s3-store.ts'
import { startS3, type S3Server } from '../harness/s3-server.ts'
import { fileOf } from './pictures.ts'
import { ofFile } from '../harness/world.ts'

// The same tests for both kinds of store, then tests of the features that only one has.

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const directory = mkdtempSync(join(tmpdir(), 'shelfwire-stores-'))
const s3 = ofFile(startS3)
let bucket: ImageStore & AsyncDisposable
const disk = openDiskStore(join(directory, 'images'))
beforeAll(async () => {
  bucket = openS3Store(s3.settings)
})
afterAll(async () => {
  await bucket[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true })
})

const PICTURE = Buffer.from('GIF89a and some more bytes, which no store looks at')
const HASH = sha256(PICTURE)
const ABSENT = '0'.repeat(64)
const all = async (store: ImageStore): Promise<StoredImage[]> => {
  const found: StoredImage[] = []
  for await (const image of store.list()) found.push(image)
  return found
}
const bytesOf = async (found: Promise<Awaited<ReturnType<ImageStore['read']>>>) => {
  const read = await found
  if (read === undefined) return undefined
  const bytes = await buffer(read.stream)
  expect(bytes.length).toBe(read.bytes)
  return bytes
}

describe.each([
  ['disk', () => disk],
  ['S3', () => bucket],
])('a store on %s', (_, storeOf) => {
  let store: ImageStore
  let file: string
  beforeAll(async () => {
    store = storeOf()
    file = fileOf(directory, 'picture', PICTURE)
    await store.put(HASH, file, 'image/gif')
  })

  test('reads what was put, in whole and in part, with and without its type', async () => {
    expect(await bytesOf(store.read(HASH))).toEqual(PICTURE)
    expect(await bytesOf(store.read(HASH, undefined, 'image/gif'))).toEqual(PICTURE)
    expect(await bytesOf(store.read(HASH, { first: 3, last: 5 }))).toEqual(PICTURE.subarray(3, 6))
    expect(await bytesOf(store.read(HASH, { first: 0, last: 1 }, 'image/gif'))).toEqual(PICTURE.subarray(0, 2))
    const last = PICTURE.length - 1
    expect(await bytesOf(store.read(HASH, { first: last, last }))).toEqual(PICTURE.subarray(last))
    expect(await store.stat(HASH)).toEqual({ bytes: PICTURE.length })
    expect(await store.stat(HASH, 'image/gif')).toEqual({ bytes: PICTURE.length })
  })

  test('has nothing under another hash or type', async () => {
    expect(await store.read(ABSENT)).toBeUndefined()
    expect(await store.stat(ABSENT)).toBeUndefined()
    expect(await store.read(HASH, undefined, 'image/svg+xml')).toBeUndefined()
    expect(await store.read(HASH, { first: 0, last: 1 }, 'image/png')).toBeUndefined()
    expect(await store.stat(HASH, 'image/jpeg')).toBeUndefined()
  })

  test('puts the same picture again, and leaves the file to the caller', async () => {
    await Promise.all(Array.from({ length: 5 }, () => store.put(HASH, file, 'image/gif')))
    expect(await bytesOf(store.read(HASH))).toEqual(PICTURE)
    expect(existsSync(file)).toBe(true)
  })

  test('takes a picture of some megabytes', async () => {
    const bytes = Buffer.alloc(1_500_001, 'x')
    await store.put(sha256(bytes), fileOf(directory, 'large', bytes), 'image/jpeg')
    expect(await bytesOf(store.read(sha256(bytes)))).toEqual(bytes)
    await store.remove(sha256(bytes))
  })

  test('lists every picture once, with its length and time', async () => {
    const before = Date.now()
    const hashes = await Promise.all(
      Array.from({ length: 30 }, async (__, i) => {
        const bytes = Buffer.from(`picture ${i}`)
        await store.put(sha256(bytes), fileOf(directory, `picture-${i}`, bytes), 'image/png')
        return sha256(bytes)
      }),
    )
    const found = await all(store)
    expect(found.map(({ hash }) => hash).sort()).toEqual([HASH, ...hashes].sort())
    for (const { hash, bytes, modifiedAt } of found) {
      if (hash === HASH) expect(bytes).toBe(PICTURE.length)
      else expect(modifiedAt.getTime()).toBeGreaterThan(before - 2_000)
      expect(modifiedAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000)
    }
    await Promise.all(hashes.map((hash) => store.remove(hash)))
    expect((await all(store)).map(({ hash }) => hash)).toEqual([HASH])
  })

  test('removes a picture, and one that is not there', async () => {
    const bytes = Buffer.from('to be removed')
    await store.put(sha256(bytes), fileOf(directory, 'removed', bytes), 'image/webp')
    await store.remove(sha256(bytes))
    expect(await store.read(sha256(bytes))).toBeUndefined()
    await store.remove(sha256(bytes))
    await store.remove(ABSENT)
  })

  test('reads on while the picture is removed', async () => {
    const bytes = Buffer.alloc(400_000, 'y')
    await store.put(sha256(bytes), fileOf(directory, 'read-on', bytes), 'image/webp')
    const read = await store.read(sha256(bytes))
    await store.remove(sha256(bytes))
    expect(read === undefined ? undefined : await buffer(read.stream)).toEqual(bytes)
  })

  test.each(['', '..', '../../etc/passwd', `${HASH.slice(1)}/`, HASH.toUpperCase(), `${HASH}\n`, `${HASH}.gif`])(
    'refuses %j as a hash',
    async (hash) => {
      await expect(store.read(hash)).rejects.toThrow('64 hexadecimal')
      await expect(store.stat(hash)).rejects.toThrow('64 hexadecimal')
      await expect(store.remove(hash)).rejects.toThrow('64 hexadecimal')
      await expect(store.put(hash, file, 'image/gif')).rejects.toThrow('64 hexadecimal')
    },
  )
})

describe('a store on disk', () => {
  const root = join(directory, 'another')
  const store = openDiskStore(root)
  const file = fileOf(directory, 'another-picture', PICTURE)

  test('is empty before anything was put, and lists nothing', async () => {
    expect(await all(store)).toEqual([])
    expect(await store.read(HASH)).toBeUndefined()
  })

  test('spreads pictures over directories by their hash, and leaves nothing unfinished', async () => {
    await store.put(HASH, file, 'image/gif')
    expect(existsSync(join(root, HASH.slice(0, 2), HASH.slice(2, 4), `${HASH}.gif`))).toBe(true)
    expect(readdirSync(join(root, 'unfinished'))).toEqual([])
  })

  test('leaves no part of a file that cannot be read', async () => {
    await expect(store.put(HASH, join(directory, 'nowhere'), 'image/gif')).rejects.toThrow('ENOENT')
    expect(readdirSync(join(root, 'unfinished'))).toEqual([])
  })

  test('removes what a killed process left, an hour later', async () => {
    const left = join(root, 'unfinished', 'left')
    writeFileSync(left, 'x')
    utimesSync(left, 0, 0)
    writeFileSync(join(root, 'unfinished', 'being-written'), 'x')
    await openDiskStore(root).put(HASH, file, 'image/gif')
    expect(readdirSync(join(root, 'unfinished'))).toEqual(['being-written'])
  })

  test('puts into a directory that somebody has removed', async () => {
    rmSync(join(root, HASH.slice(0, 2)), { recursive: true })
    await store.put(HASH, file, 'image/gif')
    expect(await bytesOf(store.read(HASH))).toEqual(PICTURE)
  })

  test('lists only pictures', async () => {
    mkdirSync(join(root, 'ab', 'cd'), { recursive: true })
    for (const name of ['notes.txt', `${HASH}.exe`, `.${HASH}.gif`]) writeFileSync(join(root, 'ab', 'cd', name), 'x')
    expect((await all(store)).map(({ hash }) => hash)).toEqual([HASH])
  })
})

describe('a store on S3', () => {
  const file = fileOf(directory, 's3-picture', PICTURE)
  const open = (changes: Partial<S3Server['settings']>) => openS3Store({ ...s3.settings, ...changes })

  test('signs its requests: with another secret nothing is read or written', async () => {
    await using store = open({ secretAccessKey: 'another' })
    await expect(store.put(HASH, file, 'image/gif')).rejects.toThrow('403 SignatureDoesNotMatch')
    await expect(store.read(HASH)).rejects.toThrow('403')
    await expect(all(store)).rejects.toThrow('403')
    await expect(store.remove(HASH)).rejects.toThrow('403')
    expect(await bytesOf(bucket.read(HASH))).toEqual(PICTURE)
  })

  test('has the bytes checked: under a hash that is not theirs they are refused', async () => {
    await expect(bucket.put(ABSENT, file, 'image/gif')).rejects.toThrow('XAmzContentSHA256Mismatch')
    expect(await bucket.stat(ABSENT)).toBeUndefined()
  })

  test('reports that the bucket does not exist', async () => {
    await using store = open({ bucket: 'another' })
    await expect(store.put(HASH, file, 'image/gif')).rejects.toThrow('NoSuchBucket')
    await expect(store.read(HASH)).rejects.toThrow('NoSuchBucket')
  })

  test.each([
    ['a failure', 503],
    ['a request to slow down', 429],
    ['a broken connection', 0],
  ])('goes on after %s', async (_, status) => {
    s3.fail.push(status)
    await bucket.put(HASH, file, 'image/gif')
    s3.fail.push(status)
    expect(await bytesOf(bucket.read(HASH, undefined, 'image/gif'))).toEqual(PICTURE)
    s3.fail.push(status)
    expect(await bucket.stat(HASH)).toEqual({ bytes: PICTURE.length })
  })

  test('gives up after three failures, and says what was asked', async () => {
    s3.fail.push(500, 500, 500)
    await expect(bucket.read(HASH, undefined, 'image/gif')).rejects.toThrow(`GET images/${HASH}.gif with 500`)
    expect(s3.fail).toEqual([])
  })

  test('asks once for a picture whose type is known', async () => {
    s3.seen.length = 0
    await bytesOf(bucket.read(HASH, undefined, 'image/gif'))
    expect(s3.seen).toEqual([`GET images/${HASH}.gif`])
  })

  test('keeps pictures under the path of their addresses, so that the bucket can serve them', async () => {
    s3.seen.length = 0
    await bucket.put(HASH, file, 'image/gif')
    expect(s3.seen).toEqual([`PUT images/${HASH}.gif`])
  })

  test('lists page by page', async () => {
    const hashes = Array.from({ length: 50 }, (_, i) => sha256(Buffer.from(`many ${i}`)))
    await Promise.all(
      hashes.map((hash, i) => bucket.put(hash, fileOf(directory, `many-${i}`, `many ${i}`), 'image/png')),
    )
    s3.seen.length = 0
    expect((await all(bucket)).map(({ hash }) => hash).sort()).toEqual([HASH, ...hashes].sort())
    expect(s3.seen).toEqual(['GET ', 'GET ', 'GET '])
  })
})
