import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { isStale } from '../../src/catalog/stale/stale.sql.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { makeInvitation } from '../../src/people/links.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { openWebhooks, TEST_KEY, type Webhooks } from '../harness/delivering.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { client, startTestService, tokenFor, type Client, type TestService } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { makeOwner, makePerson, openBrowser, PASSWORD, signedIn, type Browser } from '../panel/browser.ts'

const directory = directoryOfFile('suspension')
const { database, bench } = worldOfFile()
const commands = openCommands(database, directory)
let service: TestService
let receiver: Receiver
let webhooks: Webhooks
let account: TestAccount
let witness: TestAccount
let ids: number[]
let http: Client
let people = 0

beforeAll(async () => {
  receiver = await startReceiver()
  webhooks = openWebhooks(bench)
  service = await startTestService(database, {
    roles: ['api', 'work'],
    env: { DATA_DIR: directory, SECRET_KEY: TEST_KEY, OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' },
  })
})
afterAll(async () => {
  await webhooks[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
beforeEach(async () => {
  account = await createAccount(bench, 'Acme')
  witness = await createAccount(bench, 'Witness')
  ids = await giveOffers(bench, account, [offer('A'), offer('B')])
  http = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
})

const suspend = (...more: string[]) => commands.json(['account', 'suspend', String(account.accountId), ...more])
const resume = () => commands.json(['account', 'resume', String(account.accountId)])
const refused = () =>
  until('requests are refused', async () => (await http(`/v1/products/${ids[0]}`)).status === 403, 5_000)
const answered = () =>
  until('requests are answered', async () => (await http(`/v1/products/${ids[0]}`)).status === 200, 5_000)
const stock = (of: TestAccount, productIds: readonly number[], quantity: number) =>
  bench.shelf.write(of.accountId, (tx) =>
    setOwnStock(
      tx,
      of.accountId,
      productIds.map((productId) => ({ productId, quantity, cost: null })),
    ),
  )
/** Starts a sweep, which the service's workers must do. */
const leaveSweep = async ({ accountId }: TestAccount, skuPattern: string) => {
  await bench.shelf.write(accountId, (tx) => editAccount(tx, accountId, { skuPattern }))
}
/** Uploads a file, which the workers must import. @returns the id of its import run */
const leaveImport = async ({ accountId, suppliers }: TestAccount) => {
  const [row] = await database.db<{ run_id: number }[]>`
    insert into import_run (account_id, supplier_id, trigger, mode, mapping, file_name, file_key, state)
    values (${accountId}, ${suppliers[0]!.supplierId}, 'upload', 'delta', '{}', 'a.csv', 'nothing', 'waiting') returning run_id`
  return row!.run_id
}
const stateOf = async ({ accountId }: TestAccount, runId: number) => {
  const [row] = await database.db<{ state: string }[]>`
    select state from import_run where account_id = ${accountId} and run_id = ${runId}`
  return row?.state
}
const isDone = async ({ accountId }: TestAccount) => !(await isStale(database.db, accountId))

describe('requests of a suspended account', () => {
  test.for([
    ['GET', '/v1/products'],
    ['GET', '/v1/products/ID'],
    ['GET', '/v1/prices?ids=ID'],
    ['GET', '/v1/changes'],
    ['GET', '/v1/export'],
    ['GET', '/v1/account'],
    ['HEAD', '/v1/products'],
    ['PATCH', '/v1/account'],
    ['POST', '/v1/account/bulk/own-stock'],
    ['GET', '/v1/nothing'],
  ] as const)('%s %s is refused, whoever answers it', async ([method, path]) => {
    await suspend()
    await refused()
    const answer = await http(path.replace('ID', String(ids[0])), {
      method,
      ...(method === 'PATCH' || method === 'POST'
        ? { body: '{}', headers: { 'content-type': 'application/json' } }
        : {}),
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'application/problem+json'])
    if (method !== 'HEAD')
      expect(answer.body).toMatchObject({
        status: 403,
        code: 'account-suspended',
        type: `${service.url}/docs/problems#account-suspended`,
      })
  })

  test('are answered again once it goes on, with the same token, and the feed has every change since', async () => {
    const before = (await http('/v1/changes?store=main')).body
    await suspend('--reason', 'The invoice of October is unpaid.')
    await refused()
    await stock(account, ids, 77)
    await resume()
    await answered()
    const after = await http(
      `/v1/changes?store=main&since=${encodeURIComponent(before.next_since)}&since_id=${before.next_id}`,
    )
    expect(after.body.changes.map((change: { product_id: number }) => change.product_id).sort()).toEqual(ids.toSorted())
    expect((await http(`/v1/products/${ids[0]}`)).body.stock_quantity ?? 77).toBe(77)
  })

  test('that wait for a change end', async () => {
    const { next_since: since, next_id: id } = (await http('/v1/changes?store=main')).body
    const poll = http(`/v1/changes?store=main&since=${encodeURIComponent(since)}&since_id=${id}&wait=20`)
    await until('it waits', async () =>
      /^shelfwire_long_polls [1-9]/m.test((await client(service.url, null)('/metrics')).text),
    )
    await suspend()
    const answer = await poll
    expect([answer.status, answer.body.code]).toEqual([403, 'account-suspended'])
  })

  test('are refused within seconds when the notification is lost, and others are not', async () => {
    const other = client(service.url, await tokenFor(service.runtime, witness.accountId))
    await database.db`update account set suspended_at = now() where account_id = ${account.accountId}`
    await refused()
    expect((await other('/v1/products')).status).toBe(200)
    await database.db`update account set suspended_at = null where account_id = ${account.accountId}`
    await answered()
  })

  test('of its channel files are refused, too', async () => {
    const made = await http('/v1/account/channels', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        store: 'main',
        format: 'csv',
        name: 'Comparison',
        link_template: 'https://shop.example.com/{sku}',
      }),
    })
    expect([made.status, made.text]).toEqual([201, made.text])
    const address = new URL(JSON.stringify(made.body).match(/https?:[^"]+\/channels\/[^"]+/)?.[0] ?? '')
    const open = client(service.url, null)
    expect((await open(address.pathname)).status).toBe(200)
    await suspend()
    await refused()
    const answer = await open(address.pathname)
    expect([answer.status, answer.body.code]).toEqual([403, 'account-suspended'])
  })
})

describe('the panel of a suspended account', () => {
  test('lets its members sign in, says since when and why, and neither shows nor changes anything', async () => {
    const { owner }: { owner: Browser } = await makeOwner(
      database.db,
      service.url,
      account.accountId,
      `suspended${people++}@example.com`,
      'Olga',
    )
    expect((await owner.get('/panel/api/session')).body.data.accounts[0].suspended).toBe(null)
    await suspend('--reason', 'The invoice of October is unpaid.')
    await refused()
    const session = await owner.get('/panel/api/session')
    expect(session.body.data.accounts).toMatchObject([
      { id: account.accountId, suspended: { reason: 'The invoice of October is unpaid.' } },
    ])
    expect(Date.parse(session.body.data.accounts[0].suspended.since)).toBeGreaterThan(Date.now() - 60_000)
    const members = await owner.get(`/panel/api/accounts/${account.accountId}/members`)
    expect([members.status, members.body.code]).toEqual([403, 'account-suspended'])
    const products = await owner.get('/v1/products', {
      headers: { 'shelfwire-account': String(account.accountId) },
    })
    expect([products.status, products.body.code]).toEqual([403, 'account-suspended'])
    await resume()
    await until(
      'members are shown',
      async () => (await owner.get(`/panel/api/accounts/${account.accountId}/members`)).status === 200,
      5_000,
    )
  })
})

describe('an invitation to a suspended account', () => {
  test('is refused, for new people and for those who have signed in before, and counts when it goes on', async () => {
    const invite = async (email: string) =>
      (
        await inTransaction(database.db, (tx) =>
          makeInvitation(tx, account.accountId, { email, role: 'member', createdBy: null }),
        )
      ).token
    const known = `known${people++}@example.com`
    const browser = await signedIn(database.db, service.url, await makePerson(database.db, known))
    const newcomer = { token: await invite(`new${people++}@example.com`), name: 'Nina', password: PASSWORD }
    const token = await invite(known)
    await suspend()
    const path = '/panel/api/links/accept-invitation'
    const accept = async () => [
      await openBrowser(service.url).post(path, newcomer),
      await browser.post(path, { token }),
    ]
    expect((await accept()).map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'account-suspended'],
      [403, 'account-suspended'],
    ])
    const members = () => database.db`select 1 from member where account_id = ${account.accountId}`
    expect(await members()).toHaveLength(0)
    await resume()
    expect((await accept()).map(({ status }) => status)).toEqual([200, 200])
    expect(await members()).toHaveLength(2)
  })
})

describe('the work of a suspended account', () => {
  test('rests: sweeps, deliveries and imports begin when it goes on, and another account waits for none of it', async () => {
    await webhooks.endpoints.create(account.accountId, {
      url: `${receiver.url}/acme`,
      kinds: ['price', 'content', 'removed'],
      storeId: null,
    })
    await suspend()
    await refused()
    const heard = receiver.at('/acme').length
    await stock(account, ids, 78)
    await leaveSweep(account, 'acme-{supplier_sku}')
    const runId = await leaveImport(account)
    // work of another account that is queued later is done first: so the workers did look, and left the suspended account's work
    await giveOffers(bench, witness, [offer('W')])
    await leaveSweep(witness, 'w-{supplier_sku}')
    await until('the sweep of the other account is done', () => isDone(witness))
    await leaveSweep(witness, 'v-{supplier_sku}')
    await until('and the next one', () => isDone(witness))
    const later = await leaveImport(witness)
    await until('its import has begun', async () => (await stateOf(witness, later)) !== 'waiting')
    expect(await isDone(account)).toBe(false)
    expect(receiver.at('/acme').length).toBe(heard)
    expect(await stateOf(account, runId)).toBe('waiting')
    await resume()
    await until('its sweep is done', () => isDone(account))
    await until('its products are announced', async () => {
      const announced = new Set(receiver.at('/acme').flatMap(({ productIds }) => productIds))
      return ids.every((id) => announced.has(id))
    })
    await until('its import has begun', async () => (await stateOf(account, runId)) !== 'waiting')
  })
})

describe('the commands', () => {
  test('take an id or a name, list the state, and refuse what they do not know', async () => {
    const { account_id: accountId } = await commands.json(
      ['account', 'create', '--name', 'Only One'].concat('--currency EUR --locale en'.split(' ')),
    )
    expect(await commands.json(['account', 'suspend', 'Only One'])).toEqual({
      account_id: accountId,
      state: 'suspended',
    })
    expect((await commands.run('account list')).out).toContain(`${accountId}\tOnly One\tEUR\ten\tsuspended\n`)
    expect(await commands.json(['account', 'resume', 'Only One'])).toEqual({ account_id: accountId, state: 'active' })
    expect((await commands.run('account list')).out).toContain(`${accountId}\tOnly One\tEUR\ten\n`)
    expect((await commands.run(['account', 'resume', 'Only One'])).out).toContain('was not suspended')
    expect(await commands.refusal(['account', 'suspend', 'Nobody'])).toContain('there is no account "Nobody"')
    await createAccount(bench, 'Twin')
    await createAccount(bench, 'Twin')
    expect(await commands.refusal(['account', 'suspend', 'Twin'])).toContain('give the id')
    expect(await commands.refusal(['account', 'suspend', 'Only One', '--reason', 'x'.repeat(501)])).toContain(
      'reason must have at most 500 characters',
    )
  })
})
