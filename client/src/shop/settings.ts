import { Shelfwire } from '../shelfwire.ts'
import { lastRun, refusedArticles, refusedCount, storeCounts, type KeptConnection } from './kept.sql.ts'

// The data of the connector's page in the shop's admin: how it is set up, how far it is, and what went wrong. The token is not among them.

/** How many refused articles are listed. */
const REFUSED = 100
const ASKED_MS = 5_000

/** A store as the shop's options name it, and the state of its mirror. */
export interface StoreSetting {
  store: string
  /** The channel of the shop in which the store's products are sold, as the options have it; null: the shop's default one. */
  sold_in: string | null
  stock_location: string | null
  /** waiting: nothing is read yet. filling: the first fill, or one after a backup of the service was restored. */
  state: 'waiting' | 'filling' | 'following'
  /** The time of the cursor; null unless `following`. */
  as_of: string | null
  /** Products of the store that were brought into the shop. */
  products: number
  /** Products that Shelfwire has in the store; null: it did not answer. */
  total: number | null
}

/** As JSON carries it: times are texts. */
export interface ShopSettings {
  connection: {
    url: string
    /** Whether a token is set. The token itself is shown to nobody. */
    has_token: boolean
    has_webhook_secret: boolean
    /** Why Shelfwire does not answer; null: it does. */
    problem: string | null
  }
  stores: StoreSetting[]
  /** Names of the members that the shop edits and the connector leaves alone. */
  shop_owns: string[]
  /** Shelfwire's customer groups -> the shop's; null: their prices are not written to the shop. */
  customer_groups: Record<string, string | null>
  /** The last time that the shop looked for changes. It runs, or was killed, where it has no end; without a problem it has brought everything. */
  last_run: { began: string; ended: string | null; problem: string | null } | null
  /** How many articles the shop has refused to take. */
  refused_count: number
  /** The first hundred of them. */
  refused: { article: string; reason: string; since: string }[]
}

/** The part of a connector's options that the page shows. */
export interface ShownOptions {
  url: string
  token: string
  webhookSecrets: readonly string[]
  stores: readonly { store: string; soldIn: string | null; stockLocation: string | null }[]
  shopOwns: Iterable<string>
  customerGroups: ReadonlyMap<string, string | null>
}

/** Reads the data of the page. Asks Shelfwire how many products each store has, but for no longer than a person waits for a page. */
export async function shopSettings(db: KeptConnection, options: ShownOptions): Promise<ShopSettings> {
  const { url, token } = options
  const shelf = new Shelfwire({ url, token, attempts: 1, timeoutMs: ASKED_MS })
  const kept = new Map((await storeCounts(db)).map((row) => [row.store, row]))
  let problem: string | null = null
  const stores = await Promise.all(
    options.stores.map(async ({ store, soldIn, stockLocation }): Promise<StoreSetting> => {
      const { position, products = 0 } = kept.get(store) ?? {}
      const { kind, since } = position === undefined ? { kind: 'waiting', since: null } : stateOf(position)
      const total = await shelf.products.list({ store, perPage: 1, signal: AbortSignal.timeout(ASKED_MS) }).then(
        ({ meta }) => meta.total,
        (error: unknown) => {
          problem = error instanceof Error ? error.message : String(error)
          return null
        },
      )
      return {
        store,
        sold_in: soldIn,
        stock_location: stockLocation,
        state: kind as StoreSetting['state'],
        as_of: kind === 'following' ? since : null,
        products,
        total,
      }
    }),
  )
  const run = await lastRun(db)
  const refused = await refusedArticles(db, REFUSED)
  return {
    connection: { url, has_token: token !== '', has_webhook_secret: options.webhookSecrets.length > 0, problem },
    stores,
    shop_owns: [...options.shopOwns],
    customer_groups: Object.fromEntries(options.customerGroups),
    last_run: run && { ...run, began: run.began.toISOString(), ended: run.ended?.toISOString() ?? null },
    refused_count: await refusedCount(db),
    refused: refused.map((each) => ({ ...each, since: each.since.toISOString() })),
  }
}

const stateOf = (position: string) => JSON.parse(position) as { kind: string; since: string }
