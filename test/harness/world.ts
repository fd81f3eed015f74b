import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { OfferRecord } from '../../src/model/offer.ts'
import { createAccount, giveOffers, offer, openBench, type Bench, type TestAccount } from './account.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { client, startTestService, tokenFor, type Client, type ServiceOptions, type TestService } from './service.ts'

/** What a test needs. The database is always there; other parts are opened only where they are named. */
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

/** The members that exist with given options: the compiler does not let a test use others. */
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
  // written through the service's rooms, where it runs, so that its caches know the account
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
 * @param options a function, where they depend on something else that is opened for the file
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

/** Opens something before the tests of a file and closes it after them. The returned object can be used in its place. */
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

/** A directory for the tests of a file, removed after the last one. @param name tells people who find it after a crash what is in it */
export function directoryOfFile(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `shelfwire-${name}-`))
  afterAll(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** A proxy of an object that is created later. */
function standIn<T extends object>(get: () => T): T {
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(get(), key) as unknown,
    set: (_, key, value) => Reflect.set(get(), key, value),
    has: (_, key) => Reflect.has(get(), key),
    ownKeys: () => Reflect.ownKeys(get()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(get(), key),
  })
}
