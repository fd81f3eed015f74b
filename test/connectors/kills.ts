import process from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { Shelfwire, ShelfwireError } from '../../client/src/shelfwire.ts'
import { createToken } from '../../src/accounts/create-token.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import { pick, prng } from '../../src/demo/catalog/prng.ts'
import { freePort } from '../harness/free-port.ts'
import { seedFor } from '../harness/interleave.ts'
import { serveApart, type Served } from '../harness/served.ts'
import { ArticlesByChance } from './offer-changes.ts'
import { fillAccount, type Writer } from './shop-account.ts'

// One scenario for every shop: it is filled, follows random changes while the shop, the service or both are killed, and in the
// end every field equals `/v1`. It is small in the gate; SHOP_KILLS=full is the size of issue 30. Results: docs/benchmarks.md.

interface Size {
  products: number
  changes: number
  kills: number
  /** The longest time for the first fill, and for the remaining changes at the end. */
  timeoutMs: number
  pollMs: number
}

const SIZES = {
  small: { products: 60, changes: 40, kills: 3, timeoutMs: 120_000, pollMs: 500 },
  full: { products: 2_000, changes: 500, kills: 20, timeoutMs: 3_600_000, pollMs: 5_000 },
} satisfies Record<string, Size>

export const isFullSize = process.env['SHOP_KILLS'] === 'full'

/** A size in between, such as SHOP_KILLS=200,150,20: products, changes and kills. */
const asked = (process.env['SHOP_KILLS'] ?? '').split(',').map(Number)
const [products, changes, kills] = asked
export const SIZE: Size =
  products === undefined || changes === undefined || kills === undefined
    ? SIZES[isFullSize ? 'full' : 'small']
    : { ...SIZES.full, products, changes, kills }

/** A shop as the scenario uses it. */
export interface KillableShop {
  kill(): Promise<void>
  start(): Promise<void>
  /** Sends a webhook that something changed. @throws if nothing answers */
  hint(): Promise<void>
  /** The variants of the shop, and as the stores want them. */
  state(): Promise<{ shown: ReadonlyMap<unknown, object>; wanted: ReadonlyMap<unknown, object> }>
  /** The connector's own comparison; null while it works. */
  verify(): Promise<{ isEqual: boolean; deviations: unknown[] } | null>
  printed(): string
}

/** The service as a process that can be killed, and a client of an account that retries while it is down. */
export interface KillableService extends AsyncDisposable {
  url: string
  token: string
  shelf: Shelfwire
  writer: Writer
  /** Kills it without a chance to clean up, as a power failure does. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** Starts the service on a database with the account. */
export async function startKillableService(
  database: { url: string; db: Db },
  accountId: number,
): Promise<KillableService> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const tokenOf = async (access: 'connector' | 'full') =>
    (await inTransaction(database.db, (tx) => createToken(tx, { accountId, access, expiresAt: null }))).token
  const [token, full] = [await tokenOf('connector'), await tokenOf('full')]
  let served: Served | null = null
  const start = async () => {
    // at the full size the shop and its jobs keep both processors busy
    served = await serveApart(
      'api,work',
      { DATABASE_URL: database.url, PORT: String(port), MIRROR: 'off' },
      isFullSize ? { startsMs: 180_000 } : {},
    )
  }
  const kill = async () => served?.[Symbol.asyncDispose]()
  await start()
  return {
    url,
    token,
    shelf: new Shelfwire({ url, token }),
    writer: patientWriter(url, full),
    kill,
    start,
    [Symbol.asyncDispose]: async () => kill(),
  }
}

/** Retries each write that got no answer, although it may have been made. */
function patientWriter(url: string, token: string): Writer {
  const write = async (method: string, path: string, body?: object) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(`${url}/v1/account${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer: 'wait=20' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => null)
      if (answer !== null && answer.status < 500) {
        const text = await answer.text()
        const isDone = answer.ok || (attempt > 1 && method === 'DELETE' && answer.status === 404)
        expect(isDone, `${method} ${path}: ${answer.status} ${text}`).toBe(true)
        return
      }
      if (attempt > 300) throw new Error(`nobody answers ${method} ${path}`)
      await pause(100)
    }
  }
  return {
    write,
    putOffer: (sku, more) => write('PUT', `/suppliers/north/offers/${sku}`, { cost: '10', quantity: 5, ...more }),
    patchOffer: (sku, more) => write('PATCH', `/suppliers/north/offers/${sku}`, more),
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export interface Followed {
  seed: number
  /** The number of variants in the shop after the first fill, and in the end. */
  filled: number
  followed: number
  fillSeconds: number
  /** From the first change until all were in the shop, including kills and starts. */
  followSeconds: number
  kills: Record<'shop' | 'service' | 'both', number>
}

const VICTIMS = ['shop', 'service', 'both'] as const

/** Fills an account and a shop, then makes random changes and kills. @param open opens the shop once the account exists */
export async function followThroughKills(
  name: string,
  service: KillableService,
  of: {
    wholesaleGroupId: number
    picture: (name: string) => string
    open: () => Promise<KillableShop>
  },
): Promise<Followed> {
  const seed = seedFor(`kills of ${name}`)
  const random = prng(seed)
  const { writer, shelf } = service
  await fillAccount(writer, of.wholesaleGroupId, of.picture)
  const articles = new ArticlesByChance(random, {
    writer,
    picture: of.picture,
    idOf: (sku) => idOf(shelf, sku),
  })
  await inTurns([...articles.offers(SIZE.products - 11)], ({ sku, offer }) => writer.putOffer(sku, offer))

  const shop = await of.open()
  const filling = performance.now()
  const filled = await becomesEqual(shop, 'filled')
  const fillSeconds = (performance.now() - filling) / 1_000
  // the rest may take an hour
  if (isFullSize) tell(name, { filled, fillSeconds })

  const following = performance.now()
  const kills = { shop: 0, service: 0, both: 0 }
  const done: string[] = []
  for (let at = 0; at < SIZE.changes; at++) {
    const change = articles.draw()
    await change.make()
    done.push(change.what)
    // the kills are spread over the changes, each while changes are being followed
    const isDue = Math.floor(((at + 1) * SIZE.kills) / SIZE.changes) > Math.floor((at * SIZE.kills) / SIZE.changes)
    if (!isDue) continue
    await shop.hint()
    await pause(random() * 1_500)
    const total = kills.shop + kills.service + kills.both
    const victim = VICTIMS[total] ?? pick(VICTIMS, random)
    kills[victim] += 1
    await Promise.all([...(victim === 'service' ? [] : [shop.kill()]), ...(victim === 'shop' ? [] : [service.kill()])])
    // changes while the shop is down
    if (victim === 'shop') {
      const missed = articles.draw()
      await missed.make()
      done.push(missed.what)
    }
    if (victim !== 'shop') await service.start()
    if (victim !== 'service') await shop.start()
    await shop.hint()
    if (isFullSize && (total + 1) % 5 === 0) await becomesEqual(shop, `after ${total + 1} kills`, done)
  }
  const followed = await becomesEqual(shop, 'followed', done)
  const followSeconds = (performance.now() - following) / 1_000
  await expect
    .poll(() => shop.verify().catch(String), { timeout: SIZE.timeoutMs, interval: SIZE.pollMs })
    .toMatchObject({ isEqual: true, deviations: [] })
  return { seed, filled, followed, fillSeconds, followSeconds, kills }
}

async function idOf(shelf: Shelfwire, sku: string): Promise<number> {
  const { data } = await shelf.products.list({ store: 'main', sku }).catch((error: unknown) => {
    throw error instanceof ShelfwireError ? new Error(`${sku}: ${error.message}`, { cause: error }) : error
  })
  const id = data[0]?.id
  if (id === undefined) throw new Error(`there is no product ${sku}`)
  return id
}

/** @returns how many variants there are */
async function becomesEqual(shop: KillableShop, what: string, done: readonly string[] = []): Promise<number> {
  let variants = 0
  const hinted = async () => {
    // sent again, because a webhook that the connector answered while it waited for the killed service may have had no effect
    await shop.hint()
    const { shown, wanted } = await shop.state()
    variants = wanted.size
    return differing(shown, wanted)
  }
  await expect
    .poll(() => hinted().catch(String), { timeout: SIZE.timeoutMs, interval: SIZE.pollMs })
    .toEqual([])
    .catch((error: unknown) => {
      const log = shop.printed().slice(-3_000)
      throw new Error(`${what}: ${String(error)}\nlast changes: ${done.slice(-60).join('; ')}\n${log}`, {
        cause: error,
      })
    })
  return variants
}

/** The first ten variants that differ in the shop, with the differing members. */
function differing(shown: ReadonlyMap<unknown, object>, wanted: ReadonlyMap<unknown, object>): unknown[] {
  const found: unknown[] = []
  for (const key of new Set([...shown.keys(), ...wanted.keys()])) {
    const [has, should] = [shown.get(key), wanted.get(key)]
    if (isDeepStrictEqual(has, should)) continue
    if (has === undefined || should === undefined)
      found.push({ key, [has === undefined ? 'missing' : 'superfluous']: has ?? should })
    else {
      const members = Object.entries(should).filter(
        ([name, value]) => !isDeepStrictEqual(value, Reflect.get(has, name)),
      )
      found.push({
        key,
        ...Object.fromEntries(members.map(([name, value]) => [name, { shop: Reflect.get(has, name), v1: value }])),
      })
    }
    if (found.length === 10) break
  }
  return found
}

/** Runs `work` for all, a few at a time, so that thousands of writes do not wait for each other's round trips. */
export async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const one of left) await work(one)
    }),
  )
}

/** Prints the measurements of a run. */
export function tell(name: string, figures: object): void {
  process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`)
}
