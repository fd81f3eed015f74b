import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OfferRecord } from '../../model/offer.ts'
import { recordOfFields } from '../../model/record-text.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'

/**
 * One entry of the spool. `offer`: an offer to write (`isEqual`: unchanged, but no longer stale; `isNew`: only listed, by a dry run). `absent`: the
 * key of an offer that the file does not contain. `stale`: the key of an offer whose row could not be read; ignored if a valid row for it follows.
 */
export type Spooled = SpooledOffer | SpooledKey

/** An entry to add; an offer is given as its recordText, which is written unchanged. */
export type SpoolEntry = ({ text: string } & Omit<SpooledOffer, 'offer'>) | SpooledKey

/** `hash`: textHash of the recordText. */
interface SpooledOffer {
  offer: OfferRecord
  hash: string
  isEqual?: true
  isNew?: true
}

type SpooledKey = { absent: string } | { stale: string; offerNumber: number }

export interface Spool extends AsyncDisposable {
  add(entries: readonly SpoolEntry[]): Promise<void>
  /** The number of entries. */
  readonly size: number
  /** The bytes of all entries. */
  readonly bytes: number
  /**
   * All entries in the order in which they were added, in pages of `rows`, or fewer if their lines together have `characters`: entries may be long.
   * Nothing may be added after the first call.
   */
  pages(rows: number, characters?: number): AsyncGenerator<Spooled[]>
}

/** Bytes of the spool that are read at once. */
const READ_BYTES = 262_144

/**
 * Keeps the entries that an import must write in a temporary file: a supplier's file is checked as a whole before its first row is written, may come
 * through a pipe, and may be larger than memory. The temporary file is unlinked at once, so that a killed import leaves nothing behind.
 */
export async function openSpool(): Promise<Spool> {
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-import-'))
  const file = await open(join(directory, 'spool.ndjson'), 'w+', 0o600)
  // Windows cannot unlink an open file; there it is removed after closing, below
  const unlink = () => rm(directory, { recursive: true, force: true }).catch(() => {})
  await unlink()
  let size = 0
  let bytes = 0
  return {
    async add(entries) {
      if (entries.length === 0) return
      size += entries.length
      const lines = Buffer.from(entries.map(lineOf).join(''))
      bytes += lines.length
      await file.appendFile(lines)
    },
    get size() {
      return size
    },
    get bytes() {
      return bytes
    },
    async *pages(rows, characters = LIMITS.importPageCharacters) {
      let page: Spooled[] = []
      let length = 0
      // Read in blocks, and not as a stream: an interrupted import leaves this loop and closes the file, which a stream would still be reading.
      const buffer = Buffer.allocUnsafe(READ_BYTES)
      const decoder = new TextDecoder()
      let rest = ''
      for (let at = 0; ;) {
        const { bytesRead } = await file.read(buffer, 0, READ_BYTES, at)
        if (bytesRead === 0) break
        at += bytesRead
        const lines = (rest + decoder.decode(buffer.subarray(0, bytesRead), { stream: true })).split('\n')
        rest = must(lines.pop())
        for (const line of lines) {
          page.push(entryOf(line))
          length += line.length
          if (page.length < rows && length < characters) continue
          yield page
          page = []
          length = 0
        }
      }
      if (page.length > 0) yield page
    },
    async [Symbol.asyncDispose]() {
      await file.close()
      await unlink()
    },
  }
}

type SpoolLine = ({ fields: unknown[] } & Omit<SpooledOffer, 'offer'>) | SpooledKey

function lineOf(entry: SpoolEntry): string {
  if (!('text' in entry)) return `${JSON.stringify(entry)}\n`
  const { text, ...rest } = entry
  return `{"fields":${text},${JSON.stringify(rest).slice(1)}\n`
}

function entryOf(line: string): Spooled {
  const entry = JSON.parse(line) as SpoolLine
  if (!('fields' in entry)) return entry
  const { fields, ...rest } = entry
  return { offer: recordOfFields(fields), ...rest }
}
