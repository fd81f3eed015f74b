import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { OfferRecord } from '../model/offer.ts'

/** What one line of the spool holds: an offer to write, or the key of one that the feed no longer names. */
export type Spooled = { offer: OfferRecord } | { absent: string }

export interface Spool extends AsyncDisposable {
  add(entries: readonly Spooled[]): Promise<void>
  /** How many entries were added. */
  readonly size: number
  /** Everything added, in order, in pages. Adding ends when reading begins. */
  pages(rows: number): AsyncGenerator<Spooled[]>
}

/** readline also ends lines at U+2028 and U+2029, which JSON leaves as they are. */
function line(entry: Spooled): string {
  return JSON.stringify(entry).replace(/[\u2028\u2029]/g, (sign) => (sign === '\u2028' ? '\\u2028' : '\\u2029'))
}

/**
 * What an import has found worth writing, in a temporary file: a feed is judged as a whole before its first row is
 * written, it may come through a pipe, and it may be larger than memory. The file has no name any more while it is used,
 * so that a killed run leaves nothing behind.
 */
export async function openSpool(): Promise<Spool> {
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-import-'))
  const file = await open(join(directory, 'spool.ndjson'), 'w+', 0o600)
  // Windows keeps the name of an open file; there it goes with the handle, below
  const forget = () => rm(directory, { recursive: true, force: true }).catch(() => {})
  await forget()
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
      await forget()
    },
  }
}
