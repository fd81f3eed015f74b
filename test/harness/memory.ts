import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { freemem } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const GB = 2 ** 30

/**
 * A temporary directory in memory for the servers, databases and DATA_DIRs of a gate. A test file's database is a copy of the template's 700 files,
 * which takes 0.03 s in memory, and 0.1 to 0.9 s on the disk of a busy machine; and writes that must be durable need not wait for a disk. Null where
 * the machine has too little memory: then tests use its usual temporary directory.
 */
export async function temporaryMemory(isFull: boolean): Promise<string | null> {
  if (!existsSync(MEMORY)) return null
  // first, because files of a killed gate may take the room that is missing
  await removeAbandoned()
  const { bavail, bsize } = await statfs(MEMORY)
  if (Math.min(bavail * bsize, freemem()) < (isFull ? 12 : 6) * GB) return null
  const directory = await mkdtemp(join(MEMORY, `shelfwire-tests-${process.pid}-`))
  // servers run as another user
  await chmod(directory, 0o1777)
  return directory
}

/** Removes files that killed runs have left in memory. A server that still runs there ends within a minute. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const [, pid] = /^shelfwire-tests?-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rm(join(MEMORY, name), { recursive: true, force: true }).catch(() => {})
  }
}
