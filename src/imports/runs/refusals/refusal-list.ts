import { once } from 'node:events'
import type { WriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import type { Unfinished } from '../../../objects/unfinished.ts'
import type { Fault } from '../../../platform/errors.ts'
import type { RunFiles } from '../../files/run-files.ts'
import { RefusalGroups } from './refusal-groups.ts'
import type { RefusalGroup } from '../runs.sql.ts'

/** A refused row, or (`line` null) a stale offer, as one JSON object per line of the list. */
export interface ListedRefusal {
  line: number | null
  sku: string | null
  faults: readonly Fault[]
}

export interface RefusalList extends AsyncDisposable {
  add(refusal: ListedRefusal, isCounted: boolean): void
  /** Waits until the added rows have been passed to the disk. */
  flush(): Promise<void>
  groups(): RefusalGroup[]
  /** Stores the whole list in the file store. @returns its key; null if the list is empty. */
  keep(files: RunFiles, accountId: number): Promise<string | null>
}

/** Collects refused rows: all of them in a temporary file, and their groups in memory. */
export function openRefusalList(unfinished: Unfinished): RefusalList {
  const groups = new RefusalGroups()
  let lines: string[] = []
  let file: { path: string; stream: WriteStream } | undefined
  const list: RefusalList = {
    add({ line, sku, faults }, isCounted) {
      if (isCounted) groups.add(line, sku, faults)
      lines.push(`${JSON.stringify({ line, sku, faults })}\n`)
    },
    async flush() {
      if (lines.length === 0) return
      if (file === undefined) {
        const path = await unfinished.path()
        // opened here, before the list can be disposed of: a stream that opens its file itself could still create it after the file was removed
        file = { path, stream: (await open(path, 'wx', 0o600)).createWriteStream() }
        // a failed write is thrown by `finished`, where the list is stored
        file.stream.on('error', () => {})
      }
      const text = lines.join('')
      lines = []
      if (!file.stream.write(text) && !file.stream.errored) await once(file.stream, 'drain')
    },
    groups: () => groups.groups(),
    async keep(files, accountId) {
      await list.flush()
      if (file === undefined) return null
      file.stream.end()
      await finished(file.stream)
      return (await files.keep(accountId, file.path, 'refused.ndjson')).key
    },
    async [Symbol.asyncDispose]() {
      if (file === undefined) return
      file.stream.destroy()
      await rm(file.path, { force: true })
    },
  }
  return list
}
