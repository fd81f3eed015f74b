import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { giveOffers, offer } from '../harness/account.ts'
import { dial } from '../harness/raw-request.ts'
import { tokenFor } from '../harness/service.ts'
import { open, service, setUp } from './read-account.ts'

// Large lists, by every route and encoding. An account has one place for them here: an answer that did not free its place
// would block the next one for ever.

type Changed =
  | 'largeAnswerCharacters'
  | 'largeAnswersBytesPerAccountMax'
  | 'largeAnswersBytesMax'
  | 'answerUnreadMs'
  | 'requestTimeoutCheckMs'
const limits: Record<Changed, number> = LIMITS
const before = { ...limits }
Object.assign(limits, { largeAnswersBytesPerAccountMax: 1_000, largeAnswersBytesMax: 2_000 })
afterAll(() => Object.assign(limits, before))
setUp()

/** Runs `work` while answers count as large from this many characters on. */
async function largeFrom<T>(characters: number, work: () => Promise<T>): Promise<T> {
  limits.largeAnswerCharacters = characters
  try {
    return await work()
  } finally {
    limits.largeAnswerCharacters = before.largeAnswerCharacters
  }
}

test('a list is the same answer, whether it is large or not: by every path, coding and way of asking', async () => {
  const { account, get } = await open()
  const ids = await giveOffers(
    service.runtime,
    account,
    Array.from({ length: 30 }, (_, i) =>
      offer(`A${i}`, {
        texts: { en: { title: `Größe ${i} €`, description: `<p>😀 ${'ü'.repeat(1_500)}</p>` }, pl: { title: 'Łódź' } },
        group: {
          key: `g${i % 3}`,
          title: { en: 'G' },
          options: [{ key: 'size', label: null, value: `${i}` }],
          position: i,
        },
      }),
    ),
  )
  // fails instead of waiting for ever after an answer that did not free its place
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await Promise.race([get(path, init), sleep(10_000, null, { ref: false })])
    expect(answer, `${path} waits for ever`).not.toBeNull()
    return answer!
  }
  const [{ id: group }] = (await get('/v1/groups')).body.data
  const paths = [
    '/v1/products?per_page=200',
    '/v1/products?after_id=3',
    `/v1/products?ids=${ids.join()}`,
    '/v1/products?per_page=200&fields=title,description',
    '/v1/products?per_page=200&locales=all',
    '/v1/products?sku=A1',
    '/v1/prices?per_page=200',
    `/v1/products/${ids[0]}?locales=all`,
    '/v1/changes?expand=products',
    '/v1/changes?expand=products&fields=title',
    '/v1/changes?expand=products&wait=1',
    '/v1/groups',
    `/v1/groups/${group}`,
  ]
  // plain requests, and those that Node's HTTP server reads
  const ways = ['identity', 'gzip', 'br'].flatMap((coding) =>
    [{}, { te: 'trailers' }].map((more) => ({ 'accept-encoding': coding, ...more })),
  )
  for (const path of paths)
    for (const headers of ways) {
      const small = await get(path, { headers })
      expect([path, small.status]).toEqual([path, 200])
      await largeFrom(10, async () => {
        const large = await ask(path, { headers })
        expect([path, large.status, large.text]).toEqual([path, 200, small.text])
        for (const name of ['etag', 'content-type', 'content-encoding'])
          expect([path, large.headers.get(name)]).toEqual([path, small.headers.get(name)])
        const known = { ...headers, 'if-none-match': large.headers.get('etag')! }
        expect([path, (await ask(path, { headers: known })).status]).toEqual([path, 304])
        expect([path, (await ask(path, { method: 'HEAD', headers })).status]).toEqual([path, 200])
      })
    }
  // several at once, one after the other
  await largeFrom(10, async () => {
    const answers = await Promise.all(paths.flatMap((path) => ways.map((headers) => ask(path, { headers }))))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    // clients that disconnect before their answer
    const token = await tokenFor(service.runtime, account.accountId)
    for (const header of ['', 'TE: trailers\r\n'])
      for (let i = 0; i < 5; i++) {
        const gone = dial(service.url).on('error', () => {})
        const closed = once(gone, 'close')
        gone.write(`GET ${paths[0]} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${header}\r\n`, () =>
          gone.destroy(),
        )
        await closed
        expect((await ask(paths[0]!)).status).toBe(200)
      }
  })
})

test.each([
  ['a plain', ''],
  ['an unusual', 'TE: trailers\r\n'],
])(
  'a large answer to %s request that nobody reads keeps its account’s next one waiting until its connection is closed, and nobody else',
  async (_request, header) => {
    const { account, get } = await open()
    const other = await open('other')
    await giveOffers(
      service.runtime,
      account,
      Array.from({ length: 100 }, (_, i) =>
        offer(`A${i}`, { texts: { en: { title: `${i}`, description: 'd'.repeat(190_000) } } }),
      ),
    )
    await giveOffers(service.runtime, other.account, [offer('B')])
    const token = await tokenFor(service.runtime, account.accountId)
    const path = '/v1/products?per_page=200'
    Object.assign(limits, { answerUnreadMs: 3_000, requestTimeoutCheckMs: 100 })
    const unread = dial(service.url).on('error', () => {})
    let isClosed = false
    unread.once('close', () => (isClosed = true))
    unread.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nAccept-Encoding: identity\r\n${header}\r\n`,
    )
    await new Promise((resolve) => unread.once('readable', resolve))
    let isAnswered = false
    const next = get(path).then(({ status, body }) => {
      isAnswered = true
      return [status, body.data.length]
    })
    // small lists of the same account, and large ones of another
    expect((await get('/v1/products?per_page=1&fields=sku')).status).toBe(200)
    await largeFrom(10, async () => expect((await other.get(path)).status).toBe(200))
    expect([isAnswered, isClosed]).toEqual([false, false])
    expect(await next).toEqual([200, 100])
    unread.destroy()
    Object.assign(limits, {
      answerUnreadMs: before.answerUnreadMs,
      requestTimeoutCheckMs: before.requestTimeoutCheckMs,
    })
  },
)
