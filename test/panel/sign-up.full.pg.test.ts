import { describe, expect, test } from 'vitest'
import { openAccount } from '../../src/shelf/account.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { newSecret, secretHash } from '../../src/people/secrets.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { hold } from '../harness/interleave.ts'
import { startTestService } from '../harness/service.ts'
import { world } from '../harness/world.ts'
import { elsewhere, isSignedIn, makeOwner, makePerson, openBrowser, PASSWORD, signedIn, tokenOf } from './browser.ts'

// Accounts that people open themselves: the first owner of an installation by a printed link, and further accounts of a person.

const env = { SECRET_KEY: TEST_KEY, TRUSTED_PROXIES: '127.0.0.0/8' }
const ACCOUNT = { name: 'Nordlicht', currency: 'EUR', locale: 'de', time_zone: 'Europe/Berlin' }
const OWNER = { email: 'anna@example.com', password: PASSWORD, account: ACCOUNT }
const PATH = '/panel/api/links/first-owner'

/** A service on an empty database. */
async function emptyService(more: Record<string, string> = {}) {
  const opened = await world({ service: { env: { ...env, ...more } } })
  const { db } = opened.database
  return {
    db,
    service: opened.service,
    browser: () => openBrowser(opened.service.url),
    /** The token of another link, as the next start prints it. */
    next: async () => tokenOf((await opened.service.service.firstOwnerLink()) ?? ''),
    accounts: async () => (await db`select account_id from account`).length,
    people: async () => (await db`select person_id from person`).length,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

describe('the first owner', () => {
  test('signs up by the link of the start, which works once and is kept as a hash', async () => {
    await using w = await emptyService()
    const link = (await w.service.service.firstOwnerLink())!
    expect(link).toMatch(new RegExp(`^${w.service.url}/panel/link#swl_[\\w-]{43}$`))
    const token = tokenOf(link)
    const kept = await w.db`select * from one_time_link`
    expect(JSON.stringify(kept)).not.toContain(token)
    const browser = w.browser()
    expect((await browser.get('/panel/api/sign-in')).body.data.awaits_owner).toBe(true)
    expect((await browser.post('/panel/api/links/read', { token })).body.data).toMatchObject({
      kind: 'first-owner',
      email: '',
      account_name: null,
    })
    const answer = await browser.post(PATH, { token, ...OWNER })
    expect([answer.status, answer.body.data?.session]).toMatchObject([
      200,
      {
        person: { email: 'anna@example.com', name: 'anna' },
        accounts: [{ name: 'Nordlicht', currency: 'EUR', locale: 'de', time_zone: 'Europe/Berlin', role: 'owner' }],
      },
    ])
    expect(await isSignedIn(browser)).toBe(true)
    // no second time, and no further link
    for (const path of [PATH, '/panel/api/links/read']) {
      const again = await w
        .browser()
        .post(path, path === PATH ? { token, ...OWNER, email: 'eve@example.com' } : { token })
      expect(again.body).toMatchObject({ status: 410, code: 'link-ended' })
    }
    expect(await w.service.service.firstOwnerLink()).toBeNull()
    expect((await w.browser().get('/panel/api/sign-in')).body.data.awaits_owner).toBe(false)
    expect([await w.accounts(), await w.people()]).toEqual([1, 1])
    expect((await w.db`select 1 as one from one_time_link`).length).toBe(0)
    const { id } = answer.body.data.session.accounts[0]
    expect((await browser.get(`/panel/api/accounts/${id}/audit`)).body.data).toMatchObject([{ action: 'openAccount' }])
    // the owner signs in with the password afterwards
    await w.browser().signIn('anna@example.com')
  })

  test('is one of those who try at the same moment, with one link or with several', async () => {
    await using w = await emptyService()
    const tokens = [await w.next(), await w.next(), await w.next()]
    const tries = [...tokens, ...tokens].map((token, i) =>
      w.browser().post(PATH, { token, ...OWNER, email: `owner${i}@example.com` }, elsewhere()),
    )
    const answers = await Promise.all(tries)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410, 410, 410, 410])
    expect([await w.accounts(), await w.people()]).toEqual([1, 1])
  })

  test('is refused where a link of another start is used while the first sign-up is not committed yet', async () => {
    await using w = await emptyService()
    const token = await w.next()
    // the sign-up holds the lock, and others cannot see its rows yet
    const { firstOwnerLock } = await import('../../src/sign-up/sign-up.sql.ts')
    await using first = await hold(w.db, async (tx) => {
      await firstOwnerLock(tx)
      await openAccount(tx, { ...ACCOUNT, store: { slug: 'main', ...ACCOUNT } })
    })
    const second = w.browser().post(PATH, { token, ...OWNER })
    await expect
      .poll(async () => (await w.db`select 1 as one from pg_locks where locktype = 'advisory' and not granted`).length)
      .toBe(1)
    await first.commit()
    expect((await second).body).toMatchObject({ status: 410, code: 'link-ended' })
    expect(await w.people()).toBe(0)
  })

  test('corrects what is refused with the same link', async () => {
    await using w = await emptyService()
    const token = await w.next()
    for (const [wrong, name] of [
      [{ password: 'short' }, 'password'],
      [{ email: 'nobody' }, 'email'],
      [{ account: { ...ACCOUNT, currency: 'EURO' } }, 'currency'],
      [{ account: { ...ACCOUNT, locale: '??' } }, 'locale'],
      [{ account: { ...ACCOUNT, name: '' } }, 'name'],
      [{ account: { ...ACCOUNT, time_zone: 'Mars' } }, 'time_zone'],
    ] as const) {
      const answer = await w.browser().post(PATH, { token, ...OWNER, ...wrong }, elsewhere())
      expect([answer.body.code, answer.body.errors?.map((fault: { name: string }) => fault.name)]).toEqual([
        'invalid-input',
        expect.arrayContaining([expect.stringContaining(name)]),
      ])
    }
    expect([await w.accounts(), await w.people()]).toEqual([0, 0])
    expect((await w.browser().post(PATH, { token, ...OWNER })).status).toBe(200)
  })

  test('is nobody with another secret, a link that is over or of another kind, or where there is an account', async () => {
    await using w = await emptyService()
    const token = await w.next()
    const refused = async (given: string) => {
      const answer = await w.browser().post(PATH, { token: given, ...OWNER }, elsewhere())
      expect(answer.body).toMatchObject({ status: 410, code: 'link-ended' })
    }
    for (const given of ['', 'swl_', newSecret('link'), newSecret('session'), `${token}x`, token.slice(0, -1)])
      await refused(given)
    const personId = await makePerson(w.db, 'reset@example.com')
    const reset = newSecret('link')
    await w.db`insert into one_time_link (kind, token_hash, email, person_id, expires_at)
      values ('password-reset', ${secretHash(reset)}, 'reset@example.com', ${personId}, now() + interval '1 hour')`
    await refused(reset)
    // the link cannot be used for anything else
    for (const [path, body] of [
      ['reset-password', { token, password: PASSWORD }],
      ['accept-invitation', { token, name: 'Eve', password: PASSWORD }],
      ['confirm-email', { token }],
    ] as const)
      expect((await w.browser().post(`/panel/api/links/${path}`, body, elsewhere())).body.code).toBe('link-ended')
    await w.db`update one_time_link set expires_at = now() - interval '1 second' where kind = 'first-owner'`
    await refused(token)
    const fresh = await w.next()
    await inTransaction(w.db, (tx) => openAccount(tx, { ...ACCOUNT, store: { slug: 'main', ...ACCOUNT } }))
    await refused(fresh)
    expect((await w.browser().post('/panel/api/links/read', { token: fresh }, elsewhere())).body.code).toBe(
      'link-ended',
    )
    expect(await w.people()).toBe(1)
  })

  test('has as many tries as a sign-in has from one address', async () => {
    await using w = await emptyService()
    const at = elsewhere()
    const statuses: number[] = []
    for (let i = 0; i <= LIMITS.signInsPerAddressAtOnce; i++)
      statuses.push((await w.browser().post(PATH, { token: newSecret('link'), ...OWNER }, at)).status)
    expect(statuses.filter((status) => status === 410)).toHaveLength(LIMITS.signInsPerAddressAtOnce)
    expect(statuses.at(-1)).toBe(429)
  })

  test('may use any of the newest links; the oldest end', async () => {
    await using w = await emptyService()
    const tokens: string[] = []
    for (let i = 0; i <= LIMITS.firstOwnerLinksMax; i++) tokens.push(await w.next())
    expect((await w.db`select 1 as one from one_time_link`).length).toBe(LIMITS.firstOwnerLinksMax)
    expect((await w.browser().post(PATH, { token: tokens[0], ...OWNER })).status).toBe(410)
    expect((await w.browser().post(PATH, { token: tokens[1], ...OWNER })).status).toBe(200)
  })
})

describe('a further account', () => {
  const open = { ...ACCOUNT, name: 'Second' }

  test('is not opened in the panel unless the operator allows it', async () => {
    await using w = await world({ account: 'first', service: { env } })
    const { owner } = await makeOwner(w.database.db, w.service.url, w.account.accountId, 'anna@example.com')
    expect((await owner.get('/panel/api/accounts')).body.data).toEqual({ left: 0 })
    expect((await owner.post('/panel/api/accounts', open)).body).toMatchObject({ code: 'quota-exceeded' })
  })

  test('is its person’s alone, and a person owns no more than are allowed, however many requests there are', async () => {
    await using w = await world({ account: 'first', service: { env: { ...env, ACCOUNTS_PER_PERSON: '3' } } })
    const { db } = w.database
    const { owner, ownerId } = await makeOwner(db, w.service.url, w.account.accountId, 'anna@example.com')
    const { owner: colleague } = await makeOwner(db, w.service.url, w.account.accountId, 'ben@example.com')
    expect((await owner.get('/panel/api/accounts')).body.data).toEqual({ left: 2 })
    expect((await owner.post('/panel/api/accounts', { ...open, currency: 'x' })).body.code).toBe('invalid-input')
    // three at the same moment, from two sessions
    const other = await signedIn(db, w.service.url, ownerId)
    const tries = await Promise.all([owner, other].map((browser) => browser.post('/panel/api/accounts', open)))
    expect(tries.map(({ status }) => status)).toEqual([201, 201])
    const { account_id: second, session } = tries[0]!.body.data
    expect(session.accounts.map(({ role }: { role: string }) => role)).toContain('owner')
    expect((await owner.get('/panel/api/accounts')).body.data).toEqual({ left: 0 })
    expect((await owner.get(`/panel/api/accounts/${second}/overview`)).status).toBe(200)
    // another owner of the first account sees nothing of it
    expect((await colleague.get(`/panel/api/accounts/${second}/overview`)).body.code).toBe('unknown-account')
    expect((await colleague.get('/panel/api/accounts')).body.data).toEqual({ left: 2 })
    expect((await colleague.get('/panel/api/session')).body.data.accounts).toHaveLength(1)
  })

  test('is refused to the second of two requests for the last one', async () => {
    await using w = await world({ account: 'first', service: { env: { ...env, ACCOUNTS_PER_PERSON: '2' } } })
    const { db } = w.database
    const { owner, ownerId } = await makeOwner(db, w.service.url, w.account.accountId, 'anna@example.com')
    const other = await signedIn(db, w.service.url, ownerId)
    // also in another process, which has its own rate limits
    await using second = await startTestService(w.database, { env: { ...env, ACCOUNTS_PER_PERSON: '2' } })
    const third = await signedIn(db, second.url, ownerId)
    const answers = await Promise.all([owner, other, third].map((browser) => browser.post('/panel/api/accounts', open)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422])
    expect((await db`select 1 as one from member where person_id = ${ownerId}`).length).toBe(2)
  })

  test('is opened a few times and then seldom', async () => {
    await using w = await world({ account: 'first', service: { env: { ...env, ACCOUNTS_PER_PERSON: '100' } } })
    const { owner } = await makeOwner(w.database.db, w.service.url, w.account.accountId, 'anna@example.com')
    const statuses: number[] = []
    for (let i = 0; i <= LIMITS.accountsPerPersonAtOnce; i++)
      statuses.push((await owner.post('/panel/api/accounts', open)).status)
    expect(statuses).toEqual([201, 201, 201, 429])
  })
})
