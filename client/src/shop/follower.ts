import type { Status } from '../sync/sync.ts'
import { alone, noteRunBegan, noteRunEnded, type KeptDatabase } from './kept.sql.ts'
import type { Logger } from './keeper.ts'
import type { ShopSession } from './shop-session.ts'

// Reads until the shop is as the stores are: from a schedule, and sooner when a webhook says that something changed.

export interface FollowerOptions {
  db: KeptDatabase
  logger: Logger
  /** Opened for each look, so that what is mended in the shop or in the account counts. */
  open: () => Promise<ShopSession>
  /** What the log and the shop's page say of an error; its message unless set. */
  sayOf?: (error: unknown) => string
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export class Follower {
  #running: Promise<void> | null = null
  #isHinted = false

  /** Brings the shop up to date. Called while it does so already, it looks once more at the end. What goes wrong is logged, and mended by the next call. */
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
        await alone(options.db, () => once(options))
      } catch (error) {
        const { logger, sayOf = messageOf } = options
        logger.error(`Shelfwire: ${sayOf(error)}; tried again within a minute`)
        return
      }
    }
  }
}

async function once(options: FollowerOptions): Promise<void> {
  await noteRunBegan(options.db)
  try {
    await bring(options)
    await noteRunEnded(options.db, null)
  } catch (error) {
    await noteRunEnded(options.db, (options.sayOf ?? messageOf)(error))
    throw error
  }
}

async function bring({ open, logger }: FollowerOptions): Promise<void> {
  const { shelf, target, stores } = await open()
  await target.forgetOthers()
  const tell = tellerOf(logger)
  let hasChanged = false
  const onStatus = (status: Status) => {
    hasChanged ||= status.state === 'filling' || status.state === 'following'
    tell(status)
  }
  await shelf.sync({ stores, target, onStatus }).once()
  await target.bringRefused(hasChanged)
}

/** Writes the log. A first fill says how far it is. */
function tellerOf(logger: Logger): (status: Status) => void {
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
