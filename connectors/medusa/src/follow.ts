import type { Status } from '@shelfwire/client'
import type { Container, Logger } from './medusa-shop.ts'
import { openSession } from './session.ts'
import { alone } from './state/state.sql.ts'

// Reads until the shop is as the stores are: from the scheduled job, and sooner when a webhook says that something changed.

let running: Promise<void> | null = null
let isHinted = false

/** Brings the shop up to date. Called while it does so already, it looks once more at the end. What goes wrong is logged, and mended by the next call. */
export async function follow(shop: Container): Promise<void> {
  isHinted = true
  running ??= followWhileHinted(shop).finally(() => {
    running = null
  })
  await running
}

async function followWhileHinted(shop: Container): Promise<void> {
  while (isHinted) {
    isHinted = false
    try {
      await alone(shop.resolve('__pg_connection__'), () => once(shop))
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      shop.resolve('logger').error(`Shelfwire: ${text}; tried again within a minute`)
      return
    }
  }
}

async function once(shop: Container): Promise<void> {
  const { shelf, target, stores } = await openSession(shop)
  await target.forgetOthers()
  const onStatus = tellerOf(shop.resolve('logger'))
  await shelf.sync({ stores, target, onStatus }).once()
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
