import { inTransaction, type Db } from '../../src/db/sql.ts'
import type { Exchange } from '../../src/outbound/client.ts'
import type { Result } from '../../src/webhooks/deliver/settle.ts'
import { paceOf } from '../../src/webhooks/schedule/pace.ts'
import { step, type Claim, type Stepped } from '../../src/webhooks/deliver/step.ts'

/** The transactions of the delivery loop with a simulated clock and without sockets: the test provides the results. */
export interface Stepper {
  /** Milliseconds that the clock is ahead of `frozenAt`. */
  aheadMs: number
  /** The random number, from 0 to 1 (exclusive), by which jitter is added. */
  chance: number
  /** The number of the process for which it acts. */
  holder: number | null
  /** Whether its process has no slot free. */
  isFull: boolean
  /** Runs one step with the results of the claims of the last one. */
  step(results?: readonly Result[]): Promise<Stepped>
  result(claim: Claim, exchange: Exchange): Result
}

export function answered(status: number, retryAfter: string | null = null): Exchange {
  return {
    kind: 'answered',
    status,
    retryAfter,
    contentEncoding: null,
    etag: null,
    lastModified: null,
    location: null,
    body: new Uint8Array(),
    isCut: false,
    durationMs: 5,
  }
}

export const refused: Exchange = {
  kind: 'failed',
  fault: 'refused',
  isOurs: false,
  detail: 'the connection was refused',
  durationMs: 1,
}
export const ourFault: Exchange = {
  kind: 'failed',
  fault: 'resolver',
  isOurs: true,
  detail: 'our resolver did not answer',
  durationMs: 1,
}

/**
 * @param frozenAt the time of the clock at aheadMs 0, so that durations are exact however long the test takes. Unless set:
 *   now, rounded up to a millisecond. The database's times have microseconds, so work that it has just made due would
 *   otherwise be later than a `new Date()` of the same millisecond (seen on a fast machine, in about 1 step of 100).
 */
export function openStepper(db: Db, accountId: number, frozenAt = new Date(Date.now() + 1)): Stepper {
  const stepper: Stepper = {
    aheadMs: 0,
    chance: 0,
    holder: null,
    isFull: false,
    step: (results = []) =>
      inTransaction(db, (tx) =>
        step(tx, accountId, results, {
          pace: paceOf(4),
          chance: () => stepper.chance,
          holder: stepper.holder,
          clock: () => new Date(frozenAt.getTime() + stepper.aheadMs),
          take: () => !stepper.isFull,
          isFull: () => stepper.isFull,
          giveBack: () => {},
        }),
      ),
    result: ({ endpointId, delivery, body, next, leaseId, generation }, exchange) => ({
      endpointId,
      delivery,
      body,
      next,
      leaseId,
      generation,
      exchange,
      beganAt: new Date(frozenAt.getTime() + stepper.aheadMs),
    }),
  }
  return stepper
}
