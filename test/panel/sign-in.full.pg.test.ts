import { hash } from 'node:crypto'
import process from 'node:process'
import { beforeEach, describe, expect, test } from 'vitest'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { forgetEnded } from '../../src/people/erasure/forget.ts'
import { newSecret, secretHash } from '../../src/people/secrets.ts'
import { passwordHash } from '../../src/people/sign-in/passwords.ts'
import { passwordUpdate, personLock } from '../../src/people/persons.sql.ts'
import { findSession, openSession } from '../../src/people/sign-in/sessions.ts'
import { LIMITS } from '../../src/platform/limits.ts'

import { TEST_KEY } from '../harness/delivering.ts'
import { hold } from '../harness/interleave.ts'
import { startTestService } from '../harness/service.ts'
import {
  makeMember,
  makePerson,
  openBrowser,
  PASSWORD,
  signedIn,
  type Browser,
  isSignedIn,
  elsewhere,
  endOf,
} from './browser.ts'
import { worldOfFile } from '../harness/world.ts'

// Signing in and out, and attacks on sessions.

const { database, service, account } = worldOfFile({
  account: 'acme',
  service: { env: { SECRET_KEY: TEST_KEY, TRUSTED_PROXIES: '127.0.0.0/8' } },
})
let email: string
let personId: number
let people = 0

beforeEach(async () => {
  email = `person${people++}@example.com`
  personId = await makePerson(database.db, email, 'Ada')
  await makeMember(database.db, account.accountId, personId, email, 'owner')
})

const from = (address?: string) => (address === undefined ? elsewhere() : { headers: { 'X-Forwarded-For': address } })
const signIn = (browser: Browser, password = PASSWORD, as = email, at = from()) =>
  browser.post('/panel/api/sign-in', { email: as, password }, at)

describe('signing in', () => {
  test('sets a cookie that scripts cannot read and other sites do not send, and answers who it is', async () => {
    const browser = openBrowser(service.url)
    const answer = await signIn(browser, PASSWORD, email.toUpperCase())
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^shelfwire_session=sws_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    )
    expect(answer.body.data.session).toMatchObject({
      person: { id: personId, email, name: 'Ada', has_totp: false, passkeys: 0 },
      accounts: [{ id: account.accountId, name: 'acme', role: 'owner' }],
    })
    // the cookie's value is in no body
    expect(answer.text).not.toContain(browser.cookie!)
    expect((await browser.get('/panel/api/session')).body.data).toMatchObject({ person: { id: personId } })
  })

  test('with https sets the cookie as __Host- and Secure, and takes no other', async () => {
    await using secure = await startTestService(database, { env: { PUBLIC_URL: 'https://panel.example.com' } })
    const browser = openBrowser(secure.url)
    const answer = await signIn(browser)
    const [cookie = '', device] = answer.headers.getSetCookie()
    expect(device).toMatch(/^__Host-shelfwire_device=swd_.*; Secure$/)
    expect(cookie).toMatch(/^__Host-shelfwire_session=sws_[\w-]{43}; Path=\/; .*; HttpOnly; SameSite=Strict; Secure$/)
    const [pair = ''] = cookie.split(';')
    expect((await browser.get('/panel/api/session', { headers: { Cookie: pair } })).status).toBe(200)
    const plain = pair.replace('__Host-', '')
    expect((await browser.get('/panel/api/session', { headers: { Cookie: plain } })).status).toBe(401)
    // a page that was loaded without https is another origin
    const attempt = (origin: string) =>
      browser.post('/panel/api/sign-in', { email, password: 'wrong password' }, { headers: { Origin: origin } })
    expect((await attempt(secure.url)).body.code).toBe('csrf-refused')
    expect((await attempt('https://panel.example.com')).body.code).toBe('sign-in-failed')
  })

  test('a wrong password and an unknown address get the same answer after the same work', async () => {
    /** The least processor time in microseconds, because the service runs in this process, which also does other work. */
    const work = { known: Infinity, unknown: Infinity }
    const answers = new Set<string>()
    for (let i = 0; i < 8; i++)
      for (const kind of ['known', 'unknown'] as const) {
        const before = process.cpuUsage()
        const answer = await signIn(
          openBrowser(service.url),
          'not the password',
          kind === 'known' ? email : `no${i}@example.com`,
        )
        const { user, system } = process.cpuUsage(before)
        work[kind] = Math.min(work[kind], user + system)
        answers.add(`${answer.status} ${answer.text}`)
      }
    expect([...answers]).toHaveLength(1)
    expect([...answers][0]).toMatch(/^401 .*"code":"sign-in-failed"/)
    // a hash takes 8 ms or more, an answer without one 2
    expect(work.unknown).toBeGreaterThan(work.known / 2)
    expect(work.known).toBeGreaterThan(work.unknown / 2)
  })

  test('passwords that are nearly right, very long or empty are refused', async () => {
    for (const password of ['', ` ${PASSWORD}`, `${PASSWORD} `, PASSWORD.toUpperCase(), 'x'.repeat(50_000)])
      expect((await signIn(openBrowser(service.url), password)).body).toMatchObject({ code: 'sign-in-failed' })
    expect((await signIn(openBrowser(service.url), 'x'.repeat(LIMITS.panelBodyBytesMax))).status).toBe(413)
  })

  test('a session that was planted before is worth nothing afterwards', async () => {
    const browser = openBrowser(service.url)
    // planted by an attacker: an unknown secret, and one of another person
    for (const planted of [
      newSecret('session'),
      (await signedIn(database.db, service.url, await makePerson(database.db, `evil${people}@example.com`))).cookie!,
    ]) {
      browser.cookie = planted
      expect((await signIn(browser)).status).toBe(200)
      expect(browser.cookie).not.toBe(planted)
      const attacker = openBrowser(service.url)
      attacker.cookie = planted
      expect(await isSignedIn(attacker)).toBe(false)
    }
  })

  test('is refused after ten attempts for an address, also from everywhere else and with the right password', async () => {
    const statuses: number[] = []
    for (let i = 0; i < LIMITS.signInsPerEmailAtOnce + 1; i++)
      statuses.push(
        (await signIn(openBrowser(service.url), 'wrong password', i % 2 === 0 ? email : email.toUpperCase())).status,
      )
    expect(statuses).toEqual([...Array<number>(LIMITS.signInsPerEmailAtOnce).fill(401), 429])
    const refused = await signIn(openBrowser(service.url))
    expect([refused.status, refused.body.code]).toEqual([429, 'rate-limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30)
    // the same for an unknown address, so that the limit reveals nothing
    const other = `nobody${people}@example.com`
    for (let i = 0; i < LIMITS.signInsPerEmailAtOnce; i++)
      await signIn(openBrowser(service.url), 'wrong password', other)
    expect((await signIn(openBrowser(service.url), 'wrong password', other)).status).toBe(429)
  })

  test('is refused after thirty attempts from one client, whomever it tries, and others go on', async () => {
    const at = from('203.0.113.7')
    const statuses = new Set<number>()
    for (let i = 0; i < LIMITS.signInsPerAddressAtOnce; i++)
      statuses.add((await signIn(openBrowser(service.url), 'wrong password', `a${i}@example.com`, at)).status)
    expect([...statuses]).toEqual([401])
    expect((await signIn(openBrowser(service.url), PASSWORD, email, at)).status).toBe(429)
    expect((await signIn(openBrowser(service.url))).status).toBe(200)
  })

  test('attempts at the same time count as well', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => signIn(openBrowser(service.url), 'wrong password')),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(LIMITS.signInsPerEmailAtOnce)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25 - LIMITS.signInsPerEmailAtOnce)
  })
})

describe('a session', () => {
  test('is stored as a hash only', async () => {
    const browser = await signedIn(database.db, service.url, personId)
    const rows = await database.db<{ token_hash: Buffer; row: string }[]>`
      select token_hash, s::text as row from session s where person_id = ${personId}`
    expect(rows).toHaveLength(1)
    expect(rows[0]!.token_hash).toEqual(hash('sha256', browser.cookie!, 'buffer'))
    expect(rows[0]!.row).not.toContain(browser.cookie!)
    // the stored value cannot be used as a session
    const thief = openBrowser(service.url)
    for (const stolen of [
      rows[0]!.token_hash.toString('hex'),
      rows[0]!.token_hash.toString('base64url'),
      browser.csrf!,
    ]) {
      thief.cookie = stolen
      expect(await isSignedIn(thief)).toBe(false)
      thief.cookie = `sws_${stolen.slice(0, 43)}`
      expect(await isSignedIn(thief)).toBe(false)
    }
  })

  test('ends at once everywhere when one signs out, and its cookie is removed', async () => {
    const browser = await signedIn(database.db, service.url, personId)
    const { cookie, csrf } = browser
    const answer = await browser.send('DELETE', '/panel/api/session')
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      200,
      'shelfwire_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ])
    const thief = Object.assign(openBrowser(service.url), { cookie, csrf })
    expect([await isSignedIn(thief), await endOf(thief)]).toEqual([false, null])
    const api = await thief.get('/v1/account', { headers: { 'Shelfwire-Account': String(account.accountId) } })
    expect([api.status, api.body.code]).toEqual([401, 'not-signed-in'])
  })

  test('is listed with where it is used, and one, all others, or all can be ended', async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => signedIn(database.db, service.url, personId)))
    await two!.get('/panel/api/session', {
      headers: { 'X-Forwarded-For': '192.0.2.44', 'User-Agent': 'Firefox\u009b' },
    })
    const { body } = await one!.get('/panel/api/sessions')
    expect(body.data).toHaveLength(3)
    expect(body.data.filter((row: { is_current: boolean }) => row.is_current)).toHaveLength(1)
    expect(body.data.map((row: { address: string }) => row.address)).toContain('192.0.2.44')
    const { id } = (await two!.get('/panel/api/session')).body.data
    expect((await one!.send('DELETE', `/panel/api/sessions/${id}`)).status).toBe(204)
    expect([await isSignedIn(one!), await isSignedIn(two!), await isSignedIn(three!)]).toEqual([true, false, true])
    expect((await one!.send('DELETE', '/panel/api/sessions?keep_current=true')).status).toBe(204)
    expect([await isSignedIn(one!), await isSignedIn(three!)]).toEqual([true, false])
    // only a browser with the cookie of an ended session learns why it ended
    expect([await endOf(one!), await endOf(two!), await endOf(three!)]).toEqual([null, 'elsewhere', 'everywhere'])
    expect(await endOf(openBrowser(service.url))).toBeNull()
    for (const cookie of [newSecret('session'), `${two!.cookie}x`, two!.csrf!])
      expect(await endOf(Object.assign(openBrowser(service.url), { cookie }))).toBeNull()
    expect((await one!.send('DELETE', '/panel/api/sessions')).status).toBe(204)
    expect(one!.cookie).toBeNull()
  })

  test.each([
    ['after the idle time', `seen_at = now() - make_interval(hours => ${LIMITS.sessionIdleHours})`],
    ['after its days, however often it is used', 'expires_at = now()'],
  ])('comes to its end %s', async (_name, change) => {
    const browser = await signedIn(database.db, service.url, personId)
    await database.db.unsafe(`update session set ${change} where person_id = ${personId}`)
    expect(await isSignedIn(browser)).toBe(false)
    await forgetEnded(database.db)
    expect(await database.db`select 1 as one from session where person_id = ${personId}`).toHaveLength(0)
  })

  test('goes on while it is used', async () => {
    const browser = await signedIn(database.db, service.url, personId)
    await database.db`update session set seen_at = now() - interval '70 hours' where person_id = ${personId}`
    expect(await isSignedIn(browser)).toBe(true)
    await database.db`update session set seen_at = (seen_at at time zone 'UTC' - interval '70 hours') at time zone 'UTC' where person_id = ${personId}`
    expect(await isSignedIn(browser)).toBe(true)
    await forgetEnded(database.db)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('is found in a database that only reads, which cannot note the use', async () => {
    const from = { address: '192.0.2.9', userAgent: '' }
    const { secret } = await inTransaction(database.db, (tx) => openSession(tx, personId, from))
    await database.db`update session set seen_at = now() - interval '2 hours' where person_id = ${personId}`
    const db = openDb({ url: `${database.url}?options=-c%20default_transaction_read_only%3Don`, connectionsMax: 1 })
    expect(await findSession(db, secret, from)).toMatchObject({ personId, isNews: true })
    await db.end()
  })

  test('beyond the newest fifty the oldest end', async () => {
    const first = await signedIn(database.db, service.url, personId)
    for (let i = 0; i < LIMITS.sessionsPerPersonMax; i++)
      await inTransaction(database.db, (tx) => openSession(tx, personId, { address: '', userAgent: '' }))
    expect([await isSignedIn(first), await endOf(first)]).toEqual([false, 'too-many'])
    const [row] = await database.db<
      { n: number }[]
    >`select count(*)::int as n from session where person_id = ${personId}`
    expect(row!.n).toBe(LIMITS.sessionsPerPersonMax)
  })
})

describe('a new password', () => {
  const change = (browser: Browser, current: string, password: string) =>
    browser.post('/panel/api/password', { current, password })

  test('needs the present one, ends all other sessions, and gives this one a new cookie and CSRF token', async () => {
    const browser = await signedIn(database.db, service.url, personId)
    const other = await signedIn(database.db, service.url, personId)
    const before = { cookie: browser.cookie, csrf: browser.csrf }
    expect((await change(browser, 'not the password', 'a new password 1')).body.code).toBe('sign-in-failed')
    expect((await change(browser, PASSWORD, 'a new password 1')).status).toBe(200)
    expect(browser.cookie).not.toBe(before.cookie)
    expect(browser.csrf).not.toBe(before.csrf)
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    expect([await endOf(browser), await endOf(other)]).toEqual([null, 'password-changed'])
    expect(await isSignedIn(Object.assign(openBrowser(service.url), before))).toBe(false)
    expect((await signIn(openBrowser(service.url))).status).toBe(401)
    expect((await signIn(openBrowser(service.url), 'a new password 1')).status).toBe(200)
  })

  test.each(['short', '1234567890', 'Password123', 'aaaaaaaaaaaaaaa', 'x'.repeat(201)])(
    'is refused: %s',
    async (password) => {
      const browser = await signedIn(database.db, service.url, personId)
      const answer = await change(browser, PASSWORD, password)
      expect(answer.body).toMatchObject({ code: 'invalid-input', errors: [{ name: 'password' }] })
      expect(answer.text).not.toContain(password.slice(0, 40))
    },
  )

  test('that is being set ends a sign-in by the old one at the same moment', async () => {
    const stored = await passwordHash('a newer password 5')
    await using held = await hold(database.db, async (tx) => {
      await personLock(tx, personId)
      await passwordUpdate(tx, personId, stored)
    })
    const late = signIn(openBrowser(service.url))
    await expect
      .poll(async () => {
        return (await database.isBlocked()) || (await Promise.race([late.then(() => true), Promise.resolve(false)]))
      })
      .toBe(true)
    await held.commit()
    expect((await late).body.code).toBe('sign-in-failed')
    expect(await database.db`select 1 as session from session where person_id = ${personId}`).toHaveLength(0)
  })

  test('is not the e-mail address', async () => {
    const browser = await signedIn(database.db, service.url, personId)
    expect((await change(browser, PASSWORD, email.toUpperCase())).status).toBe(422)
  })

  test('is stored as Argon2id with a salt of its own', async () => {
    const other = await signedIn(database.db, service.url, personId)
    await change(other, PASSWORD, 'a new password 1')
    const [row] = await database.db<{ stored: string }[]>`
      select password_hash as stored from person where person_id = ${personId}`
    expect(row!.stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  })
})

test('what happens to the own sign-in is listed for the person alone', async () => {
  const browser = openBrowser(service.url)
  await signIn(browser, 'wrong password', email, from('192.0.2.9'))
  await signIn(browser, PASSWORD, email, from('192.0.2.10'))
  await service.runtime.db`select 1 as settled`
  await browser.post('/panel/api/password', { current: PASSWORD, password: 'a new password 2' })
  await expect
    .poll(async () =>
      (await browser.get('/panel/api/person/events')).body.data.map((row: { kind: string }) => row.kind),
    )
    .toEqual(expect.arrayContaining(['password-changed', 'signed-in', 'sign-in-failed']))
  const events = (await browser.get('/panel/api/person/events')).body.data
  expect(events.find((row: { kind: string }) => row.kind === 'sign-in-failed').address).toBe('192.0.2.9')
})

test('a person changes the own name; control characters are refused', async () => {
  const browser = await signedIn(database.db, service.url, personId)
  expect((await browser.send('PATCH', '/panel/api/person', { body: { name: ' Grace ' } })).body.data.person.name).toBe(
    'Grace',
  )
  for (const name of ['', ' ', 'x'.repeat(201), 'a\u0000b', 'a\nb'])
    expect((await browser.send('PATCH', '/panel/api/person', { body: { name } })).body.code).toBe('invalid-input')
})

test('what has ended is deleted, and what has not stays', async () => {
  const { db } = database
  const browser = await signedIn(db, service.url, personId)
  const made = async (table: string, columns: string, values: string) => {
    for (const at of ["now() - interval '1 second'", "now() + interval '1 hour'"])
      await db.unsafe(
        `insert into ${table} (${columns}, expires_at) values (${values.replace('HASH', `'\\x${secretHash(newSecret('link')).toString('hex')}'`)}, ${at})`,
      )
  }
  await made('sign_in_step', 'ticket_hash, kind, person_id', `HASH, 'code', ${personId}`)
  await made('one_time_link', 'token_hash, kind, email, person_id', `HASH, 'password-reset', '${email}', ${personId}`)
  await made('endpoint_link', 'token_hash, account_id, endpoint_id, name', `HASH, ${account.accountId}, 1, 'x'`)
  await db`insert into person_event (person_id, kind, at, address, user_agent)
    values (${personId}, 'signed-in', now() - make_interval(days => ${LIMITS.personEventDaysMax + 1}), 'old', '')`
  for (const days of [LIMITS.sessionDaysMax - 1, LIMITS.sessionDaysMax + 1])
    await db`
      insert into ended_session (token_hash, reason, ended_at)
      values (${secretHash(`after ${days}`)}, 'operator', now() - make_interval(days => ${days}))`
  await forgetEnded(db)
  expect(await db`select 1 as one from ended_session where reason = 'operator'`).toHaveLength(1)
  const [left] = await db<{ steps: number; links: number; endpoints: number; old: number }[]>`
    select (select count(*)::int from sign_in_step where person_id = ${personId}) as steps,
      (select count(*)::int from one_time_link where person_id = ${personId}) as links,
      (select count(*)::int from endpoint_link where name = 'x') as endpoints,
      (select count(*)::int from person_event where person_id = ${personId} and address = 'old') as old`
  expect(left).toEqual({ steps: 1, links: 1, endpoints: 1, old: 0 })
  expect(await isSignedIn(browser)).toBe(true)
})
