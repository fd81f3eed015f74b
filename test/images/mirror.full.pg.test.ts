import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { urlHashOf } from '../../src/images/register/url-hash.ts'
import { checkImages } from '../../src/images/unused/check.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, giveOffers, offer, type Bench, type TestAccount, expectAudited } from '../harness/account.ts'
import { until } from '../harness/interleave.ts'
import { startReceiver } from '../harness/receiver.ts'
import { client, tokenFor } from '../harness/service.ts'
import { jpegBomb, picture, plainPicture, pngBomb } from './pictures.ts'
import {
  sendEndless,
  sendFile,
  sendSlowly,
  sendStatus,
  startPictureServer,
  type PictureAnswer,
} from './picture-server.ts'
import { directoryOfFile, ofFile, worldOfFile } from '../harness/world.ts'

// Every state of a picture, end to end: a supplier's server with every kind of answer, the whole service, and a client that reads
// payloads and the feed and receives webhooks.

const SHORT = { imageTotalTimeoutMs: 1_500, imageBytesMax: 2_000_000, mirrorHostRestMs: 60_000 }
const before = { ...LIMITS }

beforeAll(() => void Object.assign(LIMITS, SHORT))
const directory = directoryOfFile('mirror')
const { database, service } = worldOfFile({
  service: {
    roles: ['api', 'work'],
    env: {
      MIRROR: 'on',
      MIRROR_PER_SECOND: '1000',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      DATA_DIR: directory,
      WEBHOOKS_PER_SECOND: '1000',
    },
  },
})
const server = ofFile(startPictureServer)
const receiver = ofFile(startReceiver)
let account: TestAccount
let api: ReturnType<typeof client>

beforeAll(async () => {
  account = await createAccount(bench())
  api = client(service.url, await tokenFor(service.runtime, account.accountId, 'full'))
  await until('the address of pictures is set', async () => {
    const [row] = await database.db`select image_base from account_inputs where account_id = ${account.accountId}`
    return row?.['image_base'] === service.url
  })
})
afterAll(async () => {
  Object.assign(LIMITS, before)
})

const bench = (): Bench => service.runtime
let hosts = 0

/** A URL at a host of its own. */
const urlAt = (path: string) => `http://127.0.1.${++hosts}:${server.port}${path}`

interface Row {
  state: string
  reason: string | null
  hash: string | null
  width: number | null
}

async function rowOf(url: string, accountId = account.accountId): Promise<Row | undefined> {
  const [row] = await database.db<Row[]>`
    select state, reason, hash, width from image where account_id = ${accountId} and url_hash = ${urlHashOf(url)}`
  return row
}

/** Creates a product with these pictures. */
async function product(sku: string, images: readonly string[]): Promise<number> {
  const [id = 0] = await giveOffers(bench(), account, [offer(sku, { images })])
  return id
}

/** The URLs of a product's pictures in the API, after everything is shelved. */
async function shown(productId: number): Promise<string[]> {
  await service.runtime.shelf.drain(account.accountId)
  return (await api(`/v1/products/${productId}`)).body.data.images
}

/** Makes a picture due for another fetch now. */
async function again(url: string): Promise<void> {
  await database.db`
    update image set next_fetch_at = now() where account_id = ${account.accountId} and url_hash = ${urlHashOf(url)}`
  await database.db`update image_host set free_at = now(), failures = 0`
}

const untilState = (url: string, state: string, reason: string | null) =>
  until(`${url} is ${state}, ${reason}`, async () => {
    const row = await rowOf(url)
    return row?.state === state && row.reason === reason
  })

const ourUrl = (bytes: Uint8Array, extension: string) =>
  `${service.url}/images/${createHash('sha256').update(bytes).digest('hex')}.${extension}`

/** The products in the feed after a cursor, with the kind of their latest change. */
async function feedSince(cursor: { next_since: string; next_id: number }): Promise<Record<string, string>> {
  const { body } = await api(`/v1/changes?since=${encodeURIComponent(cursor.next_since)}&since_id=${cursor.next_id}`)
  return Object.fromEntries(
    body.changes.map((change: { product_id: number; change_type: string }) => [change.product_id, change.change_type]),
  )
}

describe('what comes of asking for a picture', () => {
  const html = Buffer.from('<!doctype html><title>Not found</title>')
  const cases: Record<
    string,
    {
      answer: () => Promise<PictureAnswer> | PictureAnswer
      state: string
      reason: string | null
      shown: 'original' | 'none'
    }
  > = {
    '404': { answer: () => sendStatus(404), state: 'dead', reason: 'not_found', shown: 'none' },
    '410': { answer: () => sendStatus(410), state: 'dead', reason: 'gone', shown: 'none' },
    '500': { answer: () => sendStatus(500), state: 'pending', reason: 'http_500', shown: 'original' },
    '403': { answer: () => sendStatus(403), state: 'pending', reason: 'http_403', shown: 'original' },
    'a redirect to a private address': {
      answer: () => sendStatus(301, { location: 'http://10.0.0.1/picture.png' }),
      state: 'pending',
      reason: 'blocked_address',
      shown: 'original',
    },
    'a redirect to a file of this machine': {
      answer: () => sendStatus(302, { location: 'file:///etc/passwd' }),
      state: 'pending',
      reason: 'protocol',
      shown: 'original',
    },
    'redirects without end': {
      answer: () => (response, request) => void response.writeHead(302, { location: `${request.url}` }).end(),
      state: 'pending',
      reason: 'redirects',
      shown: 'original',
    },
    'HTML with 200': {
      answer: () => sendFile(html, 'image/png'),
      state: 'dead',
      reason: 'unreadable_image',
      shown: 'none',
    },
    'an empty body': { answer: () => sendStatus(200), state: 'dead', reason: 'not_an_image', shown: 'none' },
    'an endless body': { answer: () => sendEndless, state: 'dead', reason: 'too_large', shown: 'none' },
    'a PNG of 60 megapixels': {
      answer: () => sendFile(pngBomb(10_000, 6_000)),
      state: 'dead',
      reason: 'too_many_pixels',
      shown: 'none',
    },
    'a JPEG that says it has 60 megapixels': {
      answer: async () => sendFile(await jpegBomb(10_000, 6_000), 'image/jpeg'),
      state: 'dead',
      reason: 'too_many_pixels',
      shown: 'none',
    },
    'a truncated JPEG': {
      answer: async () => {
        const bytes = await picture('jpeg')
        return sendFile(bytes.subarray(0, bytes.length / 2), 'image/jpeg')
      },
      state: 'dead',
      reason: 'unreadable_image',
      shown: 'none',
    },
    'a body that ends too early': {
      answer: async () => {
        const bytes = await picture('png')
        return (response) => {
          response.writeHead(200, { 'content-length': bytes.length })
          response.write(bytes.subarray(0, 100), () => response.destroy())
        }
      },
      state: 'pending',
      reason: 'reset',
      shown: 'original',
    },
    'a slow drip': {
      answer: async () => sendSlowly(await picture('png')),
      state: 'pending',
      reason: 'timeout',
      shown: 'original',
    },
    'a compressed body that was not asked for': {
      answer: () => sendStatus(200, { 'content-encoding': 'gzip' }, 'x'),
      state: 'pending',
      reason: 'protocol',
      shown: 'original',
    },
    '304 to a request without a condition': {
      answer: () => sendStatus(304),
      state: 'pending',
      reason: 'http_304',
      shown: 'original',
    },
  }

  test.each(Object.entries(cases))('%s', async (name, { answer, state, reason, shown: expected }) => {
    const path = `/case/${encodeURIComponent(name)}`
    server.answers.set(path, await answer())
    const url = urlAt(path)
    const id = await product(`C ${name}`, [url])
    await untilState(url, state, reason)
    expect(await shown(id)).toEqual(expected === 'none' ? [] : [url])
  })

  test('a picture: payload, feed and webhooks follow, and its bytes are stored', async () => {
    const bytes = await picture('png', { seed: 41 })
    server.answers.set('/good.png', sendFile(bytes, 'text/html'))
    await service.runtime.endpoints.create(account.accountId, {
      url: `${receiver.url}/hook`,
      kinds: ['content'],
      storeId: null,
    })
    const url = urlAt('/good.png')
    const hold = server.answers.get('/good.png')!
    const gate = Promise.withResolvers<void>()
    server.answers.set('/good.png', (...call) => void gate.promise.then(() => hold(...call)))
    const id = await product('GOOD', [url])
    expect(await shown(id)).toEqual([url])
    const head = (await api('/v1/changes?since=now')).body
    gate.resolve()
    await untilState(url, 'mirrored', null)
    expect(await shown(id)).toEqual([ourUrl(bytes, 'png')])
    expect(await feedSince(head)).toEqual({ [id]: 'content' })
    await until('the webhook', () =>
      Promise.resolve(receiver.received.some(({ productIds }) => productIds.includes(id))),
    )
    expect(await rowOf(url)).toMatchObject({ width: 320 })
    const served = await fetch(ourUrl(bytes, 'png'))
    expect(served.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true)
  })
})

test('a picture that goes on to fail for seven days is dead, and comes back to life with its source', async () => {
  const bytes = await picture('jpeg', { seed: 42 })
  server.answers.set('/days', sendStatus(500))
  const url = urlAt('/days')
  const id = await product('DAYS', [url])
  await untilState(url, 'pending', 'http_500')
  /** Makes it look as if every fetch for this many days had failed. */
  const days = async (count: number) => {
    const since = new Date(Date.now() - count * 86_400_000)
    await database.db`
      update image set failed_since = ${since}, failing_ms = ${count * 86_400_000}
      where account_id = ${account.accountId} and url_hash = ${urlHashOf(url)}`
  }
  await days(6)
  await again(url)
  await until('it was asked for again', async () => {
    const [row] = await database.db`select failures from image where url_hash = ${urlHashOf(url)}`
    return row?.['failures'] === 2
  })
  expect(await shown(id)).toEqual([url])
  await days(7)
  await again(url)
  await untilState(url, 'dead', 'http_500')
  expect(await shown(id)).toEqual([])
  server.answers.set('/days', sendFile(bytes))
  await again(url)
  await untilState(url, 'mirrored', null)
  expect(await shown(id)).toEqual([ourUrl(bytes, 'jpg')])
})

test('a changed picture under the same URL is noticed; an unchanged one is not sent again', async () => {
  const [first, second] = [await picture('webp', { seed: 43 }), await picture('webp', { seed: 44 })]
  server.answers.set('/changing', sendFile(first, 'image/webp', '"one"'))
  const url = urlAt('/changing')
  const id = await product('CHANGING', [url])
  await untilState(url, 'mirrored', null)
  expect(await shown(id)).toEqual([ourUrl(first, 'webp')])
  const asked = () => server.requests.filter(({ path }) => path === '/changing')
  expect(asked().map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([undefined])
  const head = (await api('/v1/changes?since=now')).body
  await again(url)
  await until('it was asked for again', () => Promise.resolve(asked().length === 2))
  await until('that was recorded', async () => {
    const [row] = await database.db`
      select next_fetch_at > now() + interval '6 days' as is_later, lease_id from image where url_hash = ${urlHashOf(url)}`
    return row?.['is_later'] === true && row['lease_id'] === null
  })
  expect(asked()[1]?.ifNoneMatch).toBe('"one"')
  expect(await shown(id)).toEqual([ourUrl(first, 'webp')])
  expect(await feedSince(head)).toEqual({})
  server.answers.set('/changing', sendFile(second, 'image/webp', '"two"'))
  const firstHash = (await rowOf(url))?.hash
  await again(url)
  await until('the other one is recorded', async () => (await rowOf(url))?.hash !== firstHash)
  expect(await shown(id)).toEqual([ourUrl(second, 'webp')])
  expect(await feedSince(head)).toEqual({ [id]: 'content' })
  // a picture that is no longer used is kept for a while
  const unused =
    await database.db`select hash from image_unused where account_id = ${account.accountId} and hash = ${firstHash ?? ''}`
  expect(unused).toHaveLength(1)
  // our copy is shown although its source says that it is gone
  server.answers.set('/changing', sendStatus(410))
  await again(url)
  await untilState(url, 'mirrored', 'gone')
  expect(await shown(id)).toEqual([ourUrl(second, 'webp')])
})

test('a redirect to a public picture is followed; the same bytes at two URLs are one picture', async () => {
  const bytes = await plainPicture(30, 20)
  server.answers.set('/target', sendFile(bytes))
  const target = urlAt('/target#front')
  server.answers.set('/moved', sendStatus(301, { location: target }))
  const moved = urlAt('/moved')
  const id = await product('MOVED', [moved, target])
  await untilState(moved, 'mirrored', null)
  await untilState(target.replace('#front', ''), 'mirrored', null)
  expect(await shown(id)).toEqual([ourUrl(bytes, 'png')])
})

test('the same URL is fetched once for all products of an account', async () => {
  const bytes = await plainPicture(31, 20)
  server.answers.set('/common', sendFile(bytes))
  const url = urlAt('/common')
  const ids = []
  for (const sku of ['ONE', 'TWO', 'THREE']) ids.push(await product(sku, [`${url}#${sku}`]))
  await untilState(url, 'mirrored', null)
  for (const id of ids) expect(await shown(id)).toEqual([ourUrl(bytes, 'png')])
  expect(server.requests.filter(({ path }) => path === '/common')).toHaveLength(1)
})

test('a host that answers 429 is left alone for as long as it asks', async () => {
  const url = urlAt('/busy')
  const other = url.replace('/busy', '/other')
  server.answers.set('/busy', sendStatus(429, { 'retry-after': '300' }))
  server.answers.set('/other', sendStatus(429, { 'retry-after': '300' }))
  await product('BUSY', [url, other])
  await until(
    'one was asked for',
    async () => (await rowOf(url))?.reason === 'http_429' || (await rowOf(other))?.reason === 'http_429',
  )
  await until('all slots of the host rest', async () => {
    const [host] = await database.db`
      select min(extract(epoch from free_at - now())) as rest from image_host where host = ${new URL(url).host}`
    return Number(host?.['rest']) > 280
  })
  // two slots may have sent a request at the same time, and no more follow
  const requests = () => server.requests.filter(({ host: asked }) => asked === new URL(url).host).length
  const soFar = requests()
  expect(soFar).toBeLessThanOrEqual(2)
  await until('the host has rested a while', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    return true
  })
  expect(requests()).toBe(soFar)
})

test('a picture that no product names any more is forgotten when it is due', async () => {
  const bytes = await plainPicture(32, 20)
  server.answers.set('/left', sendFile(bytes))
  const url = urlAt('/left')
  await product('LEFT', [url])
  await untilState(url, 'mirrored', null)
  const asked = () => server.requests.filter(({ path }) => path === '/left').length
  await giveOffers(bench(), account, [{ sku: 'LEFT', images: [] }])
  expect(await rowOf(url)).toMatchObject({ state: 'mirrored' })
  await again(url)
  await until('it is forgotten', async () => (await rowOf(url)) === undefined)
  expect(asked()).toBe(1)
})

test('explain, the fields of a product and the command name the state of each picture and why', async () => {
  const bytes = await plainPicture(33, 20)
  server.answers.set('/fine', sendFile(bytes))
  server.answers.set('/bad', sendStatus(500))
  const [fine, bad, gone] = [urlAt('/fine'), urlAt('/bad'), urlAt('/none')]
  const id = await product('EXPLAINED', [gone, bad, fine])
  await untilState(fine, 'mirrored', null)
  await untilState(bad, 'pending', 'http_500')
  await untilState(gone, 'dead', 'not_found')
  await service.runtime.shelf.drain(account.accountId)
  const states = [
    { url: gone, state: 'dead', reason: 'not_found', shown: null },
    { url: bad, state: 'pending', reason: 'http_500', shown: bad },
    { url: fine, state: 'mirrored', reason: null, shown: ourUrl(bytes, 'png') },
  ]
  const value = [bad, ourUrl(bytes, 'png')]
  const explained = (await api(`/v1/products/${id}/explain`)).body.data
  expect(explained.images).toMatchObject({ value, states })
  const fields = (await api(`/v1/account/products/${id}/fields`)).body.data
  expect(fields.images).toMatchObject({ value, states })
})

test('a store that has lost a picture: it is found, its original is shown, and it is fetched again', async () => {
  const bytes = await plainPicture(34, 20)
  server.answers.set('/lost', sendFile(bytes))
  const url = urlAt('/lost')
  const id = await product('LOST', [url])
  await untilState(url, 'mirrored', null)
  const { db, imageStore } = service.runtime
  await imageStore.remove((await rowOf(url))?.hash ?? '')
  const check = (repair: boolean) => checkImages(db, imageStore, [account.accountId], { repair })
  expect(await check(false)).toMatchObject({ lostTotal: 1, lost: [{ url, what: 'missing', repair: 'none' }] })
  const gate = Promise.withResolvers<void>()
  server.answers.set('/lost', (...call) => void gate.promise.then(() => sendFile(bytes)(...call)))
  expect(await check(true)).toMatchObject({ lostTotal: 1, lost: [{ url, repair: 'fetched again' }] })
  expect(await shown(id)).toEqual([url])
  gate.resolve()
  await untilState(url, 'mirrored', null)
  expect(await shown(id)).toEqual([ourUrl(bytes, 'png')])
  expect(await check(false)).toMatchObject({ lostTotal: 0 })
})

test('afterwards the audit is clean, and no file that was being fetched is left', async () => {
  await service.runtime.shelf.drain(account.accountId)
  await expectAudited(database.db, account.accountId)
  await until('nothing is being fetched', async () => (await readdir(join(directory, 'fetching'))).length === 0)
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  expect(metrics).toMatch(/shelfwire_image_fetches_total\{outcome="mirrored"\} \d+/)
  expect(metrics).toMatch(/shelfwire_image_stored_bytes [1-9]/)
})
