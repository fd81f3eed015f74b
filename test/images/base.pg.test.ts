import { pino } from 'pino'
import { expect, test } from 'vitest'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { startImageBase } from '../../src/images/base/image-base.ts'
import { silentLog } from '../../src/platform/log.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { createAccount, giveOffers, offer, type TestAccount, expectAudited } from '../harness/account.ts'
import { pictureOf, recordAs } from '../harness/images.ts'
import { until } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// The base URL of pictures is a setting of processes and an input of payloads.

const { database, bench } = worldOfFile()

const baseOf = async ({ accountId }: TestAccount) => {
  const [row] = await database.db<{ base: string | null }[]>`
    select image_base as base from account_inputs where account_id = ${accountId}`
  return row?.base
}

/** Runs the loop of a process with this base URL until an account has it. */
async function started(base: string, account: TestAccount, work = async () => {}): Promise<void> {
  const loop = startImageBase(database.db, bench.wake, silentLog, () => base)
  await until(`the address is ${base}`, async () => ((await baseOf(account)) ?? '') === base)
  await work()
  await loop.stop()
  await bench.shelf.drain(account.accountId)
}

async function imagesOf({ accountId }: TestAccount): Promise<string[]> {
  const [row] = await database.db<{ body: string }[]>`
    select body from payload_content where account_id = ${accountId} order by store_id, product_id limit 1`
  return (JSON.parse(`{${row?.body ?? ''}}`) as { images: string[] }).images
}

test('turned on, pointed elsewhere, turned off and on again: payloads follow, and the audit is clean', async () => {
  const account = await createAccount(bench)
  const url = 'https://images.example.com/a.jpg'
  await giveOffers(bench, account, [offer('A', { images: [url, 'https://images.example.com/b.jpg'] })])
  const { hash } = pictureOf('a') as { hash: string }
  expect(await imagesOf(account)).toEqual([url, 'https://images.example.com/b.jpg'])
  await started('https://one.example', account)
  const record = (of: string, outcome: Parameters<typeof recordAs>[3]) =>
    inTransaction(database.db, (tx) => recordAs(tx, account.accountId, of, outcome))
  await record(url, pictureOf('a'))
  await record('https://images.example.com/b.jpg', { kind: 'gone', reason: 'gone' })
  await bench.shelf.drain(account.accountId)
  expect(await imagesOf(account)).toEqual([`https://one.example/images/${hash}.png`])
  await started('https://two.example', account)
  expect(await imagesOf(account)).toEqual([`https://two.example/images/${hash}.png`])
  await started('', account)
  expect(await imagesOf(account)).toEqual([url, 'https://images.example.com/b.jpg'])
  // pictures that are named meanwhile are registered later
  await bench.shelf.write(account.accountId, (tx) =>
    writeOffers(tx, account.accountId, account.suppliers[0]!, [
      { sku: 'A', images: ['https://images.example.com/c.jpg', url] },
    ]),
  )
  await started('https://two.example', account)
  expect(await imagesOf(account)).toEqual([
    'https://images.example.com/c.jpg',
    `https://two.example/images/${hash}.png`,
  ])
  await expectAudited(database.db, account.accountId)
})

test('a process brings all accounts to its address once, and later only new ones', async () => {
  const first = await createAccount(bench)
  await started('https://newer.example', first, async () => {
    // a process with another base URL started later, and this one does not set its own again
    await started('https://newest.example', first)
    const second = await createAccount(bench)
    await until('the new account has an address', async () => (await baseOf(second)) === 'https://newer.example')
    expect(await baseOf(first)).toBe('https://newest.example')
  })
})

test('the audit finds a product whose pictures are not registered', async () => {
  const account = await createAccount(bench)
  await started('https://one.example', account)
  await giveOffers(bench, account, [offer('A')])
  expect(await auditAccount(database.db, account.accountId)).toMatchObject({ differencesTotal: 0 })
  await database.db`delete from product_image where account_id = ${account.accountId}`
  expect((await auditAccount(database.db, account.accountId)).differences).toMatchObject([
    { what: 'names other pictures than are registered for it' },
  ])
})

test('an address that no setting names replaces no other one, and the difference is logged with both', async () => {
  const account = await createAccount(bench)
  const told: unknown[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void told.push(JSON.parse(line)) })
  const implicit = async (base: string, until_: () => Promise<boolean>) => {
    const loop = startImageBase(database.db, bench.wake, log, () => base, true)
    await until('it has looked', until_)
    await loop.stop()
  }
  await implicit('http://127.0.0.1:8080', async () => (await baseOf(account)) === 'http://127.0.0.1:8080')
  const sweeps = await database.db`select 1 from sweep where account_id = ${account.accountId}`
  const isOwn = (line: unknown) => (line as { own?: string }).own === 'http://127.0.0.1:8090'
  await implicit('http://127.0.0.1:8090', () => Promise.resolve(told.some(isOwn)))
  expect(told.find(isOwn)).toMatchObject({ level: 40, used: expect.stringContaining('://') })
  expect(await baseOf(account)).toBe('http://127.0.0.1:8080')
  expect(await database.db`select 1 from sweep where account_id = ${account.accountId}`).toHaveLength(sweeps.length)
  // a base URL from a setting is set again
  await started('https://named.example', account)
})
