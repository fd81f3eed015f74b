import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Batch } from '../sync/target.ts'
import { takeTexts, textsOf } from '../sync/unread.ts'
import type { Product } from '../answers.ts'
import { BLOCK } from '../verify/halves.ts'
import type { DigestedBlock, Held, VerifiableTarget } from '../verify/held.ts'
import { digestsByThreads } from './sqlite-threads.ts'

// Two tables, created where they are missing: shelfwire_product (store, id, product as JSON) and shelfwire_position.
// The product table has row ids, and pages are large: in a table without row ids, a row of more than a quarter of a page gets pages of its own,
// and one of 1.3 kB took 4.7 kB. Files of 0.2.0 have such tables and keep them; the same statements read and write both.

const PAGE_BYTES = 16_384
const TABLES = `
  create table if not exists shelfwire_product (
    store text not null, id integer not null, product text not null, primary key (store, id)
  );
  create table if not exists shelfwire_position (store text not null primary key, position text not null)`

const PAGE = 500
/** Its columns are named as the members of `Held`, so that a million rows need not be converted. */
const PAGE_OF_HELD =
  'select id, cast(product as text) as text from shelfwire_product where store = ? and id > ? order by id limit ?'
/** A smaller mirror is compared before threads would have started. */
const THREADS_FROM = 50_000

export interface SqliteOptions {
  /** With at least so many products in a store, `verify` computes digests by one thread per core; 50,000 unless set. Infinity: never. */
  threadsFrom?: number
}

/** A mirror in a SQLite file, by Node's own `node:sqlite` (Node 22.13 and newer). Several processes may share the file. */
export class SqliteTarget implements VerifiableTarget {
  readonly fillSize = 1_000
  readonly #db: DatabaseSync
  readonly #file: string
  readonly #threadsFrom: number
  readonly #position: StatementSync
  readonly #ids: StatementSync
  readonly #save: StatementSync
  readonly #upsert: StatementSync
  readonly #remove: StatementSync
  readonly #get: StatementSync
  readonly #page: StatementSync
  readonly #nth: StatementSync

  /** @param file its path, or ":memory:" */
  constructor(file: string, { threadsFrom = THREADS_FROM }: SqliteOptions = {}) {
    this.#file = file
    this.#threadsFrom = threadsFrom
    this.#db = new DatabaseSync(file, { timeout: 10_000 })
    // the page size takes effect only in a new file
    this.#db.exec(`pragma page_size = ${PAGE_BYTES}; pragma journal_mode = wal; pragma synchronous = normal`)
    this.#db.exec(TABLES)
    this.#position = this.#db.prepare('select position from shelfwire_position where store = ?')
    this.#ids = this.#db.prepare('select id from shelfwire_product where store = ? and id > ? order by id limit ?')
    this.#save = this.#db.prepare(
      'insert into shelfwire_position (store, position) values (?, ?) on conflict (store) do update set position = excluded.position',
    )
    this.#upsert = this.#db.prepare(
      'insert into shelfwire_product (store, id, product) values (?, ?, ?) on conflict (store, id) do update set product = excluded.product',
    )
    this.#remove = this.#db.prepare('delete from shelfwire_product where store = ? and id = ?')
    this.#get = this.#db.prepare('select product from shelfwire_product where store = ? and id = ?')
    this.#nth = this.#db.prepare('select id from shelfwire_product where store = ? order by id limit 1 offset ?')
    this.#page = this.#db.prepare(PAGE_OF_HELD)
  }

  product(store: string, id: number): Product | undefined {
    const row = this.#get.get(store, id)
    return row === undefined ? undefined : (JSON.parse(String(row['product'])) as Product)
  }

  /** The products of a store by ID ascending; what is written meanwhile may be among them or not. */
  *walk(store: string): Generator<Product> {
    for (const page of this.held(store)) for (const { text } of page) yield JSON.parse(text) as Product
  }

  *held(store: string): Generator<Held[]> {
    for (let after = -1, page = this.#heldAfter(store, after); page.length > 0; page = this.#heldAfter(store, after)) {
      yield page
      after = page.at(-1)?.id ?? after
    }
  }

  /** Digests computed by threads; null where the mirror is no plain file, or has few products. */
  digests(store: string): AsyncIterable<DigestedBlock & { held(): Held[] }> | null {
    // another connection cannot read a database in memory, nor a temporary one, whose name is empty
    if (this.#file === '' || this.#file.startsWith(':memory:') || this.#file.startsWith('file:')) return null
    if (!this.#hasProducts(store, this.#threadsFrom)) return null
    const computed = digestsByThreads({ file: this.#file, store }, (id) => {
      const row = this.#ids.get(store, id, 1)
      return row === undefined ? undefined : Number(row['id'])
    })
    return computed === null ? null : this.#withHeld(store, computed)
  }

  /** Whether the store has at least so many products. Reads no more rows than that, which takes a fraction of the time of their hashes. */
  #hasProducts(store: string, count: number): boolean {
    return Number.isFinite(count) && this.#nth.get(store, Math.max(0, Math.ceil(count) - 1)) !== undefined
  }

  async *#withHeld(store: string, computed: AsyncIterable<DigestedBlock>) {
    for await (const digested of computed)
      yield {
        ...digested,
        held: () =>
          this.#heldAfter(store, digested.block * BLOCK - 1, BLOCK).filter(
            ({ id }) => id < (digested.block + 1) * BLOCK,
          ),
      }
  }

  #heldAfter(store: string, after: number, limit = PAGE): Held[] {
    return this.#page.all(store, after, limit) as unknown as Held[]
  }

  /** The stores that have a position. */
  stores(): string[] {
    return this.#db
      .prepare('select store from shelfwire_position order by store')
      .all()
      .map((row) => String(row['store']))
  }

  position(store: string): Promise<string | null> {
    return Promise.resolve(this.#saved(store))
  }

  #saved(store: string): string | null {
    const row = this.#position.get(store)
    return row === undefined ? null : String(row['position'])
  }

  // async although node:sqlite is synchronous, so that its errors become rejections
  async apply(batch: Batch): Promise<boolean> {
    const { store, from, position, removed } = batch
    this.#db.exec('begin immediate')
    try {
      const isExpected = this.#saved(store) === from
      if (isExpected) {
        for (const { id, text } of textsOf(batch)) this.#upsert.run(store, id, text)
        for (const id of removed) this.#remove.run(store, id)
        this.#save.run(store, position)
      }
      this.#db.exec('commit')
      return isExpected
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    }
  }

  ids(store: string, after: number, limit: number): Promise<number[]> {
    return Promise.resolve(this.#ids.all(store, after, limit).map((row) => Number(row['id'])))
  }

  close(): void {
    this.#db.close()
  }
}

takeTexts(SqliteTarget.prototype)
