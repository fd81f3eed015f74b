import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isNameField, isTextField } from '../../contract/product-fields.ts'
import { readMigrations } from '../../src/db/migrations/migrate.ts'
import { RESOLVER_VERSION } from '../../src/resolve/resolve.ts'
import { expectAudited } from '../harness/account.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { startReceiver, type Receiver } from '../harness/receiver.ts'
import { client, startTestService, type TestService } from '../harness/service.ts'
import { openBrowser } from '../panel/browser.ts'
import { ask, cursorOf, importFile, loadRelease, PERSON, SETTINGS, type KeptRelease } from './older-release.ts'

// A filled database of each older release (made by fill.ts) is upgraded by starting this release on it. Clients that use no new
// features read the same bytes as before, and the feed announces no change.

/** New members of /v1/account resources since 0.2.0, except new product fields, with their values in accounts that never set them. */
const SINCE_0_2_0: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  account: { rates_from: 'hand', rates_least_change_percent: '0.5', rates_greatest_change_percent: '10' },
  rates: { status: { from: 'hand', day: null, held_rate: null, held_day: null } },
}

/** The same since 0.1.0. Payloads have one new member: the account's own categories. */
const SINCE_0_1_0: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ...SINCE_0_2_0,
  account: { ...SINCE_0_2_0['account'], additional_members: [], adopt_images: false },
  attributes: { decimal: null, separator: null, type: null },
  categories: { external_id: null, names: {}, position: 0, tax_class: null },
  groups: { prices_include_tax: null, tax_country: null },
  'pricing-rules': {
    list_price_percent: null,
    over_price_lists: false,
    tiers: null,
    tiers_above_price: false,
    tiers_from_supplier: false,
  },
  stores: { prices_include_tax: false, tax_country: null },
  suppliers: {
    cost_tax_country: null,
    list_price_tax: null,
    emptied_share_max: '0.5',
    prices_jump_factor: '3',
    prices_jump_share_max: '0.2',
    swapped_share_max: '0.2',
  },
  offers: {
    group: null,
    image_alts: null,
    cost_tiers: null,
  },
  products: {
    image_alts: {},
    slugs: {},
  },
}

/** Whether a member is an unset field of the table of fields. Texts of offers are in one member, which is not new. */
function isUnsetField(resource: string, name: string, value: unknown): boolean {
  if (resource !== 'offers' && resource !== 'products') return false
  return isNameField(name) ? value === null : isTextField(name) && JSON.stringify(value) === '{}'
}

const RELEASES: Readonly<
  Record<string, { newMembers: typeof SINCE_0_1_0; hasOldResolver: boolean; saysCategories: boolean }>
> = {
  '0.1.0': { newMembers: SINCE_0_1_0, hasOldResolver: true, saysCategories: false },
  '0.2.0': { newMembers: SINCE_0_2_0, hasOldResolver: false, saysCategories: true },
}

describe.each(Object.entries(RELEASES))('%s', (release, { newMembers, hasOldResolver, saysCategories }) => {
  let kept: KeptRelease
  let database: TestDatabase
  let receiver: Receiver
  let service: TestService

  beforeAll(async () => {
    database = await createDatabase()
    kept = await loadRelease(database.url, release)
    receiver = await startReceiver()
    const { db } = database
    if (hasOldResolver) expect(await db`select 1 from payload_content where resolver = ${RESOLVER_VERSION}`).toEqual([])
    // the receiver has another port, and the session would have ended by now
    await db`update endpoint set url = ${`${receiver.url}/Garden`}`
    await db`update session set seen_at = now(), expires_at = now() + interval '1 day'`
    service = await startTestService(database, {
      roles: ['api', 'work'],
      env: SETTINGS,
    })
    await settled()
  })

  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  /** Waits until every account was swept by this release's resolver and nothing is left to be shelved. */
  async function settled(): Promise<void> {
    const state = () => database.db`
    select (select array_agg(distinct resolver::int) from account_inputs) as resolvers,
      (select count(*)::int from sweep) as sweeps, (select count(*)::int from mark) as marks`
    const rest = [{ resolvers: [RESOLVER_VERSION], sweeps: 0, marks: 0 }]
    await vi.waitFor(async () => expect(await state()).toEqual(rest), { timeout: 30_000, interval: 100 })
  }

  const accountOf = (i: number) => {
    const account = kept.accounts[i]
    if (account === undefined) throw new Error(`${i}: no such account`)
    return account
  }
  const http = (i: number, access: 'connector' | 'full' = 'full') => client(service.url, accountOf(i).tokens[access])

  /** The changes in the feeds after the last positions of the older release. */
  async function changesSince() {
    const changes: unknown[] = []
    for (const [i, { cursors }] of kept.accounts.entries())
      for (const [store, cursor] of Object.entries(cursors)) {
        const answer = await http(i, 'connector')(`/v1/changes?store=${store}&limit=1000&${cursor}`)
        expect([answer.status, cursorOf(answer.body)]).toEqual([200, cursor])
        changes.push(...answer.body.changes)
      }
    return changes
  }

  test('the database has this release’s schema and every product was resolved again', async () => {
    const rows = await database.db<{ version: number }[]>`select version from schema_migration order by version`
    expect(rows.map(({ version }) => version)).toEqual((await readMigrations()).map(({ version }) => version))
    expect(
      await database.db`select distinct resolver::int from payload_content union select resolver::int from payload_price`,
    ).toEqual([{ resolver: RESOLVER_VERSION }])
  })

  test('what was kept has held prices, tombstones and excluded products', () => {
    const bodies = kept.accounts.flatMap(({ answers }) => answers.map(({ body }) => body)).join('\n')
    for (const part of [
      '"removed"',
      '"excluded":true',
      'too_cheap',
      'not for Poland',
      'pictures.example.com',
      'szpadel',
    ])
      expect(bodies.toLowerCase()).toContain(part.toLowerCase())
  })

  test('every answer of every store is byte for byte what it was, with its ETag; products in a category of the account say so', async () => {
    const IN_CATEGORY =
      /,"categories":\[\{"id":\d+,"path":"Shop > (Garden|Tools)","external_id":null\}\]|<g:product_type>Shop &gt; (Garden|Tools)<\/g:product_type>\n/g
    for (const [i, { answers, settings }] of kept.accounts.entries()) {
      expect(answers.length).toBeGreaterThan(50)
      const own = settings.find(({ path }) => path.startsWith('/v1/account/categories'))
      const hasOwn = (JSON.parse(own?.body ?? '') as { data: unknown[] }).data.length > 0
      let said = 0
      for (const answer of answers) {
        const now = await ask(http(i, 'connector'), answer.path)
        const body = saysCategories ? now.body : now.body.replace(IN_CATEGORY, '')
        // since 0.2 the ETag of a file for Google includes the time zone of its dates, so the file is sent once more
        const isTaggedAnew = answer.path.startsWith('/channels/') && answer.path.endsWith('.xml')
        if (isTaggedAnew) expect(now.etag).not.toBe(answer.etag)
        if (body === now.body) expect(isTaggedAnew ? { ...now, etag: answer.etag } : now).toEqual(answer)
        else {
          said++
          // weak ETags, of exports and channel files, depend on the feed, which has no such change
          if (answer.etag?.startsWith('W/') !== true) expect(now.etag).not.toBe(answer.etag)
          expect({ ...now, body, etag: answer.etag }).toEqual(answer)
        }
      }
      expect(said > 0).toBe(hasOwn && !saysCategories)
    }
  })

  test('no change is announced: the feeds are empty and nothing is delivered', async () => {
    expect(await changesSince()).toEqual([])
    expect(receiver.received).toEqual([])
  })

  test('an audit finds no difference', async () => {
    for (const { accountId, name } of kept.accounts) await expectAudited(database.db, accountId, name)
  })

  test('what accounts wrote is as they wrote it; new members have their names here', async () => {
    const seen: Record<string, object> = {}
    for (const [i, { settings }] of kept.accounts.entries())
      for (const before of settings) {
        const now = await ask(http(i), before.path)
        const [was = [], is = []] = [before, now].map(({ body }) => [JSON.parse(body).data].flat() as object[])
        expect(is, before.path).toMatchObject(was)
        const resource = /(\w[\w-]*)(\?.*)?$/.exec(before.path)?.[1] ?? ''
        for (const [n, row] of is.entries()) {
          const added = Object.fromEntries(
            Object.entries(row)
              .filter(([name]) => !(name in (was[n] ?? {})))
              .filter(([name, value]) => !isUnsetField(resource, name, value)),
          )
          if (Object.keys(added).length === 0) continue
          expect(seen[resource] ?? added, before.path).toEqual(added)
          seen[resource] = added
        }
      }
    expect(seen).toEqual(newMembers)
  })

  test('the session goes on, and its person signs in with the password', async () => {
    const browser = openBrowser(service.url)
    browser.cookie = kept.session
    const answer = await browser.get('/panel/api/session')
    expect(answer.body).toMatchObject({ data: { person: { email: PERSON.email }, accounts: [{ name: 'Garden' }] } })
    await openBrowser(service.url).signIn(PERSON.email, PERSON.password)
  })

  test('an import of the same file changes nothing', async () => {
    for (const [i, { files }] of kept.accounts.entries())
      for (const file of files)
        expect(await importFile(http(i), file)).toMatchObject({
          state: 'succeeded',
          rows: 5,
          created: 0,
          changed: 0,
          unchanged: 5,
          zeroed: 0,
          stale: 0,
          refused: 0,
        })
    await settled()
    expect(await changesSince()).toEqual([])
    expect(receiver.received).toEqual([])
  })

  test('cursors, tokens and endpoints of the older release go on with the next change', async () => {
    const { endpoint, cursors } = accountOf(0)
    const offer = await http(0)('/v1/account/suppliers/north/offers/N-1', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', prefer: 'wait=20' },
      body: JSON.stringify({ quantity: 77 }),
    })
    expect(offer.status, offer.text).toBe(200)
    const product = offer.body.data.product_id as number
    for (const [store, cursor] of Object.entries(cursors)) {
      const { body } = await http(0, 'connector')(`/v1/changes?store=${store}&${cursor}`)
      expect(body.changes).toMatchObject([{ product_id: product, change_types: ['price'] }])
    }
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(0)
    const [delivery] = receiver.received
    expect(delivery).toMatchObject({ event: 'price', productIds: [product] })
    const signed = `${String(delivery?.headers['x-service-timestamp'])}.${delivery?.body}`
    const signature = createHmac('sha256', endpoint?.secret ?? '').update(signed)
    expect(delivery?.headers['x-service-signature']).toBe(`sha256=${signature.digest('hex')}`)
    // a token of an account cannot read another account's product
    const other = await http(1, 'connector')(`/v1/products/${product}`)
    expect(other.status).toBe(404)
    for (const { accountId, name } of kept.accounts) await expectAudited(database.db, accountId, name)
  })
})
