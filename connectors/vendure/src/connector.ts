import { Inject, Injectable } from '@nestjs/common'
import { ModuleRef } from '@nestjs/core'
import { JobQueueService, ProcessContext } from '@vendure/core'
import { Follower, makeKeptTables, shopSettings, shopStatus, verifyShop, warnOnce } from '@shelfwire/client/shop'
import { optionsOf, type Options } from './options.ts'
import { openSession } from './session.ts'
import { keyPages } from './shop/found.ts'
import { logger, Shop } from './vendure-shop.ts'

const EVERY_MS = 60_000
/** The injection token of the plugin's raw options. */
export const OPTIONS = Symbol('options of @shelfwire/vendure')

/** Keeps the shop up to date: each minute, after a webhook, and on demand. */
@Injectable()
export class Connector {
  readonly #shop: Shop
  readonly #raw: unknown
  readonly #follower = new Follower()
  readonly #warn = warnOnce(logger)
  #timer: NodeJS.Timeout | undefined
  #queue: { add(data: object, options: { retries: number }): Promise<unknown> } | undefined

  constructor(@Inject(ModuleRef) moduleRef: ModuleRef, @Inject(OPTIONS) options: unknown) {
    this.#shop = new Shop(moduleRef)
    this.#raw = options
  }

  /** @throws OptionsError */
  get options(): Options {
    return optionsOf(this.#raw)
  }

  /** Called by Nest. */
  async onApplicationBootstrap(): Promise<void> {
    const { runIn } = this.options
    const { isServer, isWorker } = this.#shop.get(ProcessContext)
    this.#queue = await this.#shop.get(JobQueueService).createQueue({ name: 'shelfwire', process: () => this.follow() })
    // neither: a tool that bootstraps the shop, as for changing its tables
    if (!isServer && !isWorker) return
    await makeKeptTables(this.#shop.db)
    if (runIn === 'worker' ? !isWorker : !isServer) return
    void this.follow()
    this.#timer = setInterval(() => void this.follow(), EVERY_MS)
    this.#timer.unref()
  }

  /** Called by Nest. */
  onModuleDestroy(): void {
    clearInterval(this.#timer)
  }

  /** Brings the shop up to date; errors are logged. */
  follow(): Promise<void> {
    return this.#follower.follow({ db: this.#shop.db, logger, open: () => this.#open() })
  }

  /** Reads changes now, in the process that does the work. */
  async hint(): Promise<void> {
    if (this.options.runIn === 'server') void this.follow()
    else await this.#queue?.add({}, { retries: 0 })
  }

  status(): ReturnType<typeof shopStatus> {
    return shopStatus(this.#shop.db)
  }

  /** The data of the page in the dashboard. */
  settings(): ReturnType<typeof shopSettings> {
    const { options } = this
    const stores = options.stores.map((store) => ({ ...store, soldIn: store.channel }))
    return shopSettings(this.#shop.db, { ...options, stores })
  }

  /** Compares the shop with its stores. @param repair writes again what differs @returns null while the shop is being brought up to date */
  verify(repair: boolean): ReturnType<typeof verifyShop> {
    return verifyShop({ db: this.#shop.db, open: () => this.#open(), keys: () => keyPages(this.#shop), repair })
  }

  #open(): ReturnType<typeof openSession> {
    return openSession(this.#shop, this.options, this.#warn)
  }
}
