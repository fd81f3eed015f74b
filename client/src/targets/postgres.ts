import type { Batch } from '../sync/target.ts'
import { takeTexts, textsOf } from '../sync/unread.ts'
import type { Held, VerifiableTarget } from '../verify/held.ts'
import { productText } from '../verify/product-text.ts'

/** The functions of `pg`'s Pool that are used here. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
}
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  release(error?: boolean): void
}

const TABLES = `
  create table if not exists shelfwire_product (
    store text not null, id bigint not null, product jsonb not null, primary key (store, id)
  );
  create table if not exists shelfwire_position (store text not null primary key, position text)`

/** How many products are read at a time. */
const PAGE = 1_000

/** Without this lock, of two processes that create the same table at once one would fail on PostgreSQL's own catalog. */
const TABLES_LOCK = 'select pg_advisory_xact_lock(7433919862)'

/**
 * A mirror in a PostgreSQL database: shelfwire_product (store, id, product) and shelfwire_position, created where they are missing, in the
 * schema that the pool's search_path names. Several processes may share it.
 */
export class PostgresTarget implements VerifiableTarget {
  readonly fillSize = 1_000
  readonly #pool: PostgresPool
  #created: Promise<void> | undefined

  constructor(pool: PostgresPool) {
    this.#pool = pool
  }

  async position(store: string): Promise<string | null> {
    await this.#tables()
    const rows = await this.#query<{ position: string | null }>(
      'select position from shelfwire_position where store = $1',
      [store],
    )
    return rows[0]?.position ?? null
  }

  async apply(batch: Batch): Promise<boolean> {
    const { store, from, position, removed } = batch
    await this.#tables()
    return this.#transaction(async (client) => {
      // the row serves as the lock between the writers of the store
      await client.query('insert into shelfwire_position (store) values ($1) on conflict do nothing', [store])
      const { rows } = await client.query('select position from shelfwire_position where store = $1 for update', [
        store,
      ])
      if (((rows[0] as { position: string | null } | undefined)?.position ?? null) !== from) return false
      const texts = [...textsOf(batch)]
      if (texts.length > 0)
        await client.query(
          `insert into shelfwire_product (store, id, product)
            select $1, * from unnest($2::bigint[], $3::jsonb[])
            on conflict (store, id) do update set product = excluded.product`,
          [store, texts.map(({ id }) => id), texts.map(({ text }) => text)],
        )
      if (removed.length > 0)
        await client.query('delete from shelfwire_product where store = $1 and id = any($2::bigint[])', [
          store,
          removed,
        ])
      await client.query('update shelfwire_position set position = $2 where store = $1', [store, position])
      return true
    })
  }

  async ids(store: string, after: number, limit: number): Promise<number[]> {
    await this.#tables()
    const rows = await this.#query<{ id: string | number }>(
      'select id from shelfwire_product where store = $1 and id > $2 order by id limit $3',
      [store, after, limit],
    )
    return rows.map(({ id }) => Number(id))
  }

  async *held(store: string): AsyncGenerator<Held[]> {
    await this.#tables()
    for (let after = -1; ;) {
      // as text: pg parses jsonb itself, and the application may have replaced its parser
      const rows = await this.#query<{ id: string | number; product: string }>(
        'select id, product::text as product from shelfwire_product where store = $1 and id > $2 order by id limit $3',
        [store, after, PAGE],
      )
      const last = rows.at(-1)
      if (last === undefined) return
      yield rows.map(({ id, product }) => ({ id: Number(id), text: productText(JSON.parse(product)) }))
      after = Number(last.id)
    }
  }

  #tables(): Promise<void> {
    this.#created ??= this.#transaction(async (client) => {
      await client.query(TABLES_LOCK)
      await client.query(TABLES)
    }).catch((error: unknown) => {
      // the next call tries again
      this.#created = undefined
      throw error
    })
    return this.#created
  }

  async #query<R>(text: string, values: unknown[]): Promise<R[]> {
    return this.#transaction(async (client) => (await client.query(text, values)).rows as R[])
  }

  async #transaction<R>(work: (client: PostgresClient) => Promise<R>): Promise<R> {
    const client = await this.#pool.connect()
    try {
      await client.query('begin')
      const result = await work(client)
      await client.query('commit')
      client.release()
      return result
    } catch (error) {
      // a connection in an unknown state is not used again
      client.release(true)
      throw error
    }
  }
}

takeTexts(PostgresTarget.prototype)
