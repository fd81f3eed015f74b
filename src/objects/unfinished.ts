import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Files of processes that were killed are removed after so long. */
const ABANDONED_MS = 3_600_000

/** A directory for files that are being written. The caller that asks for a path renames or removes the file. */
export interface Unfinished {
  path(): Promise<string>
}

/** Made when it is first needed; what was abandoned there is removed then. */
export function openUnfinished(directory: string): Unfinished {
  let ready: Promise<void> | undefined
  return {
    async path() {
      await (ready ??= prepare(directory).catch((error: unknown) => {
        ready = undefined
        throw error
      }))
      // also where somebody has removed it since
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
