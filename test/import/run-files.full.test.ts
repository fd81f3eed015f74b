import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRunFiles } from '../../src/imports/files/open-run-files.ts'
import type { RunFiles } from '../../src/imports/files/run-files.ts'
import { openDiskObjects } from '../../src/objects/disk-objects.ts'
import { openS3Objects } from '../../src/objects/s3-objects.ts'
import { openUnfinished } from '../../src/objects/unfinished.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { startS3 } from '../harness/s3-server.ts'
import { ofFile } from '../harness/world.ts'

// The same tests for both kinds of store for imported files.

const directory = mkdtempSync(join(tmpdir(), 'shelfwire-run-files-'))
const unfinished = openUnfinished(join(directory, 'unfinished'))
const disk = openRunFiles(openDiskObjects(join(directory, 'imports')), '', unfinished)
const s3 = ofFile(startS3)
let objects: ReturnType<typeof openS3Objects>
beforeAll(async () => {
  objects = openS3Objects(s3.settings)
})
afterAll(async () => {
  await objects[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true })
})

async function* chunks(bytes: Buffer, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const csv = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `K${i};12,50;5;Schraube für Öfen\n`).join(''))

describe.each([
  ['disk', () => disk],
  ['S3', () => openRunFiles(objects, 'imports/', unfinished)],
])('files of imports on %s', (_, filesOf) => {
  let files: RunFiles
  beforeAll(() => void (files = filesOf()))
  const read = async (key: string) => {
    const stream = await files.read(key)
    return stream === undefined ? undefined : buffer(stream)
  }

  test.each([
    ['text', csv],
    ['an empty file', Buffer.alloc(0)],
    ['one byte', Buffer.from('x')],
    ['gzip', gzipSync(csv)],
    ['noise', randomBytes(300_000)],
  ])('%s is read as it was sent, from a stream and from a file', async (__, bytes) => {
    const kept = await files.keep(7, chunks(bytes), '/tmp/../x/Preis\u0000liste.csv')
    expect(kept).toEqual({
      key: expect.stringMatching(/^7\/[0-9a-f-]{36}\.(zst|raw)$/),
      name: 'Preisliste.csv',
      bytes: bytes.length,
      hash: sha256(bytes),
    })
    expect(await read(kept.key)).toEqual(bytes)
    const path = join(directory, 'given')
    writeFileSync(path, bytes)
    const again = await files.keep(7, path, 'x')
    expect(again).toMatchObject({ bytes: kept.bytes, hash: kept.hash })
    expect(await read(again.key)).toEqual(bytes)
    await files.remove(kept.key)
    await files.remove(kept.key)
    expect(await read(kept.key)).toBeUndefined()
  })

  test('each kept file is listed once, with its time', async () => {
    const before: string[] = []
    for await (const { key } of files.list()) before.push(key)
    const { key } = await files.keep(8, chunks(csv), 'x')
    const after = []
    for await (const each of files.list()) after.push(each)
    expect(after.filter((each) => !before.includes(each.key))).toEqual([{ key, modifiedAt: expect.any(Date) }])
  })

  test('a file that fails while it is received is not kept, and leaves nothing behind', async () => {
    async function* failing() {
      yield csv.subarray(0, 10_000)
      throw new Error('the client is gone')
    }
    await expect(files.keep(9, failing(), 'x')).rejects.toThrow('the client is gone')
    const { importFileBytesMax } = LIMITS
    Object.assign(LIMITS, { importFileBytesMax: 1_000 })
    await expect(files.keep(9, chunks(csv), 'x')).rejects.toMatchObject({ code: 'source-unreadable' })
    Object.assign(LIMITS, { importFileBytesMax })
    for await (const { key } of files.list()) expect(key).not.toMatch(/^9\//)
    expect(readdirSync(join(directory, 'unfinished'))).toEqual([])
  })

  test('a key cannot leave the place of the files', async () => {
    for (const key of ['../secret-key', '7/../../x', '/etc/passwd', '7//x', ''])
      await expect(files.read(key)).rejects.toThrow('a key is made of')
  })
})

test('text takes a fraction of its size on the disk, and what is compressed is kept as it is', async () => {
  const text = await disk.keep(1, chunks(csv), 'x')
  const packed = await disk.keep(1, chunks(gzipSync(csv)), 'x')
  expect(statSync(join(directory, 'imports', text.key)).size).toBeLessThan(csv.length / 5)
  expect(statSync(join(directory, 'imports', packed.key)).size).toBe(gzipSync(csv).length)
})
