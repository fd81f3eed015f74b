import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { createProducts, setOwnStock } from '../../src/catalog/products/products.ts'
import type { Tx } from '../../src/db/sql.ts'
import { readFeed } from '../../src/feed/read.ts'
import { counterGet } from '../../src/shelf/payloads/change-counter.sql.ts'
import { readDigests } from '../../src/shelf/reads/read-digests.ts'
import { productIdsOf, type Said, expectAudited } from '../harness/account.ts'
import { EVERY_INPUT } from './every-input.ts'
import { openGround } from './ground.ts'
import { OFFERS, type Case, type Kind } from './input-case.ts'
import { worldOfFile } from '../harness/world.ts'
import { inGate } from '../harness/gate.ts'

// For every kind of input: a payload changes if and only if the feed announces it with the right kind and its digest changes.

const { database, bench } = worldOfFile()

type Halves = Map<string, { price: string; content: string }>

/** The payloads that clients of every store read. */
async function payloads(accountId: number): Promise<Halves> {
  const rows = await database.db<{ storeId: number; productId: number; price: string; content: string }[]>`
    select store_id as "storeId", product_id as "productId", p.body as price, c.body as content
    from payload_price p join payload_content c using (account_id, store_id, product_id) where account_id = ${accountId}`
  return new Map(rows.map((row) => [`${row.storeId}.${row.productId}`, row]))
}

function differences(before: Halves, after: Halves): Record<string, Kind[]> {
  const found: Record<string, Kind[]> = {}
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key), after.get(key)]
    const kinds: Kind[] = []
    if (now === undefined) kinds.push('removed')
    else {
      if (old?.price !== now.price) kinds.push('price')
      if (old?.content !== now.content) kinds.push('content')
    }
    if (kinds.length > 0) found[key] = kinds
  }
  return found
}

/** The changes in the feed of every store after a position. */
async function announced(
  accountId: number,
  storeIds: readonly number[],
  since: { lastAt: Date; lastId: number },
): Promise<Record<string, Kind[]>> {
  const found: Record<string, Kind[]> = {}
  for (const storeId of storeIds) {
    const window = await readFeed(
      database.db,
      accountId,
      storeId,
      { kind: 'pair', since: since.lastAt, id: since.lastId },
      1_000,
    )
    for (const change of window.changes) found[`${storeId}.${change.productId}`] = [...change.kinds].sort().reverse()
  }
  return found
}

/** The stores and halves whose digests differ. */
function changedHalves(was: Digests, now: Digests): string[] {
  return [...new Set([...was.keys(), ...now.keys()])].filter((key) => was.get(key) !== now.get(key)).sort()
}

type Digests = Map<string, bigint>

/** The digests of all products of a store, by store and half. */
async function digests(accountId: number, storeIds: readonly number[]): Promise<Digests> {
  const found: Digests = new Map()
  for (const storeId of storeIds) {
    const { blocks } = await readDigests(database.db, accountId, storeId, -1, 1_000)
    for (const half of ['content', 'price'] as const)
      found.set(
        `${storeId} ${half}`,
        blocks.reduce((all, block) => all ^ block[half], 0n),
      )
  }
  return found
}

async function say(accountId: number, work: (tx: Tx) => Promise<Said>): Promise<void> {
  await bench.shelf.write(accountId, async (tx) => ({ productIds: productIdsOf(await work(tx)) }))
  await bench.shelf.drain(accountId)
}

test('every column of every table that shelving reads has a case, or a reason why it needs none', async () => {
  const source = readFileSync(new URL('../../src/shelf/inputs/inputs.sql.ts', import.meta.url), 'utf8')
  const tables = [...new Set([...source.matchAll(/\b(?:from|join) ([a-z_]+)\b(?!\()/g)].map((match) => match[1] ?? ''))]
  const columns = await database.db<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = any(${tables}::text[])`
  expect(tables.length).toBeGreaterThan(14)
  expect(Object.keys(EVERY_INPUT).sort()).toEqual(columns.map((row) => row.name).sort())
})

const cases = Object.entries(EVERY_INPUT).filter((entry): entry is [string, Case] => typeof entry[1] !== 'string')

describe('a payload changes if and only if the feed has a change of the right kind', () => {
  // the fast gate tries every third of them
  test.each(
    inGate(
      cases.filter((_, i) => i % 3 === 0),
      cases,
    ),
  )('%s', async (name, { before, between = [], change, kinds }) => {
    const here = await openGround(bench, name)
    const { accountId, storeIds } = here.account
    if (before !== undefined) await say(accountId, (tx) => before(tx, here))
    for (const step of between) await say(accountId, (tx) => step(tx, here))
    const [was, head] = [await payloads(accountId), await counterGet(database.db, accountId)]
    const digested = await digests(accountId, storeIds)
    await say(accountId, (tx) => change(tx, here))
    const differs = differences(was, await payloads(accountId))
    expect(await announced(accountId, storeIds, head!)).toEqual(differs)
    // and so does the digest of the half; the audit checks that it matches the tags
    const halves = Object.entries(differs).flatMap(([key, found]) =>
      (found.includes('removed') ? (['content', 'price'] as const) : found).map(
        (half) => `${key.split('.')[0]} ${half}`,
      ),
    )
    expect(changedHalves(digested, await digests(accountId, storeIds))).toEqual([...new Set(halves)].sort())
    expect([...new Set(Object.values(differs).flat())].sort()).toEqual([...kinds].sort())
    await expectAudited(database.db, accountId)
  })
})

test('the same write again changes nothing', async () => {
  const { account, p1 } = await openGround(bench, 'again')
  const { accountId } = account
  const head = await counterGet(database.db, accountId)
  await say(accountId, async (tx) => (await writeOffers(tx, accountId, account.suppliers[0]!, OFFERS.first)).productIds)
  await say(accountId, async (tx) => void (await createProducts(tx, accountId, [])))
  await say(accountId, (tx) => setOwnStock(tx, accountId, [{ productId: p1, quantity: 0, cost: null }]))
  expect(await counterGet(database.db, accountId)).toEqual(head)
})
