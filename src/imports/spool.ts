import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { OfferRecord } from '../model/offer.ts'

/** One line of the spool: an offer to write, or the key of an offer that the file no longer names. */
export type Spooled = { offer: OfferRecord } | { absent: string }

export interface Spool extends AsyncDisposable {
  add(entries: readonly Spooled[]): Promise<void>
  /** How many entries were added. */
  readonly size: number
  /** All entries in the order they were added, in pages of `rows`. Nothing may be added after the first call. */
  pages(rows: number): AsyncGenerator<Spooled[]>
}

/** readline also ends lines at U+2028 and U+2029, which JSON leaves as they are. */
function line(entry: Spooled): string {
  return JSON.stringify(entry).replace(/[\u2028\u2029]/g, (sign) => (sign === '\u2028' ? '\\u2028' : '\\u2029'))
}

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
  return {
    async add(entries) {
      if (entries.length === 0) return
      size += entries.length
      await file.appendFile(entries.map((entry) => `${line(entry)}\n`).join(''))
    },
    get size() {
      return size
    },
    async *pages(rows) {
      let page: Spooled[] = []
      const input = createReadStream('', { fd: file.fd, start: 0, autoClose: false, highWaterMark: 262_144 })
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
        page.push(JSON.parse(line) as Spooled)
        if (page.length < rows) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    async [Symbol.asyncDispose]() {
      await file.close()
      await unlink()
    },
  }
}
