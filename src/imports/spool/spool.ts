import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OfferRecord } from '../../model/offer.ts'
import { recordOfFields } from '../../model/record-text.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'

/**
 * One line of the spool: an offer to write (`isEqual`: it is as it was, and only no longer stale; `isNew`: a dry run only lists it), the key of an offer that the file no longer names, or the key of one that keeps what it had
 * because a row of it could not be read, unless it is among those that a later row was about.
 */
export type Spooled = SpooledOffer | SpooledKey

/** An entry as it is added: an offer as its recordText, which is written as it is. */
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
  /** How many entries were added. */
  readonly size: number
  /** How many bytes they take. */
  readonly bytes: number
  /**
   * All entries in the order they were added, in pages of `rows`, or fewer where their lines have `characters` together: entries may be long.
   * Nothing may be added after the first call.
   */
  pages(rows: number, characters?: number): AsyncGenerator<Spooled[]>
}

/** How much of the spool is read at once. */
const READ_BYTES = 262_144

/**
 * The entries that an import must write, in a temporary file: a supplier's file is checked as a whole before its first row
 * is written, may come through a pipe, and may be larger than memory. The temporary file is unlinked while it is in use, so
 * that a killed import leaves nothing behind.
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
      // Read by read, and not as a stream: an import that is interrupted leaves this loop and closes the file, and a stream would still
      // be reading it.
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
