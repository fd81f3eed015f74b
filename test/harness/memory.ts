import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { freemem } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const GB = 2 ** 30

/**
 * A temporary directory in memory for the servers, databases and DATA_DIRs of a gate, where there is plenty: a test file's database is a copy of
 * the template's 700 files, which takes 0.03 s there, and 0.1 to 0.9 s on the disk of a busy machine; and what has to be on the disk before it is
 * acknowledged is not waited for. Null where there is not: the tests take the machine's own.
 */
export async function temporaryMemory(isFull: boolean): Promise<string | null> {
  if (!existsSync(MEMORY)) return null
  // first: what a killed gate left may be what there is too little room for
  await removeAbandoned()
  const { bavail, bsize } = await statfs(MEMORY)
  if (Math.min(bavail * bsize, freemem()) < (isFull ? 12 : 6) * GB) return null
  const directory = await mkdtemp(join(MEMORY, `shelfwire-tests-${process.pid}-`))
  // servers run as another user
  await chmod(directory, 0o1777)
  return directory
}

/** Removes what runs that were killed left in memory; a server that still runs there ends within a minute. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const [, pid] = /^shelfwire-tests?-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rm(join(MEMORY, name), { recursive: true, force: true }).catch(() => {})
  }
}
