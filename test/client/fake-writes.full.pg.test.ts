import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeShelfwire, Listening } from '../../client/src/testing/fake-shelfwire.ts'
import { Shelfwire } from '../../client/src/shelfwire.ts'
import { tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import type { Asked, Sent } from './behaviour.ts'
import { fakeOfService } from './fake-of-service.ts'
import { BULK_BEHAVIOURS } from './fake-bulk-behaviours.ts'
import { BULK_WALK } from './fake-bulk-walk.ts'
import { SETTING_BEHAVIOURS } from './fake-setting-behaviours.ts'
import { WRITE_BEHAVIOURS, type Writing } from './fake-write-behaviours.ts'

// The writes of the fake of @shelfwire/client/testing: the same requests as to the service give the same answers, except for the
// order of members and for values that the service assigns.

const skuOf = (i: number) => `A${String(i).padStart(2, '0')}`
const BEHAVIOURS = [...WRITE_BEHAVIOURS, ...BULK_BEHAVIOURS, BULK_WALK, ...SETTING_BEHAVIOURS]
const STORES = ['main', 'de', 'pl']
const { service, account, ids } = worldOfFile({
  service: { roles: ['api', 'work'] },
  account: 'acme',
  products: BEHAVIOURS.map((_, i) => skuOf(i)),
})

const fakes: Record<'called' | 'served', FakeShelfwire> = {} as never
let listening: Listening
let tokens: { full: string; connector: string }

beforeAll(async () => {
  tokens = {
    full: await tokenFor(service.runtime, account.accountId, 'full'),
    connector: await tokenFor(service.runtime, account.accountId, 'connector'),
  }
  const of = { [tokens.full]: 'full', [tokens.connector]: 'connector' } as const
  const shelf = new Shelfwire({ url: service.url, token: tokens.full })
  const { data: suppliers } = (await shelf.call('GET /account/suppliers')).data!
  // members that are chosen when an account is created; the others are as in a new account
  const { id, name, currency, locale, time_zone, price_jump_factor, additional_members } = (
    await shelf.call('GET /account')
  ).data!.data
  const ofAccount = { id, name, currency, locale, time_zone, price_jump_factor, additional_members }
  // two fakes, one called directly and one served over HTTP: writes to one must not show in the other
  for (const name of ['called', 'served'] as const)
    fakes[name] = await fakeOfService(service.url, tokens.full, of, suppliers, ofAccount)
  listening = await fakes.served.listen()
})
afterAll(() => listening?.close())

/** Headers that belong to the connection rather than the answer. */
const LEFT_OUT = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'x-request-id'])

function open(base: string, send: typeof fetch, seen: unknown[]): Writing {
  const origin = base.replace(/\/v1$/, '')
  const requested = async (
    path: string,
    { method = 'GET', headers = {}, body }: Sent = {},
  ): Promise<{ asked: Asked; shown: unknown }> => {
    const own = { 'accept-encoding': 'identity', authorization: `Bearer ${tokens.full}`, ...headers }
    own.authorization = own.authorization.replace('CONNECTOR', tokens.connector)
    const response = await send(`${base}${path}`, { method, headers: own, body: body ?? null })
    const text = await response.text()
    const etag = response.headers.get('etag') ?? ''
    const parsed = text === '' ? undefined : JSON.parse(text)
    const named = Object.fromEntries([...response.headers].filter(([name]) => !LEFT_OUT.has(name)))
    // the ETag of a rate has a second part, for members that change by themselves
    if (etag !== '') named['etag'] = etag.replaceAll(/[\w-]{16,}(?:\.[\w-]+)?/g, '…')
    if (named['location'] !== undefined) named['location'] = withoutNumber(named['location'])
    const shown = {
      method,
      path: withoutNumber(path),
      status: response.status,
      headers: named,
      answer: plain(parsed, origin),
    }
    return { asked: { status: response.status, etag, cursor: '', body: parsed }, shown }
  }
  const ask: Writing['ask'] = async (path, init) => {
    const { asked, shown } = await requested(path, init)
    seen.push(shown)
    return asked
  }
  return {
    ask,
    send: (method, path, body, headers = {}) =>
      ask(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async ended(path) {
      for (;;) {
        const { asked, shown } = await requested(path)
        if (asked.body?.data?.ended_at !== null) {
          seen.push(shown)
          return asked
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}

/** A path without the id that the service assigned. */
const withoutNumber = (path: string) =>
  path
    .replace(/(?<=operations\/)[1-9]\d{0,7}(?!\d)/, '…')
    .replace(/(?<=products\/)[1-9]\d{0,7}(?!\d)/, (id) => (ids.includes(Number(id)) ? id : '…'))

/** An answer without the values that the service assigns. */
function plain(answer: { data?: Record<string, unknown>; type?: string } | undefined, origin: string): unknown {
  const { data } = answer ?? {}
  // a bulk's result per row, or a page of a list
  if (Array.isArray(data)) return { ...answer, data: (data as object[]).map(assigned) }
  if (data === undefined) return { ...answer, type: answer?.type?.replace(origin, '') }
  return { data: assigned(data) }
}

/** Replaces the values that the service assigns: ids of new products and operations, and times. */
function assigned(members: object): object {
  const of: Record<string, unknown> = { ...members }
  if ('product_id' in of && !ids.includes(Number(of['product_id']))) of['product_id'] = 'new'
  const isOwnProduct = 'listings' in of && ids.includes(Number(of['id']))
  if (('total' in of && 'kind' in of) || 'code' in of || ('listings' in of && !isOwnProduct)) of['id'] = '…'
  for (const name of ['created_at', 'started_at', 'ended_at']) if (typeof of[name] === 'string') of[name] = '…'
  return of
}

describe('the service and the fake', () => {
  test.each(BEHAVIOURS.map(([name, run], i) => ({ name, run, i })))('$name', async ({ run, i }) => {
    const observe = async (base: string, send: typeof fetch) => {
      const seen: unknown[] = []
      const said = await run(open(base, send, seen), { id: ids[i] ?? 0, sku: skuOf(i), stores: STORES })
      return { seen, said }
    }
    const real = await observe(`${service.url}/v1`, fetch)
    expect(real.seen.length).toBeGreaterThan(0)
    expect(await observe(`${fakes.called.url}/v1`, fakes.called.fetch)).toEqual(real)
    expect(await observe(`${listening.url}/v1`, fetch)).toEqual(real)
  })
})
