import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Files that are older than this were left by killed processes and are removed. */
const ABANDONED_MS = 3_600_000

/** A directory for files that are being written. The caller that requests a path must rename or remove the file. */
export interface Unfinished {
  path(): Promise<string>
}

/** The directory is created on first use; abandoned files in it are then removed. */
export function openUnfinished(directory: string): Unfinished {
  let ready: Promise<void> | undefined
  return {
    async path() {
      await (ready ??= prepare(directory).catch((error: unknown) => {
        ready = undefined
        throw error
      }))
      // somebody may have removed it since
      await mkdir(directory, { recursive: true, mode: 0o700 })
      return join(directory, randomUUID())
    },
  }
}

async function prepare(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
  }
}
