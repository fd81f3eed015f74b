import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { ObjectStore } from '../../objects/object-store.ts'
import type { Unfinished } from '../../objects/unfinished.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { peekBytes } from '../../supplier-files/peek.ts'
import { must } from '../../platform/must.ts'
import type { RunFiles } from './run-files.ts'
import { shownName } from './shown-name.ts'

/**
 * Zstandard's level: fast rather than small, because files are kept only for days and imports wait for the compression.
 */
const LEVEL = 1
/** How many bytes show whether a file is compressed already. */
const HEAD_BYTES = 4
const COMPRESSED = [
  [0x1f, 0x8b], // gzip
  [0x50, 0x4b], // zip, and so XLSX
  [0x28, 0xb5, 0x2f, 0xfd], // Zstandard
]

/**
 * Stores the files of imports in an object store.
 * @param prefix of their keys there, ending with a slash; empty if the store has nothing else.
 * @param unfinished where files are stored while they are being received.
 */
export function openRunFiles(objects: ObjectStore, prefix: string, unfinished: Unfinished): RunFiles {
  return {
    async keep(accountId, source, name) {
      const path = await unfinished.path()
      const given = createHash('sha256')
      const stored = createHash('sha256')
      try {
        const chunks = typeof source === 'string' ? createReadStream(source, { highWaterMark: 1_048_576 }) : source
        const { head, whole } = await peekBytes(chunks, HEAD_BYTES)
        const isCompressed = COMPRESSED.some((magic) => magic.every((byte, i) => head[i] === byte))
        let bytes = 0
        const counted = each(whole, (chunk) => {
          bytes += chunk.length
          if (bytes > LIMITS.importFileBytesMax)
            throw new ShelfwireError(
              'source-unreadable',
              `the file has more than ${LIMITS.importFileBytesMax} bytes: split it`,
            )
          given.update(chunk)
        })
        const hashed = (written: AsyncIterable<Uint8Array>) => each(written, (chunk) => void stored.update(chunk))
        // opened here, before anything can fail: a stream that opens its file itself could still create it after the
        // file was removed
        const file = (await open(path, 'wx', 0o600)).createWriteStream()
        if (isCompressed) await pipeline(counted, hashed, file)
        else {
          const level = { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }
          await pipeline(counted, createZstdCompress(level), hashed, file)
        }
        const key = `${accountId}/${randomUUID()}.${isCompressed ? 'raw' : 'zst'}`
        await objects.put(prefix + key, path, { sha256: stored.digest('hex'), type: 'application/octet-stream' })
        return { key, name: shownName(must(name.split(/[/\\]/).at(-1))), bytes, hash: given.digest('hex') }
      } finally {
        await rm(path, { force: true })
      }
    },
    async read(key) {
      const found = await objects.read(prefix + key)
      if (found === undefined || !key.endsWith('.zst')) return found?.stream
      const plain = createZstdDecompress()
      // an error of either stream ends both
      pipeline(found.stream, plain).catch(() => {})
      return plain
    },
    async readStored(key) {
      const found = await objects.read(prefix + key)
      return found === undefined ? undefined : { stream: found.stream, isPacked: key.endsWith('.zst') }
    },
    remove: (key) => objects.remove(prefix + key),
    async *list() {
      for await (const { key, modifiedAt } of objects.list(prefix)) yield { key: key.slice(prefix.length), modifiedAt }
    },
    async *listOf(accountId) {
      for await (const { key } of objects.list(`${prefix}${accountId}/`)) yield key.slice(prefix.length)
    },
  }
}

async function* each(chunks: AsyncIterable<Uint8Array>, onChunk: (chunk: Uint8Array) => void) {
  for await (const chunk of chunks) {
    onChunk(chunk)
    yield chunk
  }
}
