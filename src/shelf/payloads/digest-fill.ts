import { setTimeout as rest } from 'node:timers/promises'
import { inTransaction, type Db, type Tx } from '../../db/sql.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop, type Loop } from '../../platform/process/loop.ts'
import { counterLock } from './change-counter.sql.ts'
import {
  accountsToDigest,
  digestFillDelete,
  digestFillLock,
  digestFillMove,
  digestsCompute,
  blocksAfter,
} from './digests.sql.ts'

// Computes digests of blocks that existed before digests were introduced, or that a process of an older release has
// written since.

const ACCOUNTS_PER_STEP = 100
/** Each block is 1,024 products; four of them lock the account's counter for some 15 ms. */
const BLOCKS_PER_FILL = 4
const IDLE_MS = 10_000

/** Computes digests of a few blocks of each account that lacks some. @returns whether there may be more to do. */
export async function digestFillStep(db: Db, blocks = BLOCKS_PER_FILL): Promise<boolean> {
  const due = await db.nodes.scan('digest fill', (accounts) => accountsToDigest(db, ACCOUNTS_PER_STEP, accounts))
  let moved = 0
  for (const accountId of due.rows) {
    await db.nodes.unlessAway(accountId, async () => {
      const from = performance.now()
      if (await inTransaction(db, (tx) => fillNext(tx, accountId, blocks))) moved++
      // leaves the counter to shelvers of this account for at least as long
      await rest(performance.now() - from)
    })
  }
  return moved > 0
}

async function fillNext(tx: Tx, accountId: number, blocks: number): Promise<boolean> {
  const place = await digestFillLock(tx, accountId)
  if (place === undefined) return false
  const keys = await blocksAfter(tx, accountId, place, blocks)
  // in a separate statement before the tags are read, so that they include the commits that the lock waited for
  await counterLock(tx, accountId)
  await Promise.all(keys.map((key) => digestsCompute(tx, accountId, key)))
  const last = keys.at(-1)
  if (last === undefined) await digestFillDelete(tx, accountId, place.dueAt)
  else await digestFillMove(tx, accountId, { ...place, ...last })
  return true
}

/** Starts the loop in this process. Several processes may run one each: they take different accounts. */
export function startFillingDigests(db: Db, log: Log): Loop {
  return startLoop({
    name: 'digests',
    log,
    idleMs: IDLE_MS,
    step: async () => ((await digestFillStep(db)) ? 'more' : 'idle'),
  })
}
