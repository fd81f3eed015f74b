import type { Log } from '../platform/log.ts'
import { startLoop, type Loop } from '../platform/process/loop.ts'
import { erasing, type ErasureContext, type ErasureStep } from './erase.ts'
import { erasuresDue } from './erasures.sql.ts'

const IDLE_MS = 5_000

/** Starts the loop that erases accounts when they are due, one after another. Any number of processes may run one, besides commands. */
export function startErasing(context: ErasureContext, log: Log): Loop {
  const { db } = context
  let queue: number[] = []
  let current: { accountId: number; work: AsyncGenerator<ErasureStep, boolean> } | undefined
  return startLoop({
    name: 'erasures',
    log,
    idleMs: IDLE_MS,
    async step() {
      if (current === undefined) {
        if (queue.length === 0) queue = await erasuresDue(db)
        const accountId = queue.shift()
        if (accountId === undefined) return 'idle'
        current = { accountId, work: erasing(context, accountId) }
      }
      const { accountId, work } = current
      // if this step fails, a later run finds the account again and starts over; the others in the queue come first
      current = undefined
      const step = await db.nodes.unlessAway(accountId, () => work.next())
      if (step === undefined) return queue.length > 0 ? 'more' : 'idle'
      if (step.done !== true) current = { accountId, work }
      else if (step.value)
        log.info({ accountId }, 'an account was erased: shelfwire account erasures shows the receipt')
      return 'more'
    },
  })
}
