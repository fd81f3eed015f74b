import type { Product } from '../answers.ts'

// What a connector keeps in the shop's own PostgreSQL. An article is what becomes one product of the shop: a group of variants, or a product
// that is in none. docs/decisions/184-a-connector-lives-in-the-shop.md says why.

/** A transaction or a pool, as Knex has them. */
export interface KeptConnection {
  /** @param sql with `?` for each of the values */
  raw(sql: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>
}

export interface KeptDatabase extends KeptConnection {
  transaction<T>(work: (transaction: KeptConnection) => Promise<T>): Promise<T>
}

/** The statements that create each table where it is missing, by its name. */
export const KEPT_TABLES: Readonly<Record<string, readonly string[]>> = {
  shelfwire_store: ['create table if not exists shelfwire_store (store text primary key, position text not null)'],
  shelfwire_product: [
    'create table if not exists shelfwire_product (store text not null, id bigint not null, article text not null, payload text not null, primary key (store, id))',
    'create index if not exists shelfwire_product_by_article on shelfwire_product (article)',
  ],
  shelfwire_begun: ['create table if not exists shelfwire_begun (article text primary key)'],
  shelfwire_made: [
    'create table if not exists shelfwire_made (kind text not null, key text not null, id text not null, primary key (kind, key))',
  ],
  shelfwire_refused: [
    'create table if not exists shelfwire_refused (article text primary key, reason text not null, since timestamptz not null default now())',
    // databases of 0.2.0 lack these two columns
    'alter table shelfwire_refused add column if not exists attempts integer not null default 1',
    'alter table shelfwire_refused add column if not exists due timestamptz not null default now()',
    'create index if not exists shelfwire_refused_by_due on shelfwire_refused (due, article)',
  ],
  shelfwire_run: [
    // one row: the last time that the shop looked for changes
    'create table if not exists shelfwire_run (one boolean primary key default true check (one), began timestamptz not null, ended timestamptz, problem text)',
  ],
}

/** Creates missing tables. Processes that start at the same time do so one after another. */
export async function makeKeptTables(db: KeptDatabase): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.raw(`select pg_advisory_xact_lock(hashtext('shelfwire tables'))`)
    for (const statement of Object.values(KEPT_TABLES).flat()) await transaction.raw(statement)
  })
}

/** A product of a store, as Shelfwire serves it. */
export interface KeptProduct {
  store: string
  id: number
  article: string
  payload: string
}

interface KeptRow extends Omit<KeptProduct, 'id'> {
  id: string
}

const kept = (rows: unknown[]): KeptProduct[] => (rows as KeptRow[]).map((row) => ({ ...row, id: Number(row.id) }))

/** The position of a store's mirror; null: it has not begun. */
export async function positionOf(db: KeptConnection, store: string): Promise<string | null> {
  const { rows } = await db.raw('select position from shelfwire_store where store = ?', [store])
  return (rows[0] as { position: string } | undefined)?.position ?? null
}

/** The stores of which something is kept, whether the options still name them or not. */
export async function keptStores(db: KeptConnection): Promise<string[]> {
  const { rows } = await db.raw(
    'select store from shelfwire_store union select distinct store from shelfwire_product order by store',
  )
  return (rows as { store: string }[]).map(({ store }) => store)
}

export async function keptIds(db: KeptConnection, store: string, after: number, limit: number): Promise<number[]> {
  const { rows } = await db.raw('select id from shelfwire_product where store = ? and id > ? order by id limit ?', [
    store,
    after,
    limit,
  ])
  return (rows as { id: string }[]).map(({ id }) => Number(id))
}

/** A page of a store's products by ID ascending. */
export async function keptPage(
  db: KeptConnection,
  store: string,
  after: number,
  limit: number,
): Promise<KeptProduct[]> {
  const { rows } = await db.raw(
    'select store, id, article, payload from shelfwire_product where store = ? and id > ? order by id limit ?',
    [store, after, limit],
  )
  return kept(rows)
}

/** All products of some articles, of every store. */
export async function keptOfArticles(db: KeptConnection, articles: readonly string[]): Promise<KeptProduct[]> {
  const { rows } = await db.raw(
    'select store, id, article, payload from shelfwire_product where article = any(?) order by id',
    [articles],
  )
  return kept(rows)
}

/** The articles that the given products of a store belong to; null: all its products. */
export async function articlesOf(db: KeptConnection, store: string, ids: readonly number[] | null): Promise<string[]> {
  const { rows } = await db.raw(
    'select distinct article from shelfwire_product where store = ? and (?::bigint[] is null or id = any(?))',
    [store, ids, ids],
  )
  return (rows as { article: string }[]).map(({ article }) => article)
}

/** A page of the keys of all stores' articles, ascending. */
export async function articlePage(db: KeptConnection, after: string, limit: number): Promise<string[]> {
  const { rows } = await db.raw(
    'select distinct article from shelfwire_product where article > ? order by article limit ?',
    [after, limit],
  )
  return (rows as { article: string }[]).map(({ article }) => article)
}

/**
 * Notes articles as being written. After a kill they are written again, because the shop may have an article that no product belongs to any more.
 * @returns all articles that are noted
 */
export async function begin(db: KeptConnection, articles: readonly string[]): Promise<string[]> {
  await db.raw('insert into shelfwire_begun (article) select unnest(?::text[]) on conflict do nothing', [articles])
  const { rows } = await db.raw('select article from shelfwire_begun order by article')
  return (rows as { article: string }[]).map(({ article }) => article)
}

/** Deletes the notes of `begin`: all those articles are in the shop. */
export async function begunArticlesDelete(db: KeptConnection): Promise<void> {
  await db.raw('delete from shelfwire_begun')
}

/** The products of a store that a batch has brought into the shop, and the position after it. */
export interface Step {
  store: string
  position: string
  products: readonly { product: Product; article: string }[]
  removed: readonly number[]
}

export async function saveStep(db: KeptConnection, step: Step): Promise<void> {
  const { store } = step
  await db.raw('delete from shelfwire_product where store = ? and id = any(?::bigint[])', [store, step.removed])
  await db.raw(
    `insert into shelfwire_product (store, id, article, payload)
     select ?, * from unnest(?::bigint[], ?::text[], ?::text[])
     on conflict (store, id) do update set article = excluded.article, payload = excluded.payload`,
    [
      store,
      step.products.map(({ product }) => product.id),
      step.products.map(({ article }) => article),
      step.products.map(({ product }) => JSON.stringify(product)),
    ],
  )
  await db.raw(
    `insert into shelfwire_store (store, position) values (?, ?)
     on conflict (store) do update set position = excluded.position`,
    [store, step.position],
  )
}

/** Notes which of some articles the shop has refused, and why: each call is an attempt. */
export async function saveRefused(
  db: KeptConnection,
  articles: readonly string[],
  refused: ReadonlyMap<string, string>,
): Promise<void> {
  await db.raw('delete from shelfwire_refused where article = any(?::text[]) and not article = any(?::text[])', [
    articles,
    [...refused.keys()],
  ])
  await db.raw(
    // the first three refusals have no pause; after the next ones it is a minute, two, four and so on, up to a day
    `insert into shelfwire_refused (article, reason) select * from unnest(?::text[], ?::text[])
     on conflict (article) do update set reason = excluded.reason, attempts = shelfwire_refused.attempts + 1,
       due = now() + case when shelfwire_refused.attempts < 3 then interval '0'
         else least(interval '1 day', interval '1 minute' * power(2, least(shelfwire_refused.attempts, 20) - 3)) end`,
    [[...refused.keys()], [...refused.values()]],
  )
}

/** Articles that the shop has refused, by key ascending, `limit` at most. @param after only keys after this one */
export async function refusedArticles(
  db: KeptConnection,
  limit: number,
  after = '',
): Promise<{ article: string; reason: string; since: Date }[]> {
  const { rows } = await db.raw(
    'select article, reason, since from shelfwire_refused where article > ? order by article limit ?',
    [after, limit],
  )
  return rows as { article: string; reason: string; since: Date }[]
}

/**
 * Refused articles that are to be tried again, the longest overdue first, `limit` at most.
 * @param isEarly includes those whose pause has not passed yet
 */
export async function dueRefused(db: KeptConnection, limit: number, isEarly: boolean): Promise<string[]> {
  const { rows } = await db.raw(
    'select article from shelfwire_refused where ?::boolean or due <= now() order by due, article limit ?',
    [isEarly, limit],
  )
  return (rows as { article: string }[]).map(({ article }) => article)
}

/** How many articles the shop has refused. */
export async function refusedCount(db: KeptConnection): Promise<number> {
  const { rows } = await db.raw('select count(*)::int as count from shelfwire_refused')
  return (rows as { count: number }[])[0]?.count ?? 0
}

/** How many products are kept of each store, and the position of its mirror. */
export async function storeCounts(
  db: KeptConnection,
): Promise<{ store: string; position: string; products: number }[]> {
  const { rows } = await db.raw(
    `select store, position, (select count(*)::int from shelfwire_product p where p.store = s.store) as products
     from shelfwire_store s order by store`,
  )
  return rows as { store: string; position: string; products: number }[]
}

/** The last time that the shop looked for changes. */
export interface LastRun {
  began: Date
  /** Null: it runs, or was killed. */
  ended: Date | null
  /** The error with which it ended; null: none, or it has not ended. */
  problem: string | null
}

export async function noteRunBegan(db: KeptConnection): Promise<void> {
  await db.raw(
    `insert into shelfwire_run (began) values (now())
     on conflict (one) do update set began = excluded.began, ended = null, problem = null`,
  )
}

export async function noteRunEnded(db: KeptConnection, problem: string | null): Promise<void> {
  await db.raw('update shelfwire_run set ended = now(), problem = ?', [problem])
}

export async function lastRun(db: KeptConnection): Promise<LastRun | null> {
  const { rows } = await db.raw('select began, ended, problem from shelfwire_run')
  return (rows as LastRun[])[0] ?? null
}

/** Removes all that is kept of a store. */
export async function forgetStore(db: KeptConnection, store: string): Promise<void> {
  await db.raw('delete from shelfwire_product where store = ?', [store])
  await db.raw('delete from shelfwire_store where store = ?', [store])
  await db.raw('delete from shelfwire_made where kind = ? and key = ?', [STORE, store])
}

/** The kind under which stores are noted in shelfwire_made. A table of their own would need a migration in every shop. */
const STORE = 'store'

interface StoreFacts {
  locale: string
  currency: string
}

/** The locale and currency that stores had when they were last active, by slug. */
export async function lastStores(db: KeptConnection): Promise<Map<string, StoreFacts>> {
  return new Map([...(await madeOf(db, STORE))].map(([slug, text]) => [slug, JSON.parse(text) as StoreFacts]))
}

/** Notes the locale and currency of an active store where they differ from those noted last. */
export async function noteStore(
  db: KeptConnection,
  slug: string,
  { locale, currency }: StoreFacts,
  last: StoreFacts | undefined,
): Promise<void> {
  if (last?.locale !== locale || last.currency !== currency)
    await noteMade(db, STORE, slug, JSON.stringify({ locale, currency }))
}

/** What the connector has made in the shop of one kind: our key -> the shop's ID. @param keys only these; all unless given */
export async function madeOf(
  db: KeptConnection,
  kind: string,
  keys: readonly string[] | null = null,
): Promise<Map<string, string>> {
  const { rows } = await db.raw(
    'select key, id from shelfwire_made where kind = ? and (?::text[] is null or key = any(?))',
    [kind, keys, keys],
  )
  return new Map((rows as { key: string; id: string }[]).map(({ key, id }) => [key, id]))
}

export async function noteMade(db: KeptConnection, kind: string, key: string, id: string): Promise<void> {
  await db.raw(
    'insert into shelfwire_made (kind, key, id) values (?, ?, ?) on conflict (kind, key) do update set id = excluded.id',
    [kind, key, id],
  )
}

/**
 * Runs the work unless another process of the shop is running such work.
 * @returns null where another process is: nothing was run
 */
export async function runExclusively<T>(db: KeptDatabase, work: () => Promise<T>): Promise<T | null> {
  return db.transaction(async (transaction) => {
    // the lock ends with the connection, however the process ends
    const { rows } = await transaction.raw(`select pg_try_advisory_xact_lock(hashtext('shelfwire')) as taken`)
    return (rows[0] as { taken: boolean }).taken ? work() : null
  })
}
