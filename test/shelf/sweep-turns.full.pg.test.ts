import { expect, test } from 'vitest'
import { createFilledAccount, fillProducts } from '../../bench/fill.ts'
import { setAttributeDefinitions } from '../../src/catalog/settings/content/attribute-definitions.ts'
import { createExclusionRule } from '../../src/catalog/settings/rules/exclusion-rules.ts'
import { createGroup } from '../../src/catalog/settings/stores/groups.ts'
import { editRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { editStore } from '../../src/catalog/settings/stores/stores.ts'
import { isStale, stalePosition, type StalePosition } from '../../src/catalog/stale/stale.sql.ts'
import { sweepAppend } from '../../src/catalog/stale/sweeps.sql.ts'
import { pick, prng } from '../../src/demo/catalog/prng.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { operationGet, operationsSettle, type OperationRow } from '../../src/operations/operations.sql.ts'
import { openOperations } from '../../src/operations/operations.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { openCompiledAccounts } from '../../src/shelf/inputs/compiled-inputs.ts'
import { sweepStep } from '../../src/shelf/sweep.ts'
import { hold, openNamed, seedFor } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'
import { expectAudited } from '../harness/account.ts'

// Sweeps that are created faster than they are processed: each waits for one pass over the products, however many follow it.

const PRODUCTS = 300
const BATCH = 20
const STEPS_OF_A_WALK = PRODUCTS / BATCH + 1
Object.assign(LIMITS, { shelveBatchProducts: BATCH })

const accounts = openCompiledAccounts()
const { database, bench } = worldOfFile()

/** An account whose default rule is edited; `read` returns by which edit each product is priced, in the order of ids. */
async function many(name: string) {
  const account = await createFilledAccount(database.db, name, 1)
  const { accountId, defaultRuleId } = account
  await fillProducts(database.db, account, PRODUCTS)
  const edit = (percent: number) =>
    inTransaction(database.db, (tx) => editRule(tx, accountId, defaultRuleId, { percent: String(percent) }))
  await edit(0)
  await inTransaction(database.db, (tx) => sweepAppend(tx, accountId, 'filled'))
  await bench.shelf.drain(accountId)
  const read = async () => {
    const rows = await database.db<{ body: string }[]>`
      select body from payload_price where account_id = ${accountId} order by product_id`
    return rows.map(({ body }) => {
      const { prices } = JSON.parse(`{${body}}`) as { prices: { base_cost: number; computed_price: number }[] }
      const [price] = prices
      return Math.round(((price?.computed_price ?? 0) / (price?.base_cost ?? 1) - 1) * 100)
    })
  }
  return { ...account, edit, read, step: () => sweepStep(database.db, accounts, accountId) }
}
const open = (accountId: number) => database.db<{ sweepId: number; start: number; finish: number }[]>`
  select sweep_id as "sweepId", next_product_id as start, end_product_id as finish from sweep where account_id = ${accountId} order by 1, 2`

test('with a new sweep before every batch no product waits longer than one walk, and few sweeps are open', async () => {
  const { accountId, edit, read, step } = await many('without end')
  const asked: StalePosition[] = []
  const late: string[] = []
  const early: string[] = []
  const operations = openOperations(database.db, bench.wake)
  const progress: (OperationRow | undefined)[] = []
  let operation = 0
  let opened = 0
  for (let at = 1; at <= 3 * STEPS_OF_A_WALK; at++) {
    await edit(at)
    asked.push(await stalePosition(database.db, accountId))
    if (at === STEPS_OF_A_WALK) operation = await operations.track(accountId, asked.at(-1) ?? { markId: 0, sweepId: 0 })
    await step()
    await inTransaction(database.db, (tx) => operationsSettle(tx, accountId))
    if (operation > 0) progress.push(await operationGet(database.db, accountId, operation))
    const due = at - STEPS_OF_A_WALK
    const oldest = Math.min(...(await read()))
    if (oldest < due) late.push(`after edit ${at} a product has the price of edit ${oldest}`)
    const waiting = await Promise.all(asked.map((position) => isStale(database.db, accountId, position)))
    const ended = waiting.indexOf(true)
    if (ended < due) late.push(`after edit ${at} the sweep of edit ${ended + 1} has not ended`)
    if (oldest < ended) early.push(`after edit ${at} a product has the price of edit ${oldest} and ${ended} has ended`)
    opened = Math.max(opened, (await open(accountId)).length)
  }
  expect({ late, early }).toEqual({ late: [], early: [] })
  expect(opened).toBeLessThanOrEqual(STEPS_OF_A_WALK + 1)
  const done = progress.map((row) => row?.done ?? -1)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  // a batch at a time, and no further than the end of a pass
  expect(new Set(done).size).toBeGreaterThanOrEqual(STEPS_OF_A_WALK - 2)
  expect(progress.findIndex((row) => row?.state === 'succeeded')).toBeLessThan(STEPS_OF_A_WALK)
  expect(progress.at(-1)).toMatchObject({ state: 'succeeded', total: PRODUCTS, done: PRODUCTS })
  await bench.shelf.drain(accountId)
  expect(new Set(await read())).toEqual(new Set([3 * STEPS_OF_A_WALK]))
  await expectAudited(database.db, accountId)
})

test('a sweep that is made while a worker shelves a batch of an older one goes over the products of that batch, too', async () => {
  const { accountId, edit, read, step } = await many('in flight')
  await edit(1)
  await step()
  await using a = openNamed(database)
  const [next] = await database.db<{ id: number }[]>`
    select product_id as id from payload_price where account_id = ${accountId} order by 1 offset ${BATCH} limit 1`
  // the worker has read the rules for its second batch and waits before it writes
  await using obstacle = await hold(
    database.db,
    (tx) => tx`select from payload_price where account_id = ${accountId} and product_id = ${next!.id} for update`,
  )
  const batch = sweepStep(a.db, accounts, accountId)
  expect(await a.fate(batch)).toBe('blocked')
  await edit(2)
  // another worker begins with products that the older sweep has already passed
  expect(await step()).toMatchObject({ products: BATCH, changes: BATCH })
  await obstacle.commit()
  expect(await batch).toMatchObject({ products: BATCH })
  await bench.shelf.drain(accountId)
  expect(new Set(await read())).toEqual(new Set([2]))
  await expectAudited(database.db, accountId)
})

test('a worker leaves products that an older sweep has still to reach to the worker that has it', async () => {
  const { accountId, edit, step } = await many('behind it')
  await edit(1)
  await using obstacle = await hold(
    database.db,
    (tx) => tx`select from sweep where account_id = ${accountId} for update`,
  )
  await edit(2)
  expect(await step()).toBeNull()
  await obstacle.commit()
  await step()
  expect(await open(accountId)).toMatchObject([{ finish: Number.MAX_SAFE_INTEGER }])
})

const label = (accountId: number, text: string) =>
  inTransaction(database.db, (tx) =>
    setAttributeDefinitions(tx, accountId, [{ key: 'color', unit: null, position: 1, labels: { de: text } }]),
  )

test('a sweep of prices that a sweep of whole products has been merged with goes over whole products', async () => {
  const { accountId, edit, step } = await many('whole')
  await edit(1)
  await step()
  await label(accountId, 'Farbton')
  while ((await step()) !== null);
  const [row] = await database.db<{ count: number }[]>`
    select count(*)::int from payload_content where account_id = ${accountId} and body like '%"Farbton"%'`
  expect(row).toEqual({ count: PRODUCTS })
  await expectAudited(database.db, accountId)
})

test('sweeps of every reach, made at random beside two workers with parts and batches of any size, leave nothing out', async () => {
  const seed = seedFor('sweep turns')
  const random = prng(seed)
  const { accountId, storeIds, edit } = await many('at random')
  const write = [
    (at: number) => edit(at),
    (at: number) =>
      inTransaction(database.db, (tx) => setRates(tx, accountId, [{ currency: 'PLN', rate: `4.${1_000 + at}` }])),
    (at: number) => inTransaction(database.db, (tx) => createGroup(tx, accountId, `Group ${at}`)),
    (at: number) => label(accountId, `Farbe ${at}`),
    (at: number) =>
      inTransaction(database.db, (tx) => editStore(tx, accountId, storeIds[0]!, { locale: at % 2 ? 'en' : 'de' })),
    (at: number) =>
      inTransaction(database.db, (tx) =>
        createExclusionRule(tx, accountId, { name: `Rule ${at}`, kind: 'no_ean', isActive: at % 2 === 0 }),
      ),
  ]
  const sweepPartIds = LIMITS.sweepPartIds
  Object.assign(LIMITS, { sweepPartIds: 64 })
  try {
    const worker = async (steps: number) => {
      for (let i = 0; i < steps; i++) await sweepStep(database.db, accounts, accountId, 1 + Math.floor(random() * 40))
    }
    for (let at = 1; at <= 30; at++) {
      await pick(write, random)(at)
      await Promise.all([worker(random() * 4), worker(random() * 4)])
    }
    // by sweeps alone: nothing has a mark
    while ((await sweepStep(database.db, accounts, accountId)) !== null);
  } finally {
    Object.assign(LIMITS, { sweepPartIds })
  }
  expect(await open(accountId)).toEqual([])
  await expectAudited(database.db, accountId, `SEED=${seed}`)
})
