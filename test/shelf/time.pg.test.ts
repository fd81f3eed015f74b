import { expect, test } from 'vitest'
import { advanceAccount } from '../../src/catalog/settings/days.ts'
import { zeroOffers } from '../../src/catalog/products/offers/offers.ts'
import { createRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { RESOLVER_VERSION } from '../../src/resolve/resolve.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { clockStep } from '../../src/shelf/clock.ts'
import { createAccount, giveOffers, offer, type TestAccount, expectAudited } from '../harness/account.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// Changes that depend only on time happen by themselves when they are due.

const { database, bench } = worldOfFile()

async function tick(accountId: number): Promise<void> {
  while (await clockStep(database.db, bench.wake));
  await bench.shelf.drain(accountId)
}
async function price(account: TestAccount, productId: number): Promise<number | undefined> {
  const [row] = await database.db<{ body: string }[]>`
    select body from payload_price where account_id = ${account.accountId} and store_id = ${account.storeIds[0]} and product_id = ${productId}`
  return (JSON.parse(`{${row!.body}}`) as { prices: { computed_price: number }[] }).prices[0]?.computed_price
}
async function day(accountId: number): Promise<{ day: string; lasts: string; sweeps: number }> {
  const [row] = await database.db<{ day: string; lasts: string; sweeps: number }[]>`
    select day::text, (ends_at at time zone (select time_zone from account where account_id = ${accountId}))::text as lasts,
      (select count(*)::int from sweep where account_id = ${accountId}) as sweeps
    from account_inputs where account_id = ${accountId}`
  return row!
}
const goTo = async (accountId: number, today: string) => {
  await inTransaction(database.db, (tx) => advanceAccount(tx, accountId, RESOLVER_VERSION, today))
  await bench.shelf.drain(accountId)
}
/** Sets the account's day back by some days, so that the clock's loop must advance it. */
const backdate = (accountId: number, days: number) => database.db`
  update account_inputs set day = day - ${days}::int, ends_at = (ends_at at time zone 'UTC' - make_interval(days => ${days})) at time zone 'UTC' where account_id = ${accountId}`

test('a rule applies from its first day to its last, both included, without a write', async () => {
  const account = await createAccount(bench, 'days')
  const { accountId } = account
  const [id = 0] = await giveOffers(bench, account, [offer('A', { cost: '10' })])
  await inTransaction(database.db, (tx) =>
    createRule(tx, accountId, { name: 'Black week', percent: '0', validFrom: '2998-11-23', validTo: '2998-11-29' }),
  )
  await bench.shelf.drain(accountId)
  const shown: Record<string, number | undefined> = {}
  for (const today of ['2998-11-22', '2998-11-23', '2998-11-29', '2998-11-30']) {
    await goTo(accountId, today)
    shown[today] = await price(account, id)
    await expectAudited(database.db, accountId)
  }
  expect(shown).toEqual({ '2998-11-22': 12.5, '2998-11-23': 10, '2998-11-29': 10, '2998-11-30': 12.5 })
})

test('a day on which no rule starts or ends needs no sweep, and the day never goes back', async () => {
  const account = await createAccount(bench, 'quiet')
  const { accountId } = account
  await inTransaction(database.db, (tx) =>
    createRule(tx, accountId, { name: 'Later', percent: '0', validFrom: '2998-12-01' }),
  )
  await bench.shelf.drain(accountId)
  await goTo(accountId, '2998-11-30')
  await inTransaction(database.db, (tx) => advanceAccount(tx, accountId, RESOLVER_VERSION, '2998-11-01'))
  expect(await day(accountId)).toEqual({ day: '2998-11-30', lasts: '2998-12-01 00:00:00', sweeps: 0 })
})

test('the clock finds accounts whose day has ended in their time zone, also several days at once', async () => {
  const account = await createAccount(bench, 'clock')
  const { accountId } = account
  const [id = 0] = await giveOffers(bench, account, [offer('A', { cost: '10' })])
  const [dates] = await database.db<{ before: string; today: string }[]>`
    select ((clock_timestamp() at time zone 'Pacific/Kiritimati')::date - 2)::text as before,
      (clock_timestamp() at time zone 'Pacific/Kiritimati')::date::text as today`
  await inTransaction(database.db, (tx) => editAccount(tx, accountId, { timeZone: 'Pacific/Kiritimati' }))
  await inTransaction(database.db, (tx) =>
    createRule(tx, accountId, { name: 'Ended', percent: '0', validTo: dates!.before }),
  )
  await bench.shelf.drain(accountId)
  await backdate(accountId, 3)
  await database.db`update account_inputs set version = version + 1 where account_id = ${accountId}`
  await inTransaction(
    database.db,
    (tx) => tx`insert into sweep (account_id, reason) values (${accountId}, 'backdated')`,
  )
  await bench.shelf.drain(accountId)
  expect(await price(account, id)).toBe(10)
  await tick(accountId)
  expect(await price(account, id)).toBe(12.5)
  expect(await day(accountId)).toMatchObject({ day: dates!.today, lasts: expect.stringMatching(/ 00:00:00$/) })
})

test('a time zone that is edited while the clock has stepped back takes the day from the time that it had reached', async () => {
  const { accountId } = await createAccount(bench, 'stepped back')
  const zone = (timeZone: string) => inTransaction(database.db, (tx) => editAccount(tx, accountId, { timeZone }))
  await zone('Pacific/Auckland')
  // the day had begun there, at 11:00 of the 29th in UTC, and now the clock is centuries behind
  await goTo(accountId, '2998-11-30')
  const seen: string[] = []
  for (const timeZone of ['Europe/Warsaw', 'America/New_York', 'Europe/Warsaw', 'Pacific/Auckland']) {
    await zone(timeZone)
    seen.push((await day(accountId)).day)
    expect(await day(accountId)).toMatchObject({ lasts: expect.stringMatching(/ 00:00:00$/) })
  }
  // each time the start of the day before is used, which was certainly reached
  expect(seen).toEqual(['2998-11-29', '2998-11-28', '2998-11-28', '2998-11-28'])
})

test('a clock that has waited for an edit of the time zone goes by the new one', async () => {
  const { accountId } = await createAccount(bench, 'waited')
  const zone = (tx: Tx, timeZone: string) => editAccount(tx, accountId, { timeZone })
  await inTransaction(database.db, (tx) => zone(tx, 'Pacific/Kiritimati'))
  await bench.shelf.drain(accountId)
  await backdate(accountId, 3)
  await using edit = await hold(database.db, (tx) => zone(tx, 'Pacific/Pago_Pago'))
  await using clock = openNamed(database)
  const advancing = inTransaction(clock.db, (tx) => advanceAccount(tx, accountId, RESOLVER_VERSION))
  expect(await clock.fate(advancing)).toBe('blocked')
  await edit.commit()
  await advancing
  const [west] = await database.db<{ day: string }[]>`
    select (clock_timestamp() at time zone 'Pacific/Pago_Pago')::date::text as day`
  expect(await day(accountId)).toMatchObject(west!)
})

test('a day of 23 or 25 hours ends at midnight too', async () => {
  const account = await createAccount(bench, 'dst')
  const { accountId } = account
  await inTransaction(database.db, (tx) => editAccount(tx, accountId, { timeZone: 'Europe/Warsaw' }))
  // clocks go forward on the last Sunday of March, back on the last Sunday of October
  for (const [today, hours] of [
    ['2998-03-25', 23],
    ['2998-10-28', 25],
  ] as const) {
    await goTo(accountId, today)
    const [row] = await database.db<{ hours: number }[]>`
      select extract(epoch from ends_at - (day::timestamp at time zone 'Europe/Warsaw'))::int / 3600 as hours
      from account_inputs where account_id = ${accountId}`
    expect(row).toEqual({ hours })
  }
})

test('an offer that is absent for 30 days is dropped with its content, and gets its product back when it returns', async () => {
  const account = await createAccount(bench, 'absent')
  const { accountId } = account
  const [north] = account.suppliers
  const [id = 0] = await giveOffers(bench, account, [offer('A', { cost: '10', eans: ['4006381333931'] }), offer('B')])
  await bench.shelf.write(accountId, (tx) => zeroOffers(tx, accountId, north!.supplierId, ['A', 'B']))
  const age = (sku: string, days: string) =>
    database.db`update offer set absent_since = now() - ${days}::interval where account_id = ${accountId} and supplier_sku = ${sku}`
  await age('A', '30 days 1 second')
  await age('B', '29 days 23 hours 59 minutes')
  await tick(accountId)
  const seen = await database.db<{ productId: number; body: string }[]>`
    select product_id as "productId", '{' || c.body || ',' || p.body || '}' as body from payload_content c join payload_price p using (account_id, store_id, product_id)
    where account_id = ${accountId} and store_id = ${account.storeIds[0]} order by product_id`
  expect(seen.map((row) => JSON.parse(row.body) as unknown)).toEqual([
    expect.objectContaining({
      id,
      title: null,
      ean: null,
      images: [],
      attributes: [],
      excluded: true,
      exclusion_reason: 'no_price',
      prices: [],
      stock: 0,
    }),
    expect.objectContaining({ title: 'Article B', excluded: false, stock: 0 }),
  ])
  // an article that is offered again under another key is matched as a new one; under its own key it returns to its product
  expect(await giveOffers(bench, account, [offer('A', { cost: '11', eans: ['4006381333931'] })])).toEqual([id])
  expect(await price(account, id)).toBe(13.75)
  await expectAudited(database.db, accountId)
})

test('a newer resolver sweeps every account once; an older process does not touch the account afterwards', async () => {
  const account = await createAccount(bench, 'release')
  const { accountId } = account
  const [id = 0] = await giveOffers(bench, account, [offer('A')])
  await database.db`update account_inputs set resolver = ${RESOLVER_VERSION - 1} where account_id = ${accountId}`
  await database.db`update payload_price set resolver = ${RESOLVER_VERSION - 1} where account_id = ${accountId}`
  const versions = () =>
    database.db<{ resolver: number }[]>`select distinct resolver from payload_price where account_id = ${accountId}`
  await tick(accountId)
  expect(await versions()).toEqual([{ resolver: RESOLVER_VERSION }])
  await clockStep(database.db, bench.wake)
  expect(await day(accountId)).toMatchObject({ sweeps: 0 })
  await database.db`update account_inputs set resolver = ${RESOLVER_VERSION + 1} where account_id = ${accountId}`
  // written but not shelved here: the mark waits for the newer release
  const written = await bench.shelf.write(accountId, (tx) =>
    zeroOffers(tx, accountId, account.suppliers[0]!.supplierId, ['A']),
  )
  expect(written.productIds).toEqual([id])
  await expect(bench.shelf.drain(accountId)).rejects.toThrow(/newer release/)
  expect(await database.db`select product_id from mark where account_id = ${accountId}`).toMatchObject([
    { product_id: id },
  ])
})
