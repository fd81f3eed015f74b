import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  lastBankRequest,
  bankFetchClaim,
  bankFailingSeconds,
  newestBankRates,
} from '../../src/bank-rates/bank-rates.sql.ts'
import { bankRatesStep } from '../../src/bank-rates/loop.ts'
import { takeOverRates } from '../../src/bank-rates/take-over.ts'
import { ratesList } from '../../src/catalog/settings/prices/rates.sql.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { noticesList } from '../../src/notices/notices.sql.ts'
import { noticeText } from '../../src/notices/notice-text.ts'
import { openOutbound } from '../../src/outbound/client.ts'
import { silentLog } from '../../src/platform/log.ts'
import { editAccount, type AccountChanges } from '../../src/shelf/account.ts'
import {
  createAccount,
  expectAudited,
  giveOffers,
  offer,
  writeAndShelve,
  type TestAccount,
} from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { worldOfFile } from '../harness/world.ts'

// Exchange rates of the European Central Bank, from a local server instead of the bank's, in accounts with rates of 4 (PLN) and 1.25 (USD).

const { database, bench } = worldOfFile()
const outbound = openOutbound({ allow: ['127.0.0.0/8'], userAgent: 'test' })
afterAll(() => outbound.close())

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const TODAY = dayBefore(0)
/** The bank's other currencies, whose values do not matter here. */
const OTHERS = { GBP: '0.87', CHF: '0.93', JPY: '181', SEK: '11' }
const fileOf = (day: string, rates: Readonly<Record<string, string>>) =>
  `<e:Envelope xmlns:e="urn:e" xmlns="urn:c"><Cube><Cube time="${day}">${Object.entries({ ...OTHERS, ...rates })
    .map(([currency, rate]) => `<Cube currency="${currency}" rate="${rate}"/>`)
    .join('')}</Cube></Cube></e:Envelope>`

let server: Server
let url: string
let asked = 0
let answer: { status: number; body: string }
beforeAll(async () => {
  server = createServer((_, response) => {
    asked++
    if (answer.status === 0) response.destroy()
    else response.writeHead(answer.status).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/eurofxref-daily.xml`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(async () => {
  asked = 0
  await database.db`delete from bank_rate`
  await database.db`delete from bank_rate_fetch`
  await database.db`update account set rates_from = 'hand'`
})

const signal = new AbortController().signal
const step = () => bankRatesStep({ db: database.db, log: silentLog, outbound, url }, bench.wake, signal)
/** Moves the last request to the bank an hour back. */
const later = () => database.db`update bank_rate_fetch set asked_at = asked_at - interval '1 hour'`
const ratesOf = async ({ accountId }: TestAccount) =>
  Object.fromEntries(
    (await ratesList(database.db, accountId)).map((row) => [row.currency, [row.rate, row.bankDay, row.heldRate]]),
  )
const edit = ({ accountId }: TestAccount, changes: AccountChanges) =>
  writeAndShelve(bench, accountId, (tx) => editAccount(tx, accountId, changes))
const sweeps = async ({ accountId }: TestAccount) =>
  (await database.db`select 1 from sweep where account_id = ${accountId}`).length
const noticesOf = ({ accountId }: TestAccount) => noticesList(database.db, accountId, { limit: 50 })
const auditOf = ({ accountId }: TestAccount) => database.db<{ actor: string; target: string; details: object }[]>`
  select actor, target, details from audit_entry where account_id = ${accountId} order by entry_id`
const shelved = async (account: TestAccount) => {
  await bench.shelf.drain(account.accountId)
  await expectAudited(database.db, account.accountId)
}
const polishPrice = async ({ accountId, storeIds }: TestAccount) => {
  const [row] = await database.db<{ body: string }[]>`
    select body from payload_price where account_id = ${accountId} and store_id = ${storeIds[2]}`
  return row?.body
}

test('while no account wants the bank’s rates, it is not asked', async () => {
  const account = await createAccount(bench, 'by hand')
  answer = { status: 200, body: fileOf(TODAY, { USD: '1.16', PLN: '4.25' }) }
  expect(await step()).toBe(false)
  expect(asked).toBe(0)
  expect(await bankFailingSeconds(database.db)).toBeNull()
  expect(await ratesOf(account)).toEqual({ PLN: ['4', null, null], USD: ['1.25', null, null] })
})

test('an account that wants them gets those of its currencies with one sweep; one that differs too much is held, and said once', async () => {
  const account = await createAccount(bench, 'by the bank')
  const other = await createAccount(bench, 'another')
  await giveOffers(bench, account, [offer('A', { cost: '10' })])
  const before = await polishPrice(account)
  await edit(account, { ratesFrom: 'ecb' })
  await shelved(account)
  answer = { status: 200, body: fileOf(TODAY, { USD: '1', PLN: '4.25' }) }
  // two processes at once, and both again: one request, one sweep, one notice
  await Promise.all([step(), step()])
  await Promise.all([step(), step()])
  expect(asked).toBe(1)
  expect(await ratesOf(account)).toEqual({ PLN: ['4.25', TODAY, null], USD: ['1.25', null, '1'] })
  expect(await ratesOf(other)).toEqual({ PLN: ['4', null, null], USD: ['1.25', null, null] })
  expect(await sweeps(account)).toBe(1)
  await shelved(account)
  expect(await polishPrice(account)).not.toBe(before)
  expect(await auditOf(account)).toEqual([
    {
      actor: 'European Central Bank (ecb)',
      target: '/v1/account/rates/PLN',
      details: { rate: '4.25', day: TODAY },
    },
  ])
  const [notice, ...more] = await noticesOf(account)
  expect(more).toEqual([])
  expect(notice).toMatchObject({
    kind: 'rates_held',
    facts: { day: TODAY, own: 'EUR', rates: [{ currency: 'USD', rate: '1.25', held_rate: '1' }] },
  })
  expect(noticeText(account.accountId, notice!, 'en').text).toContain(
    `shelfwire rate set --account ${account.accountId} USD=1`,
  )
  // somebody writes the bank's held value by hand: it counts as the bank's
  await writeAndShelve(bench, account.accountId, (tx) =>
    setRates(tx, account.accountId, [{ currency: 'USD', rate: '1' }]),
  )
  expect(await ratesOf(account)).toMatchObject({ USD: ['1', TODAY, null] })
  // another value is the owner's, and stays until the bank's next day
  await writeAndShelve(bench, account.accountId, (tx) =>
    setRates(tx, account.accountId, [{ currency: 'PLN', rate: '4.3' }]),
  )
  await step()
  expect(await ratesOf(account)).toMatchObject({ PLN: ['4.3', null, null] })
  await shelved(account)
})

test('a small change of the bank’s moves nothing until it adds up; held ones come back by themselves, or with other bounds', async () => {
  const account = await createAccount(bench, 'day by day')
  await edit(account, { ratesFrom: 'ecb', ratesLeastChangePercent: '1', ratesGreatestChangePercent: '5' })
  await shelved(account)
  const on = (day: string, rates: Record<string, string>) =>
    inTransaction(database.db, (tx) =>
      takeOverRates(tx, account.accountId, { day, rates: new Map([['EUR', '1'], ...Object.entries(rates)]) }),
    )
  expect(await on('2026-01-05', { PLN: '4.1', USD: '1.25' })).toEqual({ taken: 2, held: 0 })
  expect(await on('2026-01-05', { PLN: '4.2', USD: '1.26' })).toEqual({ taken: 0, held: 0 })
  await shelved(account)
  expect(await on('2026-01-06', { PLN: '4.12', USD: '1.26' })).toEqual({ taken: 0, held: 0 })
  expect(await sweeps(account)).toBe(0)
  expect(await on('2026-01-07', { PLN: '4.141', USD: '1.4' })).toEqual({ taken: 1, held: 1 })
  expect(await on('2026-01-08', { PLN: '4.141', USD: '1.41' })).toEqual({ taken: 0, held: 1 })
  expect(await noticesOf(account)).toHaveLength(1)
  expect(await ratesOf(account)).toEqual({ PLN: ['4.141', '2026-01-07', null], USD: ['1.25', '2026-01-05', '1.41'] })
  expect(await on('2026-01-09', { PLN: '4.141', USD: '1.27' })).toEqual({ taken: 1, held: 0 })
  expect(await ratesOf(account)).toMatchObject({ USD: ['1.27', '2026-01-09', null] })
  expect(await on('2026-01-12', { PLN: '4.141', USD: '1.4' })).toEqual({ taken: 0, held: 1 })
  // after the bounds change, the rates of the same day are checked again
  await edit(account, { ratesGreatestChangePercent: '20' })
  expect(await on('2026-01-12', { PLN: '4.141', USD: '1.4' })).toEqual({ taken: 1, held: 0 })
  await shelved(account)
  // a process that is killed before its commit has changed nothing
  await expect(
    inTransaction(database.db, async (tx) => {
      await takeOverRates(tx, account.accountId, {
        day: '2026-01-13',
        rates: new Map([
          ['EUR', '1'],
          ['PLN', '4'],
        ]),
      })
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await on('2026-01-13', { PLN: '4', USD: '1.4' })).toEqual({ taken: 1, held: 0 })
  expect(await sweeps(account)).toBe(1)
  // when rates are set by hand again, held ones are dropped and none is taken over
  expect(await on('2026-01-14', { PLN: '8', USD: '1.4' })).toEqual({ taken: 0, held: 1 })
  await edit(account, { ratesFrom: 'hand' })
  expect(await ratesOf(account)).toMatchObject({ PLN: ['4', '2026-01-13', null] })
  expect(await on('2026-01-15', { PLN: '4.1', USD: '1.4' })).toEqual({ taken: 0, held: 0 })
})

test.skipIf(isCluster())('a failure of our own is none of the bank’s: it is said without a kind', async () => {
  const account = await createAccount(bench, 'with a full disk')
  await edit(account, { ratesFrom: 'ecb' })
  answer = { status: 200, body: fileOf(TODAY, { USD: '1.22', PLN: '4.2' }) }
  await database.db`alter table bank_rate add constraint nothing_is_kept check (false) not valid`
  try {
    await step()
  } finally {
    await database.db`alter table bank_rate drop constraint nothing_is_kept`
  }
  expect(asked).toBe(1)
  expect(await lastBankRequest(database.db)).toMatchObject({
    answeredAt: expect.any(Date),
    failingSince: expect.any(Date),
    failureKind: null,
  })
  expect(await ratesOf(account)).toEqual({ PLN: ['4', null, null], USD: ['1.25', null, null] })
  await later()
  await step()
  expect(await lastBankRequest(database.db)).toMatchObject({ failingSince: null })
})

test('a bank that is away or sends nonsense changes nothing, is asked once an hour, and is said', async () => {
  const account = await createAccount(bench, 'without a bank')
  await edit(account, { ratesFrom: 'ecb' })
  const old = dayBefore(20)
  answer = { status: 200, body: fileOf(old, { USD: '1.24', PLN: '4.1' }) }
  await step()
  const known = { PLN: ['4.1', old, null], USD: ['1.24', old, null] }
  expect(await ratesOf(account)).toEqual(known)
  expect(await bankFailingSeconds(database.db)).toBe(0)
  const good = fileOf(TODAY, { USD: '1.22', PLN: '4.2' })
  expect(await lastBankRequest(database.db)).toMatchObject({
    answeredAt: expect.any(Date),
    failingSince: null,
    failureKind: null,
  })
  for (const [i, [kind, bad]] of (
    [
      ['refused', { status: 503, body: good }],
      ['refused', { status: 302, body: '' }],
      ['unusable', { status: 200, body: '<html><p>Maintenance</p></html>' }],
      ['unusable', { status: 200, body: good.slice(0, -20) }],
      ['unusable', { status: 200, body: fileOf('2999-01-01', { USD: '1.22', PLN: '4.2' }) }],
      ['unusable', { status: 200, body: good + ' '.repeat(70_000) }],
      ['unreachable', { status: 0, body: '' }],
    ] as const
  ).entries()) {
    await later()
    answer = bad
    await step()
    await step()
    expect(await lastBankRequest(database.db)).toMatchObject({
      answeredAt: expect.any(Date),
      failingSince: expect.any(Date),
      failureKind: kind,
    })
    expect(asked, JSON.stringify(bad).slice(0, 80)).toBe(2 + i)
    expect(await ratesOf(account)).toEqual(known)
    expect(await bankFailingSeconds(database.db)).toBeGreaterThan(0)
  }
  await later()
  // a process claims the request and is killed
  await inTransaction(database.db, (tx) => bankFetchClaim(tx, 3_600_000))
  expect(await lastBankRequest(database.db)).toMatchObject({ askedAt: expect.any(Date), answeredAt: null })
  await later()
  answer = { status: 200, body: good }
  await step()
  expect(await lastBankRequest(database.db)).toMatchObject({
    answeredAt: expect.any(Date),
    failingSince: null,
    failureKind: null,
  })
  expect(await ratesOf(account)).toEqual({ PLN: ['4.2', TODAY, null], USD: ['1.22', TODAY, null] })
  expect(await bankFailingSeconds(database.db)).toBe(0)
  expect((await newestBankRates(database.db))?.day).toBe(TODAY)
  // the rates of the day are already there, so the bank is not asked again
  const before = asked
  await later()
  await step()
  expect(asked).toBe(before)
})

test('a transaction that began before another claimed does not claim as well; a clock that was set back far stops nothing', async () => {
  await inTransaction(database.db, async (tx) => {
    await tx`select now()`
    expect(await inTransaction(database.db, (other) => bankFetchClaim(other, 3_600_000))).toBe(true)
    expect(await bankFetchClaim(tx, 3_600_000)).toBe(false)
  })
  await database.db`update bank_rate_fetch set asked_at = asked_at + interval '3 hours'`
  expect(await inTransaction(database.db, (tx) => bankFetchClaim(tx, 3_600_000))).toBe(true)
})
