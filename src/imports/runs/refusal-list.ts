import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import type { Unfinished } from '../../objects/unfinished.ts'
import type { Fault } from '../../platform/errors.ts'
import type { RunFiles } from '../files/run-files.ts'
import { RefusalGroups } from './refusal-groups.ts'
import type { RefusalGroup } from './runs.sql.ts'

/** A refused row, or an offer that keeps what it had (`line` is null), as the list has it: one JSON object per line. */
export interface ListedRefusal {
  line: number | null
  sku: string | null
  faults: readonly Fault[]
}

export interface RefusalList extends AsyncDisposable {
  add(refusal: ListedRefusal, isCounted: boolean): void
  /** Waits until what was added is on its way to the disk. */
  flush(): Promise<void>
  groups(): RefusalGroup[]
  /** Keeps the whole list in the file store. @returns its key; null when it is empty. */
  keep(files: RunFiles, accountId: number): Promise<string | null>
}

/** Collects refused rows: all of them in a temporary file, and groups of them in memory. */
export function openRefusalList(unfinished: Unfinished): RefusalList {
  const groups = new RefusalGroups()
  let lines: string[] = []
  let open: { path: string; stream: WriteStream } | undefined
  const list: RefusalList = {
    add({ line, sku, faults }, isCounted) {
      if (isCounted) groups.add(line, sku, faults)
      lines.push(`${JSON.stringify({ line, sku, faults })}\n`)
    },
    async flush() {
      if (lines.length === 0) return
      if (open === undefined) {
        const path = await unfinished.path()
        open = { path, stream: createWriteStream(path, { mode: 0o600 }) }
        // told by `finished`, below
        open.stream.on('error', () => {})
      }
      const text = lines.join('')
      lines = []
      if (!open.stream.write(text) && !open.stream.errored) await once(open.stream, 'drain')
    },
    groups: () => groups.groups(),
    async keep(files, accountId) {
      await list.flush()
      if (open === undefined) return null
      open.stream.end()
      await finished(open.stream)
      return (await files.keep(accountId, open.path, 'refused.ndjson')).key
    },
    async [Symbol.asyncDispose]() {
      if (open === undefined) return
      open.stream.destroy()
      await rm(open.path, { force: true })
    },
  }
  return list
}
