import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { openSeal } from '../../src/platform/secrets/seal.ts'
import { sealContext } from '../../src/webhooks/secret.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { openCommands, type Commands } from '../harness/command.ts'
import { answered, openStepper, refused } from '../harness/stepping.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// The endpoint commands. Nothing is delivered here, because no worker runs.

const directory = directoryOfFile('endpoints')
const { database, bench, account } = worldOfFile({ account: 'acme' })
let productId: number
let commands: Commands
/** Allows receivers on this machine; nothing listens there. */
const env = { OUTBOUND_ALLOW: '127.0.0.0/8' }
beforeAll(async () => {
  ;[productId = 0] = await giveOffers(bench, account, [offer('A')])
  const opened = openCommands(database, directory)
  commands = {
    start: (args, over = {}) => opened.start(args, { ...env, ...over }),
    runProcess: (args, options = {}) => opened.runProcess(args, { ...options, env: { ...env, ...options.env } }),
    run: (args, options = {}) => opened.run(args, { ...options, env: { ...env, ...options.env } }),
    async json(args) {
      const { code, out, err } = await opened.run([...args, '--json'], { env })
      expect({ code, err }).toEqual({ code: 0, err: '' })
      // exactly one object, with names of members in one spelling
      expect(out).toMatch(/^\{.*\}\n$/)
      expect(out).not.toMatch(/"[a-z]+[A-Z]\w*":/)
      return JSON.parse(out)
    },
    refusal: (args, over = {}) => opened.refusal(args, { ...env, ...over }),
  }
}, 60_000)

const of = (name: string, ...args: string[]) => ['endpoint', name, '--account', String(account.accountId), ...args]
const SECRET = /whsec_[A-Za-z0-9_-]{43}/
let ports = 9_000
/** Creates a new endpoint for a test. */
async function create(...args: string[]): Promise<{ id: string; secret: string; url: string }> {
  const url = `http://127.0.0.1:${ports++}/hook`
  const made = await commands.json(of('create', '--url', url, '--events', 'price', ...args))
  return { id: String(made.endpoint_id), secret: made.secret, url }
}
const listed = async (id: string) =>
  (await commands.json(of('list'))).endpoints.find((row: { endpoint_id: number }) => String(row.endpoint_id) === id)
const change = (quantity: number) =>
  bench.shelf.write(account.accountId, (tx) =>
    setOwnStock(tx, account.accountId, [{ productId, quantity, cost: null }]),
  )

describe('endpoints', { timeout: 240_000 }, () => {
  it('are created, and their secret is shown only then', async () => {
    const url = `http://127.0.0.1:${ports++}/hook`
    const { code, out, err } = await commands.run(
      of('create', '--url', url, '--events', 'removed, price', '--store', 'de'),
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [secret = ''] = SECRET.exec(out) ?? []
    expect(secret).not.toBe('')
    const [row] = await database.db<{ id: number; kinds: string[]; storeId: number; sealed: string }[]>`
      select endpoint_id as id, kinds, store_id as "storeId", secret as sealed from endpoint where url = ${url}`
    expect(row).toMatchObject({ kinds: ['price', 'removed'], storeId: account.storeIds[1] })
    // the secret is sealed with the key that the first command created in DATA_DIR
    const key = readFileSync(join(directory, 'secret.key'), 'utf8').trim()
    expect(openSeal([key]).open(row?.sealed ?? '', sealContext(account.accountId))).toBe(secret)
    for (const args of [
      of('list'),
      of('log', '--endpoint', String(row?.id)),
      of('resume', '--endpoint', String(row?.id)),
    ]) {
      for (const form of [args, [...args, '--json']]) {
        const said = await commands.run(form)
        expect(said).toMatchObject({ code: 0, err: '' })
        expect(said.out).not.toMatch(/whsec_|v1\.[0-9a-f]{8}\./)
      }
    }
    const made = await create()
    expect(made.secret).toMatch(new RegExp(`^${SECRET.source}$`))
    expect(made.secret).not.toBe(secret)
  })

  it('are listed, edited, disabled, enabled and deleted', async () => {
    const { id, url } = await create('--store', 'pl')
    const [, german, polish] = account.storeIds
    expect(await listed(id)).toMatchObject({
      state: 'active',
      url,
      kinds: ['price'],
      store_id: polish,
      failures: 0,
      parked: 0,
    })
    const to = `${url}/2`
    expect(await commands.json(of('edit', '--endpoint', id, '--url', to))).toMatchObject({
      url: to,
      kinds: ['price'],
      store_id: polish,
    })
    expect(
      await commands.json(of('edit', '--endpoint', id, '--events', 'content,removed', '--store', 'de')),
    ).toMatchObject({ url: to, kinds: ['content', 'removed'], store_id: german })
    expect(await commands.json(of('edit', '--endpoint', id, '--all-stores'))).toMatchObject({
      kinds: ['content', 'removed'],
      store_id: null,
    })
    expect(await commands.json(of('disable', '--endpoint', id))).toMatchObject({ state: 'disabled' })
    expect((await commands.run(of('list'))).out).toMatch(
      new RegExp(`^${id}  disabled  ${to}  content,removed of all stores`, 'm'),
    )
    for (const name of ['test', 'resume'])
      expect(await commands.refusal(of(name, '--endpoint', id))).toMatch(/disabled/)
    expect(await commands.json(of('enable', '--endpoint', id))).toMatchObject({ state: 'active' })
    expect(await commands.json(of('delete', '--endpoint', id))).toEqual({ deleted: Number(id) })
    expect(await listed(id)).toBeUndefined()
    expect(await commands.refusal(of('delete', '--endpoint', id))).toContain(`no endpoint ${id}`)
  })

  it('get a new secret, which begins to sign when the owner wants; no third one but for one that leaked', async () => {
    const { id, secret } = await create()
    const isIn = (time: string, hours: number) => Math.abs(Date.parse(time) - Date.now() - hours * 3_600_000) < 60_000
    const first = await commands.json(of('rotate', '--endpoint', id))
    expect(first.secret).toMatch(SECRET)
    expect(first.secret).not.toBe(secret)
    expect([isIn(first.switch_at, 24), isIn(first.previous_until, 48)]).toEqual([true, true])
    expect(await listed(id)).toMatchObject({ switch_at: first.switch_at, previous_until: first.previous_until })
    expect((await commands.run(of('list'))).out).toMatch(new RegExp(`^${id}  .*, new secret from \\S+$`, 'm'))
    expect(await commands.refusal(of('rotate', '--endpoint', id))).toMatch(/a new secret signs from/)
    const switched = await commands.json(of('rotate', '--endpoint', id, '--switch-now'))
    expect([switched.switch_at, isIn(switched.previous_until, 24)]).toEqual([null, true])
    expect((await commands.run(of('list'))).out).toMatch(new RegExp(`^${id}  .*, old secret until \\S+$`, 'm'))
    expect(await commands.refusal(of('rotate', '--endpoint', id))).toMatch(/still signs until/)
    for (const late of ['--switch-now', '--cancel'])
      expect(await commands.refusal(of('rotate', '--endpoint', id, late))).toMatch(/no new secret that waits/)
    const leaked = await commands.run(of('rotate', '--endpoint', id, '--leaked'))
    expect(leaked).toMatchObject({ code: 0, err: '', out: expect.stringMatching(SECRET) })
    expect(leaked.out).toContain('is no longer used')
    expect(await commands.json(of('rotate', '--endpoint', id, '--leaked'))).toMatchObject({
      switch_at: null,
      previous_until: null,
    })
    const { out } = await commands.run(of('rotate', '--endpoint', id, '--after', '72'))
    expect(out).toMatch(/^until \S+ the old one signs X-Service-Signature and the new one X-Service-Signature-Next;$/m)
    expect((await commands.run(of('rotate', '--endpoint', id, '--cancel'))).out).not.toContain('secret')
    expect((await commands.run(of('rotate', '--endpoint', id, '--after', '0'))).out).toMatch(
      /^it signs X-Service-Signature; the old one signs X-Service-Signature-Previous until \S+$/m,
    )
    expect(await commands.refusal(of('rotate', '--endpoint', id, '--after', '169'))).toMatch(/168/)
    expect(await commands.refusal(of('rotate', '--endpoint', id, '--leaked', '--cancel'))).toMatch(/at most one of/)
  })

  it('show attempts, waiting deliveries and the next retry, and are retried on request', async () => {
    const { id } = await create('--store', 'main')
    expect((await commands.run(of('log', '--endpoint', id))).out).toBe('nothing was sent yet\n')
    await change(21)
    const stepper = openStepper(database.db, account.accountId)
    for (const exchange of [answered(503), refused, answered(500)]) {
      const { claims } = await stepper.step()
      await stepper.step(
        claims.map((claim) => stepper.result(claim, String(claim.endpointId) === id ? exchange : answered(200))),
      )
      stepper.aheadMs += 600_000
    }
    const log = await commands.json(of('log', '--endpoint', id))
    expect(
      log.attempts.map((row: Record<string, unknown>) => [
        row['outcome'],
        row['status'],
        row['fault'],
        row['event'],
        row['store_id'],
        row['products'],
      ]),
    ).toEqual(
      [
        [500, null],
        [null, 'refused'],
        [503, null],
      ].map(([status, fault]) => ['failed', status, fault, 'price', account.storeIds[0], 1]),
    )
    const deliveryId = String(log.attempts[0].delivery_id)
    expect(log.waiting).toMatchObject([
      { delivery_id: deliveryId, state: 'waiting', product_ids: [productId], attempts: 3 },
    ])
    expect(log.parked).toEqual([])
    const spoken = (await commands.run(of('log', '--endpoint', id))).out.trim().split('\n')
    expect(spoken).toHaveLength(4)
    expect(spoken[0]).toMatch(/^waiting .*price, 1 product, 3 attempts/)
    expect(spoken.slice(1).map((line) => / failed +(\S+) /.exec(line)?.[1])).toEqual(['500', 'refused', '503'])
    for (const line of spoken) expect(line).toContain(deliveryId)
    const newest = Number(log.attempts[0].attempt_id)
    expect(
      (await commands.json(of('log', '--endpoint', id, '--limit', '1'))).attempts.map(
        (row: { attempt_id: number }) => row.attempt_id,
      ),
    ).toEqual([newest])
    expect((await commands.json(of('log', '--endpoint', id, '--before', String(newest)))).attempts).toEqual(
      log.attempts.slice(1),
    )
    expect(await listed(id)).toMatchObject({ state: 'failing', failures: 3 })
    expect((await listed(id)).retry_at).not.toBeNull()
    expect((await commands.run(of('list'))).out).toMatch(
      new RegExp(`^${id}  failing .*3 failures in a row, next attempt 20.*, pending since 20`, 'm'),
    )
    expect(await commands.json(of('resume', '--endpoint', id))).toMatchObject({ state: 'failing', retry_at: null })
    expect(await commands.refusal(of('redeliver', '--endpoint', id, '--delivery', deliveryId))).toMatch(/still waiting/)
    const since = new Date(Date.now() - 3_600_000).toISOString()
    expect((await commands.json(of('redeliver', '--endpoint', id, '--since', since))).position).toBe(0)
  })

  it('queue a test delivery without a worker, and report that it was not sent', async () => {
    const { id } = await create()
    const began = performance.now()
    const { code, out, err } = await commands.run(of('test', '--endpoint', id, '--wait', '2'))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^delivery [0-9a-f-]{36}\nno worker has sent it yet; .*work role\n$/)
    expect(performance.now() - began).toBeLessThan(15_000)
    expect((await commands.json(of('log', '--endpoint', id))).waiting).toMatchObject([
      { origin: 'test', product_ids: [], state: 'waiting' },
    ])
  })

  it('refuse invalid input in one line that names the problem', async () => {
    const { id, url } = await create()
    const at = `http://127.0.0.1:${ports++}/x`
    const refusals: [string[], RegExp][] = [
      [of('create', '--url', 'ftp://example.com/', '--events', 'price'), /url must start with https/],
      [of('create', '--url', 'http://127.0.0.1:22/', '--events', 'price'), /port/],
      [of('create', '--url', 'https://user:hidden@example.com/', '--events', 'price'), /user name or password/],
      [of('create', '--url', at, '--events', 'price,sold'), /sold/],
      [of('create', '--url', at, '--events', ''), /events|event/],
      [of('create', '--url', at, '--events', 'price', '--store', 'nowhere'), /no store "nowhere"/],
      [of('create', '--url', url, '--events', 'price'), new RegExp(`endpoint ${id} `)],
      [of('edit', '--endpoint', '999999', '--events', 'price'), /no endpoint 999999/],
      [of('edit', '--endpoint', id, '--store', 'de', '--all-stores'), /--all-stores/],
      [of('log', '--endpoint', '999999'), /no endpoint 999999/],
      [of('log', '--endpoint', 'first'), /--endpoint .*first/],
      [of('redeliver', '--endpoint', id), /--delivery or --since/],
      [of('redeliver', '--endpoint', id, '--since', 'yesterday'), /--since .*yesterday/],
      [of('redeliver', '--endpoint', id, '--since', '2020-01-01T00:00:00Z'), /14 days/],
      [of('redeliver', '--endpoint', id, '--delivery', 'nonsense'), /no delivery "nonsense"/],
      [['endpoint', 'list', '--account', '999999'], /no account 999999/],
      [['endpoint', 'create', '--account', '999999', '--url', at, '--events', 'price'], /no account 999999/],
    ]
    const before = await commands.json(of('list'))
    for (const [args, says] of refusals) {
      const said = await commands
        .refusal(args)
        .catch((error: unknown) => `not refused as it should be: ${String(error)}`)
      expect.soft(said, args.join(' ')).toMatch(says)
      expect.soft(said.split('\n'), args.join(' ')).toHaveLength(1)
      expect.soft(said).not.toContain('hidden')
    }
    expect(await commands.json(of('list'))).toEqual(before)
    expect(await commands.refusal(of('create', '--url', at, '--events', 'price'), { OUTBOUND_ALLOW: '' })).toMatch(
      /OUTBOUND_ALLOW/,
    )
  })

  it('can be rotated with another key; an invalid key is refused', async () => {
    const { id } = await create()
    const other = { SECRET_KEY: 'k'.repeat(40) }
    // creating and rotating need a key, but not the one that sealed the old secret
    expect((await commands.run(of('rotate', '--endpoint', id), { env: other })).code).toBe(0)
    expect(await commands.refusal(of('list'), { SECRET_KEY: 'short' })).toMatch(/SECRET_KEY/)
  })
})
