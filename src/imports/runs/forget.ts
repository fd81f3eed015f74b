import { inTransaction, type Db } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import type { RunFiles } from '../files/run-files.ts'
import { accountsWithOldFiles, accountsWithOldRuns, filesForget, filesUnnamed, runsForget } from './forget.sql.ts'

const IDLE_MS = 3_600_000
const FILES_PER_STEP = 200

/** Removes files of runs that ended long ago. */
export async function forgetFiles(db: Db, files: RunFiles, signal: AbortSignal): Promise<void> {
  const old = await db.nodes.scan('old import files', (accounts) =>
    accountsWithOldFiles(db, LIMITS.importFileDaysMax, accounts),
  )
  for (const accountId of old.rows)
    await db.nodes.unlessAway(accountId, async () => {
      for (let isMore = true; isMore && !signal.aborted;) {
        const forgotten = await inTransaction(db, (tx) =>
          filesForget(tx, accountId, LIMITS.importFileDaysMax, FILES_PER_STEP),
        )
        isMore = forgotten.length === FILES_PER_STEP
        const keys = forgotten
          .flatMap(({ fileKey, refusalsKey }) => [fileKey, refusalsKey])
          .filter((key) => key !== null)
        // if the process is killed here, the files remain without a run, and forgetUnnamedFiles removes them
        for (const key of await filesUnnamed(db, accountId, keys)) await files.remove(key)
      }
    })
}

/** Deletes runs that ended long ago, with their changes, in small transactions. */
export async function forgetRuns(db: Db, signal: AbortSignal): Promise<void> {
  const old = await db.nodes.scan('old imports', (accounts) =>
    accountsWithOldRuns(db, LIMITS.importRunDaysMax, accounts),
  )
  const forget = (accountId: number) =>
    inTransaction(db, (tx) => runsForget(tx, accountId, LIMITS.importRunDaysMax, LIMITS.importRunsDeletedPerStep))
  for (const accountId of old.rows)
    await db.nodes.unlessAway(accountId, async () => {
      while (!signal.aborted && (await forget(accountId)));
    })
}

/** Removes old files that no run names: of uploads that were not completed, and of deleted suppliers. */
export async function forgetUnnamedFiles(db: Db, files: RunFiles, signal: AbortSignal): Promise<void> {
  const before = Date.now() - LIMITS.importFileUnnamedHours * 3_600_000
  const waiting = new Map<number, string[]>()
  const check = async (accountId: number, keys: readonly string[]) => {
    await db.nodes.unlessAway(accountId, async () => {
      for (const key of await filesUnnamed(db, accountId, keys)) await files.remove(key)
    })
  }
  for await (const { key, modifiedAt } of files.list()) {
    if (signal.aborted) return
    const accountId = Number(key.split('/')[0])
    if (modifiedAt.getTime() > before || !Number.isSafeInteger(accountId)) continue
    const keys = waiting.get(accountId) ?? []
    keys.push(key)
    waiting.set(accountId, keys)
    if (keys.length < FILES_PER_STEP) continue
    waiting.delete(accountId)
    await check(accountId, keys)
  }
  for (const [accountId, keys] of waiting) await check(accountId, keys)
}

/** Removes old files and runs of imports, once an hour. */
export function startForgettingRuns(db: Db, files: RunFiles, log: Log): Loop {
  return startLoop({
    name: 'old imports',
    log,
    idleMs: IDLE_MS,
    async step(signal) {
      await forgetFiles(db, files, signal)
      await forgetRuns(db, signal)
      await forgetUnnamedFiles(db, files, signal)
      return 'idle'
    },
  })
}
