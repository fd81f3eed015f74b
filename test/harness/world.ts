import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { OfferRecord } from '../../src/model/offer.ts'
import { createAccount, giveOffers, offer, openBench, type Bench, type TestAccount } from './account.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { client, startTestService, tokenFor, type Client, type ServiceOptions, type TestService } from './service.ts'

/** What a test needs. Whatever is left out is not there, except for the database. */
export interface WorldOptions {
  /** Connections of `database.db`; 10 by default. */
  connectionsMax?: number
  /** Starts the service: its roles (`['api']` by default) and its settings. */
  service?: ServiceOptions
  /** An account of this name, with three stores and two suppliers, as `createAccount` makes them. */
  account?: string
  /** Offers of the account's first supplier, shelved. A text is the SKU of a typical offer. Needs `account`. */
  products?: readonly (string | OfferRecord)[]
}

interface Opened {
  database: TestDatabase
  bench: Bench
  service: TestService
  account: TestAccount
  /** Ids of `products`, in their order. */
  ids: number[]
  /** A client of the API with a token of the account that may do everything. */
  http: Client
}

/** What there is for such options: a member that was not asked for is not there, for the compiler either. */
export type World<O extends WorldOptions> = Pick<
  Opened,
  | 'database'
  | 'bench'
  | (O extends { service: object } ? 'service' : never)
  | (O extends { account: string } ? 'account' : never)
  | (O extends { products: object } ? 'ids' : never)
  | (O extends { service: object; account: string } ? 'http' : never)
> &
  AsyncDisposable

/**
 * Opens what one test works with; disposing closes it, and fails if the test left transactions open.
 *
 *     await using w = await world({ service: {}, account: 'acme', products: ['A', offer('B', { cost: '2' })] })
 *     expect((await w.http(`/v1/products/${w.ids[0]}`)).status).toBe(200)
 */
export async function world<const O extends WorldOptions>(options?: O): Promise<World<O>> {
  const { connectionsMax, service: settings, account: name, products = [] } = (options ?? {}) as WorldOptions
  await using open = new AsyncDisposableStack()
  const database = open.use(await createDatabase(connectionsMax === undefined ? {} : { connectionsMax }))
  const service = settings === undefined ? undefined : open.use(await startTestService(database, settings))
  const bench = openBench(database.db)
  // what the service keeps in memory must know of the account
  const rooms = service?.runtime ?? bench
  const account = name === undefined ? undefined : await createAccount(rooms, name)
  const ids =
    account === undefined || products.length === 0 ? [] : await giveOffers(rooms, account, products.map(toOffer))
  const http =
    service === undefined || account === undefined
      ? undefined
      : client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
  const opened = open.move()
  const made = { database, bench, service, account, ids, http, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  return made as unknown as World<O>
}

const toOffer = (product: string | OfferRecord) => (typeof product === 'string' ? offer(product) : product)

/**
 * A world for all tests of a file, opened before the first and closed after the last.
 *
 *     const { database, bench, account } = worldOfFile({ account: 'acme' })
 *
 * @param options a function where they name what is opened for the file, too
 */
export function worldOfFile<const O extends WorldOptions>(
  options?: O | (() => O),
): Omit<World<O>, typeof Symbol.asyncDispose> {
  const ids: number[] = []
  const opened = ofFile(async () => {
    const asked = typeof options === 'function' ? options() : options
    const made = (await world(asked)) as unknown as Opened & AsyncDisposable
    ids.push(...made.ids)
    return made
  })
  return {
    database: standIn(() => opened.database),
    bench: standIn(() => opened.bench),
    service: standIn(() => opened.service),
    account: standIn(() => opened.account),
    ids,
    http: (...request: Parameters<Client>) => opened.http(...request),
  } satisfies Opened as never
}

/** Opens something before the tests of a file and closes it after them. What is returned is to be used as if it were that. */
export function ofFile<T extends AsyncDisposable>(open: () => Promise<T>): T {
  let opened: T | undefined
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())
  return standIn(() => {
    if (opened === undefined) throw new Error('it is not open before the first test begins')
    return opened
  })
}

/** A directory for the tests of a file, removed after the last. @param name what is in it, for those who find it after a crash */
export function directoryOfFile(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `shelfwire-${name}-`))
  afterAll(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** An object that does whatever another one does, which will be there later. */
function standIn<T extends object>(get: () => T): T {
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(get(), key) as unknown,
    set: (_, key, value) => Reflect.set(get(), key, value),
    has: (_, key) => Reflect.has(get(), key),
    ownKeys: () => Reflect.ownKeys(get()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(get(), key),
  })
}
