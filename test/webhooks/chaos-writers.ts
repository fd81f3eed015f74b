import { setTimeout as sleep } from 'node:timers/promises'
import { createRule, editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { setOverrides, setOwnStock } from '../../src/catalog/products/products.ts'
import { setListing } from '../harness/product-edits.ts'
import { inTransaction, type Db, type Tx } from '../../src/db/sql.ts'
import { pick, shuffled } from '../../src/demo/catalog/prng.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'
import { CHANGE_KINDS } from '../../src/model/change.ts'
import type { Endpoints } from '../../src/webhooks/endpoints/endpoints.ts'
import {
  createAccount,
  giveOffers,
  offer,
  type Bench,
  type TestAccount,
  productIdsOf,
  type Said,
} from '../harness/account.ts'
import { edited, headOf, rewound, switched, watch, type Wanted, type Watched } from './chaos-record.ts'

// The load of the chaos test: writers of the catalog, and owners who change their endpoints.

export interface Plot extends TestAccount {
  productIds: number[]
  ruleId: number
  /** The last own stock by product, to write it again without a change. */
  stock: Map<number, number>
  endpoints: Watched[]
}

const PRODUCTS = 24

export function drawWanted(storeIds: readonly number[], random: () => number): Wanted {
  const kinds = CHANGE_KINDS.filter(() => random() < 0.6)
  return {
    kinds: kinds.length === 0 ? [pick(CHANGE_KINDS, random)] : kinds,
    storeId: random() < 0.45 ? null : pick(storeIds, random),
  }
}

/** An account with products, rules and this many endpoints. */
export async function openPlot(
  bench: Bench,
  endpoints: Endpoints,
  url: string,
  name: string,
  count: number,
  random: () => number,
): Promise<Plot> {
  const account = await createAccount(bench, name)
  const { accountId, storeIds } = account
  const productIds = await giveOffers(
    bench,
    account,
    Array.from({ length: PRODUCTS }, (_, i) => offer(`${name}-${i}`)),
  )
  const { value: ruleId } = await inTransaction(bench.db, (tx) =>
    createRule(tx, accountId, { name: 'Poland', percent: '30', storeIds: [storeIds[2]] }),
  )
  await bench.shelf.drain(accountId)
  const plot: Plot = { ...account, productIds, ruleId, stock: new Map(), endpoints: [] }
  for (let i = 0; i < count; i++) {
    const wanted = drawWanted(storeIds, random)
    const path = `/${name}-${i}`
    const from = Date.now()
    const before = await headOf(bench.db, accountId)
    const { endpointId } = await endpoints.create(accountId, { url: `${url}${path}`, ...wanted })
    plot.endpoints.push(
      watch(path, accountId, endpointId, storeIds, wanted, before, await headOf(bench.db, accountId), from),
    )
  }
  return plot
}

export type WriteName = 'stock' | 'same stock' | 'titles' | 'listing' | 'rule'

function draw(plot: Plot, random: () => number): [WriteName, (tx: Tx) => Promise<Said>] {
  const { accountId, storeIds, productIds, ruleId, stock } = plot
  const number = (below: number) => Math.floor(random() * below)
  const some = () => shuffled(productIds, random).slice(0, 1 + number(random() < 0.2 ? 12 : 3))
  const kind = random()
  if (kind < 0.35) {
    const rows = some().map((productId) => ({
      productId,
      quantity: number(40),
      cost: random() < 0.2 ? `${1 + number(30)}.5` : null,
    }))
    for (const { productId, quantity } of rows) stock.set(productId, quantity)
    return ['stock', (tx) => setOwnStock(tx, accountId, rows)]
  }
  if (kind < 0.5) {
    const rows = some().flatMap((productId) =>
      stock.has(productId) ? [{ productId, quantity: stock.get(productId)!, cost: null }] : [],
    )
    return ['same stock', (tx) => setOwnStock(tx, accountId, rows)]
  }
  if (kind < 0.72) {
    const locale = pick(['en', 'de', 'pl-PL'], random)
    const rows = some().map((productId) => ({
      productId,
      field: 'title' as const,
      locale,
      value: random() < 0.1 ? null : `Title ${number(1_000)}`,
    }))
    return ['titles', (tx) => setOverrides(tx, accountId, rows)]
  }
  if (kind < 0.96) {
    // now and then in all stores at once
    const [stores, products, isListed] = [random() < 0.25 ? storeIds : [pick(storeIds, random)], some(), random() < 0.6]
    return [
      'listing',
      async (tx) => {
        for (const storeId of stores) await setListing(tx, accountId, storeId, products, isListed)
        return products
      },
    ]
  }
  const percent = String(number(60))
  return [
    'rule',
    async (tx) => {
      await editRule(tx, accountId, ruleId, { percent })
      return []
    },
  ]
}

/** One writer, either like a request that answers after shelving, or one that leaves its marks to the loop. */
export async function writeOn(
  bench: Bench,
  plots: readonly Plot[],
  isOver: () => boolean,
  random: () => number,
  counts: Map<WriteName, number>,
): Promise<void> {
  while (!isOver()) {
    const plot = pick(plots, random)
    const [name, write] = draw(plot, random)
    const way = random()
    if (way < 0.6)
      await bench.shelf.write(plot.accountId, async (tx) => ({ productIds: productIdsOf(await write(tx)) }))
    else await inTransaction(bench.db, write)
    if (way > 0.7) bench.wake.notify('mark', plot.accountId)
    counts.set(name, (counts.get(name) ?? 0) + 1)
    await sleep(5 + random() * 25)
  }
}

export type RequestName = 'edit' | 'address' | 'off and on' | 'rewind' | 'resume' | 'redeliver'

/** The owner of one account, who changes one endpoint after the other and leaves all enabled. */
export async function requestOn(
  bench: Bench,
  endpoints: Endpoints,
  url: string,
  plot: Plot,
  isOver: () => boolean,
  random: () => number,
  counts: Map<RequestName, number>,
): Promise<void> {
  const { accountId, storeIds } = plot
  let visits = 0
  while (!isOver()) {
    await sleep(300 + random() * 900)
    const endpoint = pick(plot.endpoints, random)
    const { endpointId } = endpoint
    const kind = random()
    const count = (name: RequestName) => counts.set(name, (counts.get(name) ?? 0) + 1)
    if (kind < 0.3) {
      const wanted = drawWanted(storeIds, random)
      await edited(bench.db, endpoint, wanted, () => endpoints.edit(accountId, endpointId, { ...wanted }))
      count('edit')
    } else if (kind < 0.45) {
      await edited(bench.db, endpoint, endpoint.versions.at(-1)!, () =>
        endpoints.edit(accountId, endpointId, { url: `${url}${endpoint.path}?visit=${visits++}` }),
      )
      count('address')
    } else if (kind < 0.6) {
      await switched(endpoint, false, () => endpoints.setEnabled(accountId, endpointId, false))
      await sleep(random() * 1_500)
      await switched(endpoint, true, () => endpoints.setEnabled(accountId, endpointId, true))
      count('off and on')
    } else if (kind < 0.75) {
      const since = new Date(Date.now() - random() * 10_000)
      await rewound(bench.db, endpoint, since, () => endpoints.rewind(accountId, endpointId, since))
      count('rewind')
    } else if (kind < 0.9) {
      await endpoints.resume(accountId, endpointId)
      count('resume')
    } else {
      await sendAgain(bench.db, endpoints, endpoint, 'delivered', 1)
      count('redeliver')
    }
  }
}

/** Requests a redelivery of all deliveries in a state that are still for this endpoint's stores. @returns how many. */
export async function sendAgain(
  db: Db,
  endpoints: Endpoints,
  { accountId, endpointId, storeId }: Watched,
  state: 'delivered' | 'parked',
  limit: number,
): Promise<number> {
  const rows = await db<{ id: string }[]>`
    select delivery_id as id from delivery
    where account_id = ${accountId} and endpoint_id = ${endpointId} and state = ${state} and origin <> 'test'
      and (${storeId}::bigint is null or store_id = ${storeId}) order by number desc limit ${limit}`
  for (const { id } of rows) {
    await endpoints.redeliver(accountId, endpointId, id).catch((error: unknown) => {
      if (!(error instanceof ShelfwireError) || error.code !== 'conflict') throw error
    })
  }
  return rows.length
}
