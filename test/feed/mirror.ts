import type { Db } from '../../src/db/sql.ts'
import { readFeed, type Cursor, type FeedWindow } from '../../src/feed/read.ts'
import { payloadsGet } from '../../src/shelf/reads/payload-reads.sql.ts'

/** The part of payloads that a mirror keeps: all, or one half. */
export type Keeps = 'all' | 'price' | 'content'

/** The state that a client saves between two runs. */
export interface Saved {
  cursor: Cursor
  products: ReadonlyMap<number, string>
}

/**
 * A client of one store's feed, written like a connector: it reads window after window, fetches the products they name and
 * deletes those that are no longer listed. It can be restored from any state it saved.
 */
export class Mirror {
  readonly db: Db
  readonly accountId: number
  readonly storeId: number
  readonly keeps: Keeps
  cursor: Cursor = { kind: 'beginning' }
  products = new Map<number, string>()

  constructor(db: Db, accountId: number, storeId: number, keeps: Keeps = 'all') {
    this.db = db
    this.accountId = accountId
    this.storeId = storeId
    this.keeps = keeps
  }

  save(): Saved {
    return { cursor: this.cursor, products: new Map(this.products) }
  }

  restore(saved: Saved): void {
    this.cursor = saved.cursor
    this.products = new Map(saved.products)
  }

  /** Reads one window and applies it. */
  async poll(limit: number): Promise<FeedWindow> {
    const window = await readFeed(this.db, this.accountId, this.storeId, this.cursor, limit)
    const named = window.changes.filter(
      ({ kinds }) => this.keeps === 'all' || kinds.includes(this.keeps) || kinds.includes('removed'),
    )
    const rows = await payloadsGet(
      this.db,
      this.accountId,
      named.map(({ productId }) => ({ storeId: this.storeId, productId })),
    )
    const found = new Map(rows.map((row) => [row.productId, row]))
    for (const { productId } of named) {
      const row = found.get(productId)
      if (row === undefined) this.products.delete(productId)
      else this.products.set(productId, part(row, this.keeps))
    }
    this.cursor = { kind: 'pair', ...window.next }
    return window
  }

  /** Reads to the end, in windows of `limit`. */
  async readAll(limit: () => number): Promise<this> {
    for (;;) if (!(await this.poll(limit())).hasMore) return this
  }
}

function part(row: { content: string; price: string }, keeps: Keeps): string {
  if (keeps === 'price') return row.price
  return keeps === 'content' ? row.content : `${row.content},${row.price}`
}

/** The expected content of every mirror of the store, from the payload tables instead of the feed. */
export async function oracle(
  db: Db,
  accountId: number,
  storeId: number,
  keeps: Keeps = 'all',
): Promise<Map<number, string>> {
  const rows = await db<{ productId: number; content: string; price: string }[]>`
    select product_id as "productId", c.body as content, p.body as price
    from payload_content c join payload_price p using (account_id, store_id, product_id)
    where account_id = ${accountId} and store_id = ${storeId}`
  return new Map(rows.map((row) => [row.productId, part(row, keeps)]))
}

/** The entries of a map sorted by id, for comparison. */
export function entries(products: ReadonlyMap<number, string>): [number, string][] {
  return [...products].sort(([a], [b]) => a - b)
}
