import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeShelfwire, Listening } from '../../client/src/testing/fake-shelfwire.ts'
import { createToken } from '../../src/accounts/create-token.ts'
import { newToken } from '../../src/accounts/token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { offer } from '../harness/account.ts'
import { tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import type { Ask, Asked, Known } from './behaviour.ts'
import { BEHAVIOURS } from './fake-behaviours.ts'
import { fakeOfService } from './fake-of-service.ts'

// The fake of @shelfwire/client/testing behaves like the service: the same requests give the same answers, byte for byte, and headers.

const SKUS = Array.from({ length: 40 }, (_, i) => `A${String(i).padStart(2, '0')}`)
const EAN = '4006381333931'
const { service, account, ids, http } = worldOfFile({
  service: {},
  account: 'acme',
  products: SKUS.map((sku, i) =>
    offer(sku, {
      cost: i % 9 === 8 ? null : `${i + 1}.05`,
      quantity: i,
      ...(i === 4 ? { eans: [EAN] } : {}),
      texts: {
        ...(i === 5
          ? {}
          : { en: { title: `Article ${sku} «…»,"prices":[`, description: `"\\ \u2028 ${'long '.repeat(i)}` } }),
        ...(i % 3 === 0 ? { de: { title: `Artikel ${sku} größer` } } : {}),
      },
      ...(i < 12
        ? {
            group: {
              key: `G${i % 3}`,
              title: { en: `Group ${i % 3}` },
              options: [{ key: 'size', label: null, value: `${i % 4}` }],
              position: 12 - i,
            },
          }
        : {}),
    }),
  ),
})

let fake: FakeShelfwire
let listening: Listening
let known: Known
let token: string

beforeAll(async () => {
  for (const path of ['Tools', 'Tools/Hand tools', 'Garden']) {
    const { status } = await http('/v1/account/categories', {
      method: 'POST',
      body: JSON.stringify({ path, names: { de: `${path} > deutsch` } }),
      headers: { 'content-type': 'application/json', prefer: 'wait=10' },
    })
    expect(status).toBe(201)
  }
  token = await tokenFor(service.runtime, account.accountId, 'connector')
  const withoutAccount = await tokenFor(service.runtime, null, 'connector')
  const unknown = newToken('connector')
  const { token: withoutCosts } = await inTransaction(service.runtime.db, (tx) =>
    createToken(tx, { accountId: account.accountId, access: 'connector', seesCosts: false }),
  )
  fake = await fakeOfService(service.url, token, {
    [token]: 'connector',
    [withoutCosts]: 'connector-without-costs',
    [withoutAccount]: 'without-account',
    [unknown]: 'revoked',
  })
  listening = await fake.listen()
  const { body } = await http('/v1/groups')
  const { body: first } = await http(`/v1/products/${ids[0]}`)
  known = {
    ids,
    groupId: body.data[1].id as number,
    ean: EAN,
    slug: String(first.data.slug),
    tokens: { withoutCosts, withoutAccount, unknown },
  }
})
afterAll(() => listening?.close())

/** Headers that are not compared: those of the connection, and the ETag of a list, which both compute differently. */
const LEFT_OUT = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'x-request-id',
  'etag',
])

/** A text with the feed's numbers and times replaced, which differ between the two. */
const plain = (text: string, origin: string) =>
  text
    .replaceAll(origin, 'ORIGIN')
    .replaceAll(/"(next_since|next_id)":("[^"]*"|\d+)/g, '"$1":"…"')
    .replaceAll(/"(as_of|equal_as_of|differs_since|told_at)":"[^"]*"/g, '"$1":"…"')
    .replaceAll(/("change_types":\[[^\]]*\],"created_at":)"[^"]*"/g, '$1"…"')

function openAsk(base: string, send: typeof fetch, seen: unknown[]): Ask {
  const origin = base.replace(/\/v1$/, '')
  return async (path, { method = 'GET', headers = {}, body: sent = null } = {}): Promise<Asked> => {
    const place = seen.push(undefined) - 1
    const own = { 'accept-encoding': 'identity', authorization: `Bearer ${token}`, ...headers }
    const response = await send(`${base}${path}`, { method, headers: own, body: sent })
    const text = await response.text()
    const etag = response.headers.get('etag') ?? ''
    const shown = Object.fromEntries([...response.headers].filter(([name]) => !LEFT_OUT.has(name)))
    for (const name of ['shelfwire-next-since', 'shelfwire-next-id']) if (name in shown) shown[name] = '…'
    const isOwnRequest =
      headers['x-request-id'] === undefined || response.headers.get('x-request-id') === headers['x-request-id']
    seen[place] = {
      path: path.replaceAll(/since=[^&]*|since_id=[^&]*/g, '…'),
      method,
      status: response.status,
      headers: shown,
      etag: etag.replaceAll(/[\w-]{16,}/g, '…').replaceAll(/\d+/g, 'N'),
      isOwnRequest,
      hasRequestId: response.headers.has('x-request-id'),
      text: plain(text, origin),
    }
    const isObject = /^application\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '')
    const body = isObject && text.startsWith('{') ? JSON.parse(text) : undefined
    const since = body?.next_since ?? response.headers.get('shelfwire-next-since')
    const id = body?.next_id ?? response.headers.get('shelfwire-next-id')
    return { status: response.status, etag, cursor: `since=${encodeURIComponent(since)}&since_id=${id}`, body }
  }
}

describe('the service and the fake', () => {
  test.each(BEHAVIOURS.map(([name, run]) => ({ name, run })))('$name', async ({ run }) => {
    const observe = async (base: string, send: typeof fetch) => {
      const seen: unknown[] = []
      const said = await run(openAsk(base, send, seen), known)
      return { seen, said }
    }
    const [real, inMemory] = await Promise.all([
      observe(`${service.url}/v1`, fetch),
      observe(`${fake.url}/v1`, fake.fetch),
    ])
    // over HTTP from the same fake, whose long polls share a limit
    const atAddress = await observe(`${listening.url}/v1`, fetch)
    expect(real.seen.length).toBeGreaterThan(0)
    expect(inMemory).toEqual(real)
    expect(atAddress).toEqual(real)
  })
})
