import { storeMargins } from '../../src/overview/glance.sql.ts'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fastify, { type FastifyInstance } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRule } from '../../src/catalog/settings/rules/pricing-rules.ts'
import { setRates } from '../../src/catalog/settings/prices/rates.ts'
import { createSupplier } from '../../src/catalog/settings/suppliers/suppliers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { noteChanges } from '../../src/overview/change-hours.ts'
import { auditInsert, auditList } from '../../src/people/audit.sql.ts'
import { auditTrim } from '../../src/people/erasure/forget.sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { openRuntime } from '../../src/runtime.ts'
import { startService } from '../../src/service.ts'
import { setStandardHeaders } from '../../src/serve/headers.ts'
import { panelPages } from '../../src/serve/panel/pages.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { client, tokenFor } from '../harness/service.ts'
import { startSmtpSink } from '../harness/smtp-sink.ts'
import { makeMember, makeOwner, makePerson, openBrowser, PASSWORD, type Browser } from './browser.ts'
import { worldOfFile } from '../harness/world.ts'

// The overview and its pages, and that no secret is logged or stored in plain text.

const { database, bench, service } = worldOfFile({
  service: {
    env: {
      SECRET_KEY: TEST_KEY,
      OUTBOUND_ALLOW: '127.0.0.0/8',
    },
  },
})

let people = 0
async function newAccount(): Promise<{ account: TestAccount; owner: Browser; of: (path: string) => string }> {
  const account = await createAccount(bench, `account ${people}`)
  const email = `person${people++}@example.com`
  const { owner } = await makeOwner(database.db, service.url, account.accountId, email)
  return { account, owner, of: (path) => `/panel/api/accounts/${account.accountId}${path}` }
}

describe('the overview', () => {
  test('counts products per store, and those excluded by their reason', async () => {
    const { account, owner, of } = await newAccount()
    await giveOffers(bench, account, [offer('A'), offer('B', { quantity: 0 }), offer('C', { cost: null })])
    const { stores, feed, products } = (await owner.get(of('/overview'))).body.data
    // each product is counted once, in however many stores it is listed
    expect(products).toBe(3)
    expect(stores.map((row: { slug: string; products: number }) => [row.slug, row.products])).toEqual([
      ['main', 3],
      ['de', 3],
      ['pl', 3],
    ])
    const [main] = stores
    const token = await tokenFor(service.runtime, account.accountId)
    const { data } = (await client(service.url, token)('/v1/products?store=main')).body
    const reasons = data
      .filter((row: { excluded: boolean }) => row.excluded)
      .map((row: { exclusion_reason: string }) => row.exclusion_reason)
    expect(reasons.length).toBeGreaterThan(0)
    expect(main.excluded).toBe(reasons.length)
    expect(main.excluded_by_reason.map((row: { reason: string }) => row.reason).sort()).toEqual(
      [...new Set(reasons)].sort(),
    )
    expect(feed).toMatchObject({ waiting_products: 0, waiting_sweeps: 0, waiting_since: null })
    expect(feed.last_change_number).toBeGreaterThan(0)
  })

  test('says which imports are going on, and how far they are', async () => {
    const { account, owner, of } = await newAccount()
    const [supplier] = account.suppliers
    await database.db`
      insert into import_run (account_id, supplier_id, trigger, mode, is_dry_run, state, total, written, started_at)
      values (${account.accountId}, ${supplier!.supplierId}, 'upload', 'full', false, 'writing', 300, 120, now()),
        (${account.accountId}, ${supplier!.supplierId}, 'upload', 'full', true, 'reading', null, 0, now())`
    const { imports } = (await owner.get(of('/overview'))).body.data
    expect(imports.running).toEqual([
      { supplier: 'north', name: 'North', run_id: expect.any(Number), written: 120, total: 300 },
    ])
  })

  test('says which prices rose and fell since yesterday, and which products came and went, per store', async () => {
    const { account, owner, of } = await newAccount()
    const { accountId } = account
    await giveOffers(bench, account, [offer('A', { cost: '10' }), offer('B', { cost: '10' }), offer('C'), offer('D')])
    // all prices are older than yesterday, except those of C
    await database.db`update price_history set from_at = now() - interval '2 days' where account_id = ${accountId}`
    await database.db`
      delete from price_history where account_id = ${accountId} and store_id = ${account.storeIds[0]}
        and product_id = (select product_id from offer where account_id = ${accountId} and supplier_sku = 'C')`
    await database.db`
      insert into price_history (account_id, product_id, store_id, from_at, shown)
      select account_id, product_id, store_id, now(), shown from payload_price
      where account_id = ${accountId} and store_id = ${account.storeIds[0]}
        and product_id = (select product_id from offer where account_id = ${accountId} and supplier_sku = 'C')`
    await giveOffers(bench, account, [offer('A', { cost: '12' }), offer('B', { cost: '9' })])
    const { stores, active_stores: active, prices, since } = (await owner.get(of('/moved'))).body.data
    expect(Date.now() - Date.parse(since)).toBeGreaterThan(86_000_000)
    expect(stores[0]).toMatchObject({ slug: 'main', up: 1, down: 1, appeared: 1, gone: 0, is_capped: false })
    expect(stores).toHaveLength(3)
    expect(active).toBe(3)
    // the largest share first
    expect(Number(prices[0].now) / Number(prices[0].before)).toBeCloseTo(1.2, 1)
    expect(prices.length).toBeLessThanOrEqual(5)
    // each number leads to as many products
    const listed = async (moved: string, store = 'main') =>
      (await owner.get(of(`/products/count?store=${store}&moved=${moved}`))).body.data.count
    for (const store of stores)
      for (const figure of ['up', 'down', 'appeared', 'gone'])
        expect([store.slug, figure, await listed(figure, store.slug)]).toEqual([store.slug, figure, store[figure]])
    expect((await owner.get(of('/products/count?moved=up'))).body).toMatchObject({ code: 'invalid-parameters' })
  })

  test('says how many products are out of stock and what each store earns, and leads to as many', async () => {
    const { account, owner, of } = await newAccount()
    await giveOffers(bench, account, [
      offer('A', { cost: '10', quantity: 5 }),
      offer('B', { cost: '10', quantity: 0 }),
      offer('C', { cost: '10', quantity: 0 }),
    ])
    const { out_of_stock: out, stores } = (await owner.get(of('/glance'))).body.data
    expect(out).toBe(2)
    expect((await owner.get(of('/products/count?stock=out'))).body.data.count).toBe(out)
    // 25 % on the cost is a margin of 20 % of the price
    const main = stores.find(({ slug }: { slug: string }) => slug === 'main')
    expect([main.margin.toFixed(2), main.is_sample]).toEqual(['0.20', false])
    // of a range with more prices than the limit, the others are not read
    const [few] = await storeMargins(database.db, account.accountId, [account.storeIds[0]], {
      ranges: 1,
      each: 2,
      eachSeen: 10,
    })
    expect(few).toMatchObject({ looked: 2, margin: expect.closeTo(0.2) })
  })

  test('says what waits to be computed', async () => {
    const { account, owner, of } = await newAccount()
    await database.db`insert into mark (account_id, product_id) select ${account.accountId}, n % 7 from generate_series(1, 50) n`
    await database.db`insert into sweep (account_id, reason) values (${account.accountId}, 'test')`
    const { feed } = (await owner.get(of('/overview'))).body.data
    expect(feed).toMatchObject({ waiting_products: 7, is_capped: false, waiting_sweeps: 1 })
    expect(feed.waiting_since).not.toBeNull()
  })

  test('names suppliers whose newest file is held, and sources that bring none', async () => {
    const { account, owner, of } = await newAccount()
    const { accountId, suppliers } = account
    const other = await createAccount(bench, 'other')
    const run = async (of_: TestAccount, at: number, state: string, isDryRun = false) =>
      await database.db`
        insert into import_run (account_id, supplier_id, trigger, mode, mapping, is_dry_run, state, ended_at)
        values (${of_.accountId}, ${of_.suppliers[at]?.supplierId ?? 0}, 'upload', 'full', '{}', ${isDryRun}, ${state}, case when ${state} <> 'resolving' then now() end)`
    const source = async (at: number, name: string, failures: number, failedAt: Date | null, isActive = true) =>
      await database.db`
        insert into supplier_source (account_id, supplier_id, name, kind, mapping, mode, time_zone, is_active, failures, failed_since, failure)
        values (${accountId}, ${suppliers[at]?.supplierId ?? 0}, ${name}, 'upload', '{}', 'delta', 'UTC', ${isActive}, ${failures},
          ${failedAt}, ${failedAt === null ? null : 'HTTP 404'})`
    const imports = async () => (await owner.get(of('/overview'))).body.data.imports
    expect(await imports()).toEqual({ running: [], held: [], failing: [] })
    await run(other, 0, 'held')
    await run(account, 0, 'held')
    await run(account, 0, 'succeeded', true)
    await run(account, 0, 'canceled')
    await run(account, 1, 'held')
    await run(account, 1, 'succeeded')
    expect(await imports()).toMatchObject({ held: [{ supplier: 'north', name: 'North' }], failing: [] })
    const since = new Date('2026-01-01T00:00:00Z')
    // the file of the first source is held, which is already shown
    await source(0, 'held', 0, since)
    await source(0, 'gone', 2, since)
    await source(1, 'refused', 0, since)
    await source(1, 'fine', 0, null)
    await source(1, 'off', 3, since, false)
    const { failing } = await imports()
    expect(failing.map((row: { supplier: string; source: string }) => [row.supplier, row.source])).toEqual([
      ['north', 'gone'],
      ['south', 'refused'],
    ])
    expect(failing[0]).toMatchObject({ since: '2026-01-01T00:00:00+00:00', failure: 'HTTP 404' })
    // the run was confirmed, and payloads are being shelved
    await run(account, 0, 'resolving')
    expect((await imports()).held).toEqual([])
    expect((await imports()).failing).toHaveLength(2)
  })

  test('leads a new account through its first steps', async () => {
    const opened = await newAccount()
    const { account, owner, of } = opened
    await database.db`delete from supplier_heard where account_id = ${account.accountId}`
    await database.db`delete from supplier where account_id = ${account.accountId}`
    const checklist = async () => {
      const { steps, is_done: isDone } = (await owner.get(of('/overview'))).body.data.checklist
      const named = (wanted: boolean) =>
        steps.filter((row: { is_done: boolean }) => row.is_done === wanted).map((row: { step: string }) => row.step)
      return { done: named(true), left: named(false), isDone }
    }
    const { accountId } = account
    // the stores of the account have other currencies, which have rates
    expect((await checklist()).done).toEqual(['rates'])
    await database.db`delete from exchange_rate where account_id = ${accountId} and currency = 'PLN'`
    expect((await checklist()).done).toEqual([])
    await inTransaction(database.db, (tx) => createSupplier(tx, accountId, { code: 'x', name: 'X', currency: 'EUR' }))
    expect((await checklist()).done).toEqual(['supplier'])
    const { token } = (await owner.post(of('/tokens'), { name: 'x', access: 'connector' })).body.data
    await client(service.url, token)('/v1/stores')
    await owner.post(of('/endpoints'), { url: 'http://127.0.0.1:9000/hook', events: ['price'] })
    // the first use of a token is recorded soon, not with the others every half minute
    await expect
      .poll(async () => (await checklist()).done, { timeout: 10_000 })
      .toEqual(['supplier', 'token', 'read', 'endpoint'])
    await inTransaction(database.db, (tx) => setRates(tx, accountId, [{ currency: 'PLN', rate: '4' }]))
    expect((await checklist()).done).toContain('rates')
    // an own rule, or a changed markup of the default rule
    await database.db`update pricing_rule set percent = 25, rounding = '{}' where account_id = ${accountId} and is_default`
    expect((await checklist()).left).toContain('prices')
    await database.db`update pricing_rule set percent = 30 where account_id = ${accountId} and is_default`
    expect((await checklist()).left).not.toContain('prices')
    await database.db`update pricing_rule set percent = 25 where account_id = ${accountId} and is_default`
    await inTransaction(database.db, (tx) => createRule(tx, accountId, { name: 'Mine', percent: '10' }))
    expect(await checklist()).toMatchObject({ left: ['products', 'delivered'], isDone: false })
    // a test delivery that the receiver accepted counts as delivered
    const addTest = async (state: 'failed' | 'delivered') =>
      void (await database.db`
        insert into delivery (account_id, endpoint_id, delivery_id, origin, state, event, products, product_ids)
        select ${accountId}, endpoint_id, gen_random_uuid(), 'test', ${state}, 'price', 0, '{}' from endpoint where account_id = ${accountId}`)
    await addTest('failed')
    expect((await checklist()).left).toContain('delivered')
    await addTest('delivered')
    expect((await checklist()).left).toEqual(['products'])
  })

  test('has no step for rates where everything is in one currency', async () => {
    const { account, owner, of } = await newAccount()
    const { accountId } = account
    const steps = async () =>
      (await owner.get(of('/overview'))).body.data.checklist.steps.map((row: { step: string }) => row.step)
    expect(await steps()).toContain('rates')
    await database.db`update store set currency = 'EUR' where account_id = ${accountId}`
    await database.db`update supplier set currency = 'EUR' where account_id = ${accountId}`
    expect(await steps()).not.toContain('rates')
  })

  test('counts changes hour by hour, from the numbers noted', async () => {
    const { account, owner, of } = await newAccount()
    const { accountId } = account
    const hour = (ago: number) => new Date(Math.floor(Date.now() / 3_600_000 - ago) * 3_600_000)
    await database.db`update account set created_at = ${hour(4)} where account_id = ${accountId}`
    await database.db`update change_counter set last_id = 1000 where account_id = ${accountId}`
    for (const [ago, lastId] of [
      [4, 100],
      [2, 400],
    ] as const)
      await database.db`insert into change_hour (account_id, hour, last_id) values (${accountId}, ${hour(ago)}, ${lastId})`
    const hours = async (query: string) =>
      (await owner.get(of(`/hours?${query}`))).body.data.map((row: { changes: number | null }) => row.changes)
    expect(await hours('hours=6')).toEqual([0, 100, 0, 300, 0, 600])
    // a restored backup leaves a gap in the numbers, which must not be counted as changes
    await database.db`update change_counter set last_id = 1000 + ${LIMITS.fenceJump} where account_id = ${accountId}`
    expect((await hours('hours=1'))[0]).toBe(600)
    // without records from that time nothing is known
    await database.db`update account set created_at = ${hour(100)} where account_id = ${accountId}`
    expect(await hours('hours=6')).toEqual([null, null, 0, 300, 0, 600])
  })

  test('the number of the present hour is noted, again and again, and old ones are deleted', async () => {
    const { account } = await newAccount()
    const { accountId } = account
    await giveOffers(bench, account, [offer('A')])
    await database.db`insert into change_hour (account_id, hour, last_id)
      values (${accountId}, date_trunc('hour', now()) - make_interval(days => ${LIMITS.changeHourDaysMax + 1}), 1)`
    const noted = () =>
      database.db<{ lastId: number }[]>`select last_id as "lastId" from change_hour where account_id = ${accountId}`
    await noteChanges(database.db, accountId)
    const [first] = await noted()
    await giveOffers(bench, account, [offer('B')])
    await noteChanges(database.db, accountId)
    const [second, ...others] = await noted()
    expect(others).toEqual([])
    expect(second!.lastId).toBeGreaterThan(first!.lastId)
  })
})

test('a change is recorded whatever characters its request has', async () => {
  const { account } = await newAccount()
  const actor = { personId: 1, name: 'x', address: '', userAgent: '' }
  const insert = (details: Record<string, unknown>) =>
    inTransaction(database.db, (tx) => auditInsert(tx, account.accountId, actor, { action: 'x', target: '/', details }))
  await insert({ a: 'b\u0000' })
  await insert({ a: '\ud800' })
  await insert({ a: '\ud83d\ude00 ü "' })
  const rows = await auditList(database.db, account.accountId, { limit: 10 })
  expect(rows.map(({ details }) => details)).toEqual([{ a: '\ud83d\ude00 ü "' }, {}, {}])
})

test('entries of the audit trail are deleted after their time, and no others', async () => {
  const { account, owner, of } = await newAccount()
  for (let i = 0; i < 3; i++) await owner.post(of('/tokens'), { name: `t${i}`, access: 'full' })
  await database.db`update audit_entry set at = now() - make_interval(days => ${LIMITS.auditDaysMax + 1})
    where account_id = ${account.accountId} and entry_id = (select min(entry_id) from audit_entry where account_id = ${account.accountId})`
  expect(await inTransaction(database.db, (tx) => auditTrim(tx, account.accountId))).toBe(1)
  expect((await owner.get(of('/audit'))).body.data).toHaveLength(2)
})

describe('the pages', () => {
  let directory: string
  let app: FastifyInstance
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'shelfwire-panel-'))
    await mkdir(join(directory, 'assets'))
    await writeFile(
      join(directory, 'index.html'),
      '<meta name="csp-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>',
    )
    await writeFile(join(directory, 'assets', 'index-Ab12.js'), 'run()')
    await writeFile(join(directory, 'favicon.svg'), '<svg/>')
    await writeFile(join(directory, '.secret'), 'secret')
    app = fastify()
    app.decorate('publicUrl', () => service.url)
    app.addHook('onRequest', async (request, reply) => setStandardHeaders(request, reply))
    await panelPages(app, (_request, reply) => reply.code(404).send('no route'), pathToFileURL(`${directory}/`))
  })
  afterAll(async () => {
    await app.close()
    await rm(directory, { recursive: true })
  })

  test.each(['/panel', '/panel/', '/panel/accounts/1/tokens', '/panel/link', '/panel/index.html', '/panel/x?y=1'])(
    '%s is the application, with a nonce of its own',
    async (path) => {
      const [one, two] = [await app.inject(path), await app.inject(path)]
      expect([one.statusCode, one.headers['content-type'], one.headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
      const policy = String(one.headers['content-security-policy'])
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      expect(one.body).toBe(`<meta name="csp-nonce" content="${nonce}"><style nonce="${nonce}"></style>`)
      expect(two.body).not.toBe(one.body)
      for (const part of [
        "default-src 'none'",
        "script-src 'self';",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
        expect(policy).toContain(part)
      expect(policy).not.toContain('unsafe')
      expect(one.headers).toMatchObject({
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
    },
  )

  test('files are served: hashed ones for a year, others are asked for again', async () => {
    const script = await app.inject('/panel/assets/index-Ab12.js')
    expect([script.statusCode, script.body, script.headers['cache-control']]).toEqual([
      200,
      'run()',
      'public, max-age=31536000, immutable',
    ])
    expect((await app.inject('/panel/favicon.svg')).headers['cache-control']).toBe('no-cache')
    expect((await app.inject('/panel/assets/gone-Zz99.js')).statusCode).toBe(404)
  })

  test('nothing outside of the built panel is served, and nothing but reading is possible', async () => {
    for (const path of [
      '/panel/../package.json',
      '/panel/%2e%2e/package.json',
      '/panel/..%2fpackage.json',
      '/panel/.secret',
      '/panel/assets/..%2f.secret',
    ]) {
      const { body } = await app.inject(path)
      expect(body).not.toContain('"dependencies"')
      expect(body).not.toBe('secret')
    }
    expect((await app.inject({ method: 'POST', url: '/panel/link' })).statusCode).toBe(405)
    expect((await app.inject('/panel/api/nothing')).body).toBe('no route')
  })

  test('without a built panel the page loads itself again, and says how to build it', async () => {
    const bare = fastify()
    bare.decorate('publicUrl', () => service.url)
    await panelPages(bare, (_request, reply) => reply, pathToFileURL(`${directory}/none/`))
    const answer = await bare.inject('/panel')
    expect([answer.statusCode, answer.headers['retry-after'], answer.headers['content-type']]).toEqual([
      503,
      '2',
      'text/html; charset=utf-8',
    ])
    expect(answer.body).toContain('http-equiv="refresh"')
    expect(answer.body).toContain('npm run build:panel')
    expect((await bare.inject('/panel/assets/index-Ab12.js')).statusCode).toBe(404)
    await bare.close()
  })
})

test('no secret is in a log, in the audit trail or in a table', async () => {
  const { account, of } = await newAccount()
  await using sink = await startSmtpSink()
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const settings = readSettings({
    DATABASE_URL: database.url,
    PORT: '0',
    SECRET_KEY: TEST_KEY,
    SMTP_URL: sink.url,
    OUTBOUND_ALLOW: '127.0.0.0/8',
  })
  await using runtime = await openRuntime(settings, log)
  await using running = await startService(runtime, ['api', 'work'])
  const secrets: string[] = [PASSWORD, 'a wrong password', 'a newer password 7']
  const email = `careful${people++}@example.com`
  const personId = await makePerson(database.db, email)
  await makeMember(database.db, account.accountId, personId, email, 'owner')
  const browser = openBrowser(running.url ?? '')
  await browser.post('/panel/api/sign-in', { email, password: 'a wrong password' })
  await browser.signIn(email)
  secrets.push(browser.cookie!, browser.csrf!)
  const made = (await browser.post(of('/tokens'), { name: 'x', access: 'full' })).body.data
  const endpoint = (
    await browser.post(of('/endpoints'), { url: 'http://127.0.0.1:9000/hook?key=of-the-receiver', events: ['price'] })
  ).body.data
  const rotated = (await browser.post(of(`/endpoints/${endpoint.id}/rotate`), {})).body.data
  const { link } = (await browser.post(of(`/endpoints/${endpoint.id}/links`), { name: 'Dev', hours: 1 })).body.data
  secrets.push(made.token, endpoint.secret, rotated.secret, link.split('#')[1])
  await browser.get('/panel/api/linked-endpoint', { headers: { Authorization: `Bearer ${link.split('#')[1]}` } })
  await browser.post(of('/invitations'), { email: `friend${people}@example.com`, role: 'member' })
  await browser.post('/panel/api/password-resets', { email })
  // only mails with links, not those about new tokens with full access
  const linked = () => sink.mails.flatMap(({ mail }) => /#(swl_\S+)/.exec(mail.text ?? '')?.[1] ?? [])
  await expect.poll(() => linked().length).toBe(2)
  const tokens = linked()
  await browser.post('/panel/api/links/read', { token: tokens[0] })
  await browser.post('/panel/api/links/reset-password', { token: tokens[1], password: 'short' })
  secrets.push(...tokens)
  const totp = (await browser.post('/panel/api/totp', { password: PASSWORD })).body.data
  const code = new TOTP({ secret: Secret.fromBase32(totp.secret) }).generate()
  secrets.push(
    totp.secret,
    ...(await browser.send('PUT', '/panel/api/totp', { body: { code } })).body.data.recovery_codes,
  )
  await browser.post('/panel/api/password', { current: PASSWORD, password: 'a newer password 7' })
  secrets.push(browser.cookie!)
  const ticket = (await browser.post('/panel/api/sign-in', { email, password: 'a newer password 7' })).body.data.ticket
  secrets.push(ticket)
  expect(secrets.every((text) => typeof text === 'string' && text.length > 8)).toBe(true)
  expect(lines.length).toBeGreaterThan(10)
  const audit = (await browser.get(of('/audit'))).text
  expect(audit).toContain('createEndpoint')
  expect(audit).not.toContain('of-the-receiver')
  const tables = [
    'person',
    'recovery_code',
    'passkey',
    'person_event',
    'session',
    'ended_session',
    'security_mail',
    'known_device',
    'sign_in_step',
    'one_time_link',
    'endpoint_link',
    'audit_entry',
    'token',
    'endpoint',
    'notice',
    'member',
  ]
  const stored: string[] = []
  for (const table of tables)
    stored.push(
      ...(await database.db<{ row: string }[]>`select t::text as row from ${database.db(table)} t`).map(
        ({ row }) => row,
      ),
    )
  const everything = `${lines.join('')}${audit}${stored.join('\n')}`
  for (const text of secrets) expect([text, everything.includes(text)]).toEqual([text, false])
})
