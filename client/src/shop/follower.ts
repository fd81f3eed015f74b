import type { Status } from '../sync/sync.ts'
import { runExclusively, noteRunBegan, noteRunEnded, type KeptDatabase } from './kept.sql.ts'
import type { Logger } from './keeper.ts'
import type { ShopSession } from './shop-session.ts'

// Brings the shop up to date with its stores: on a schedule, and sooner when a webhook announces a change.

export interface FollowerOptions {
  db: KeptDatabase
  logger: Logger
  /** Called for each run, so that a correction in the shop or the account takes effect. */
  open: () => Promise<ShopSession>
  /** The text of an error for the log and the shop's page; its message unless set. */
  sayOf?: (error: unknown) => string
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export class Follower {
  #running: Promise<void> | null = null
  #isHinted = false

  /** Brings the shop up to date. A call during a run makes it run once more at its end. Errors are logged, not thrown; the next call tries again. */
  async follow(options: FollowerOptions): Promise<void> {
    this.#isHinted = true
    this.#running ??= this.#followWhileHinted(options).finally(() => {
      this.#running = null
    })
    await this.#running
  }

  async #followWhileHinted(options: FollowerOptions): Promise<void> {
    while (this.#isHinted) {
      this.#isHinted = false
      try {
        await runExclusively(options.db, () => recordedRun(options))
      } catch (error) {
        const { logger, sayOf = messageOf } = options
        logger.error(`Shelfwire: ${sayOf(error)}; tried again within a minute`)
        return
      }
    }
  }
}

async function recordedRun(options: FollowerOptions): Promise<void> {
  await noteRunBegan(options.db)
  try {
    await syncShop(options)
    await noteRunEnded(options.db, null)
  } catch (error) {
    await noteRunEnded(options.db, (options.sayOf ?? messageOf)(error))
    throw error
  }
}

async function syncShop({ open, logger }: FollowerOptions): Promise<void> {
  const { shelf, target, stores } = await open()
  await target.forgetOthers()
  const log = statusLog(logger)
  let hasChanged = false
  const onStatus = (status: Status) => {
    hasChanged ||= status.state === 'filling' || status.state === 'following'
    log(status)
  }
  await shelf.sync({ stores, target, onStatus }).once()
  await target.bringRefused(hasChanged)
}

/** Logs the steps of a sync, each batch of a fill with the number of products so far. */
function statusLog(logger: Logger): (status: Status) => void {
  const since = performance.now()
  return (status) => {
    if (status.state === 'filling')
      logger.info(
        `Shelfwire: ${status.store}: ${status.products} products after ${Math.round((performance.now() - since) / 1_000)} s`,
      )
    else if (status.state === 'following')
      logger.info(`Shelfwire: ${status.store}: ${status.products} changed, ${status.removed} removed`)
    else if (status.state === 'reset')
      logger.warn(`Shelfwire: ${status.store}: the service was restored from a backup; all is read again`)
  }
}
