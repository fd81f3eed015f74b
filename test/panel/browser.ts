import { Compile } from 'typebox/compile'
import type Type from 'typebox'
import { expect } from 'vitest'
import type { Session } from '../../contract/panel/session.ts'
import { PANEL_ROUTES } from '../../contract/panel/routes.ts'
import type { MemberRole } from '../../src/accounts/members.sql.ts'
import { memberInsert } from '../../src/accounts/members.sql.ts'
import { inTransaction, type Db } from '../../src/db/sql.ts'
import { passwordHash } from '../../src/people/sign-in/passwords.ts'
import { personInsert } from '../../src/people/persons.sql.ts'
import { openSession } from '../../src/people/sign-in/sessions.ts'

/** An answer of the panel, checked against its declaration. */
export interface PanelAnswer {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  text: string
}

interface Sent {
  body?: unknown
  headers?: Record<string, string>
  /** Sends no CSRF token. */
  isBare?: true
}

/** A browser: keeps its cookies, and sends the session's CSRF token with every write. */
export interface Browser {
  /** The value of the session cookie; null without one. */
  cookie: string | null
  /** The value of the device cookie by which the browser is known; null without one. */
  device: string | null
  csrf: string | null
  get(path: string, sent?: Sent): Promise<PanelAnswer>
  post(path: string, body?: unknown, sent?: Sent): Promise<PanelAnswer>
  send(method: string, path: string, sent?: Sent): Promise<PanelAnswer>
  /** Signs in by password; expects it to work. */
  signIn(email: string, password?: string): Promise<Session>
}

/** The password of every person in these tests. */
export const PASSWORD = 'correct horse battery'
let hash: Promise<string> | undefined

const schemas = new Map<string, { Check(value: unknown): boolean; Errors(value: unknown): readonly unknown[] }>()
const patterns = PANEL_ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Checks an answer against the declaration of its route: status, body, and codes of problems. */
function requireDeclared(method: string, path: string, { status, headers, body, text }: PanelAnswer): void {
  const [plain = ''] = path.split('?')
  const found = patterns.find(({ route, pattern }) => route.method === method.toLowerCase() && pattern.test(plain))
  if (found === undefined) return
  const { route } = found
  if (status >= 400) {
    expect([route.id, body?.code, (route.problems as string[]).includes(body?.code)]).toEqual([
      route.id,
      body?.code,
      true,
    ])
    return
  }
  const answer = (route.answers as Record<number, { content?: Record<string, Type.TSchema> }>)[status]
  expect([route.id, status, answer !== undefined]).toEqual([route.id, status, true])
  const schema = answer?.content?.['application/json']
  if (schema === undefined) {
    // a download answers with a file
    if (headers.get('content-disposition') !== null) return
    expect([route.id, text]).toEqual([route.id, ''])
    return
  }
  let compiled = schemas.get(route.id)
  if (compiled === undefined) schemas.set(route.id, (compiled = Compile(schema)))
  if (!compiled.Check(body))
    throw new Error(`${route.id}: ${JSON.stringify(compiled.Errors(body).slice(0, 3))} in ${text.slice(0, 500)}`)
}

const cookiesOf = ({ cookie, device }: Pick<Browser, 'cookie' | 'device'>) =>
  [
    'other=1',
    ...(cookie === null ? [] : [`shelfwire_session=${cookie}`]),
    ...(device === null ? [] : [`shelfwire_device=${device}`]),
  ].join('; ')

export function openBrowser(url: string): Browser {
  const browser: Browser = {
    cookie: null,
    device: null,
    csrf: null,
    get: (path, sent = {}) => browser.send('GET', path, sent),
    post: (path, body, sent = {}) => browser.send('POST', path, { ...sent, ...(body === undefined ? {} : { body }) }),
    async send(method, path, { body, headers = {}, isBare } = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(browser.cookie === null && browser.device === null ? {} : { Cookie: cookiesOf(browser) }),
          ...(method === 'GET' || browser.csrf === null || isBare === true ? {} : { 'X-CSRF-Token': browser.csrf }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      const answer = {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson && text !== '' ? JSON.parse(text) : undefined,
      }
      for (const set of response.headers.getSetCookie()) {
        const [, kind, value = ''] = /^shelfwire_(session|device)=([^;]*)/.exec(set) ?? []
        if (kind === 'session') browser.cookie = value === '' ? null : value
        if (kind === 'device') browser.device = value
      }
      const token = answer.body?.data?.csrf_token ?? answer.body?.data?.session?.csrf_token
      if (typeof token === 'string') browser.csrf = token
      requireDeclared(method, path, answer)
      return answer
    },
    async signIn(email, password = PASSWORD) {
      const { status, body, text } = await browser.post('/panel/api/sign-in', { email, password })
      expect([status, body?.data?.state, text]).toEqual([200, 'signed-in', text])
      return body.data.session
    },
  }
  return browser
}

/** Makes a person with PASSWORD. */
export async function makePerson(db: Db, email: string, name = email.split('@')[0] ?? ''): Promise<number> {
  const stored = await (hash ??= passwordHash(PASSWORD))
  return inTransaction(db, (tx) => personInsert(tx, { email, name, passwordHash: stored }))
}

/** Makes a person a member of an account. */
export async function makeMember(
  db: Db,
  accountId: number,
  personId: number,
  email: string,
  role: MemberRole,
): Promise<number> {
  return inTransaction(db, (tx) => memberInsert(tx, accountId, { email, role, personId }))
}

/** A browser in which a person is signed in, by a session written to the database, so that limits on signing in do not apply. */
export async function signedIn(db: Db, url: string, personId: number): Promise<Browser> {
  const browser = openBrowser(url)
  const { secret } = await inTransaction(db, (tx) =>
    openSession(tx, personId, { address: '127.0.0.1', userAgent: 'test' }),
  )
  browser.cookie = secret
  expect((await browser.get('/panel/api/session')).status).toBe(200)
  return browser
}

/** A person who owns the account, and a browser in which that person is signed in. */
export async function makeOwner(
  db: Db,
  url: string,
  accountId: number,
  email: string,
  name?: string,
): Promise<{ ownerId: number; owner: Browser }> {
  const ownerId = await makePerson(db, email, name)
  await makeMember(db, accountId, ownerId, email, 'owner')
  return { ownerId, owner: await signedIn(db, url, ownerId) }
}

let addresses = 0
/** Headers with a client address that earlier tests did not use, so that limits per address are not shared. */
export const elsewhere = () => ({ headers: { 'X-Forwarded-For': `198.51.100.${addresses++ % 250}` } })

export const isSignedIn = async (browser: Browser) => (await browser.get('/panel/api/session')).status === 200

/** The reason that the sign-in page gives for the end of a browser's session, or null. */
export const endOf = async (browser: Browser): Promise<string | null> =>
  (await browser.get('/panel/api/sign-in')).body.data.ended

/** The secret of a link from a mail. */
export const tokenOf = (link: string) => link.split('#')[1] ?? ''
