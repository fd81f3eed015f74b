import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeShelfwire, Listening } from '../../client/src/testing/fake-shelfwire.ts'
import { tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import type { Asked } from './fake-behaviours.ts'
import { fakeOfService } from './fake-of-service.ts'
import { WRITE_BEHAVIOURS, type Writing } from './fake-write-behaviours.ts'

// The writes of the fake of @shelfwire/client/testing: the same requests as to the service, and the same answers. Members of an object may come
// in another order, and what the service assigns differs.

const skuOf = (i: number) => `A${String(i).padStart(2, '0')}`
const STORES = ['main', 'de', 'pl']
const { service, account, ids } = worldOfFile({
  service: {},
  account: 'acme',
  products: WRITE_BEHAVIOURS.map((_, i) => skuOf(i)),
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
  // what is written to one must not be there in the other
  for (const name of ['called', 'served'] as const)
    fakes[name] = await fakeOfService(service.url, tokens.full, of, [
      { code: 'north', currency: 'EUR' },
      { code: 'south', currency: 'PLN' },
    ])
  listening = await fakes.served.listen()
})
afterAll(() => listening?.close())

/** Of the connection, not of the answer. */
const LEFT_OUT = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'x-request-id'])

function open(base: string, send: typeof fetch, seen: unknown[]): Writing {
  const origin = base.replace(/\/v1$/, '')
  const ask: Writing['ask'] = async (path, { method = 'GET', headers = {}, body } = {}): Promise<Asked> => {
    const own = { 'accept-encoding': 'identity', authorization: `Bearer ${tokens.full}`, ...headers }
    own.authorization = own.authorization.replace('CONNECTOR', tokens.connector)
    const response = await send(`${base}${path}`, { method, headers: own, body: body ?? null })
    const text = await response.text()
    const etag = response.headers.get('etag') ?? ''
    const parsed = text === '' ? undefined : JSON.parse(text)
    const shown = Object.fromEntries([...response.headers].filter(([name]) => !LEFT_OUT.has(name)))
    if (etag !== '') shown['etag'] = etag.replaceAll(/[\w-]{16,}/g, '…')
    seen.push({ method, path, status: response.status, headers: shown, answer: plain(parsed, origin) })
    return { status: response.status, etag, cursor: '', body: parsed }
  }
  return {
    ask,
    send: (method, path, body, headers = {}) =>
      ask(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

/** New products have numbers of the service's own. */
function plain(answer: { data?: Record<string, unknown>; type?: string } | undefined, origin: string): unknown {
  const { data } = answer ?? {}
  // of a bulk: a result per row
  if (Array.isArray(data)) return answer
  if (data === undefined) return { ...answer, type: answer?.type?.replace(origin, '') }
  const isNew = 'product_id' in data && !ids.includes(Number(data['product_id']))
  return {
    data: { ...data, ...(isNew ? { product_id: 'new' } : {}), ...('created_at' in data ? { created_at: '…' } : {}) },
  }
}

describe('the service and the fake', () => {
  test.each(WRITE_BEHAVIOURS.map(([name, run], i) => ({ name, run, i })))('$name', async ({ run, i }) => {
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
