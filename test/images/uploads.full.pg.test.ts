import { createHash, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { setImageBase } from '../../src/images/base/image-base.ts'
import { forgetUploads } from '../../src/images/uploads/forget.ts'
import { hostsOfNewImages, runClaim } from '../../src/images/mirror/claims.sql.ts'
import { failingNotice } from '../../src/images/mirror/notices.sql.ts'
import type { Outcome } from '../../src/images/mirror/state.ts'
import { urlHashOf } from '../../src/images/register/url-hash.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { noticesList } from '../../src/notices/notices.sql.ts'
import { leaseAs, pictureOf, recordAs, shownOf, turnMirrorOn } from '../harness/images.ts'
import { openRoom } from '../../src/images/mirror/room.ts'
import { registerImages } from '../../src/images/register/register.ts'
import { openUnfinished } from '../../src/objects/unfinished.ts'
import { openUploads } from '../../src/images/uploads/uploads.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { createAccount, giveOffers, offer, type TestAccount, expectAudited } from '../harness/account.ts'
import { client, tokenFor } from '../harness/service.ts'
import { gifBomb, picture, pngBomb } from './pictures.ts'
import { startPictures } from './served-pictures.ts'
import { ofFile } from '../harness/world.ts'

const pictures = ofFile(startPictures)
let account: TestAccount
let full: ReturnType<typeof client>
let names = 0
beforeAll(async () => {
  account = await createAccount(pictures.service.runtime, 'uploads')
  full = client(pictures.service.url, await tokenFor(pictures.service.runtime, account.accountId, 'full'))
})

const upload = (body: RequestInit['body'], type: string | null, headers: Record<string, string> = {}) =>
  full('/v1/account/images', {
    method: 'POST',
    body: body ?? null,
    headers: { ...(type === null ? {} : { 'content-type': type }), ...headers },
  })
const own = async (seed = ++names) => new Uint8Array(await picture('jpeg', { width: 50, height: 30, seed }))
const form = (...files: Uint8Array<ArrayBuffer>[]) => {
  const data = new FormData()
  files.forEach((bytes, i) => data.append('file', new Blob([bytes]), `a${i}.png`))
  return data
}
const texts = (values: Record<string, string>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.set(name, value)
  return data
}
const imagesOf = async (productId: number) =>
  (await full(`/v1/products/${productId}`)).body.data.images as readonly string[]

describe('an uploaded picture', () => {
  test('is answered with its URL, which serves it', async () => {
    const bytes = await own()
    const { status, body, headers } = await upload(bytes, 'image/jpeg')
    const hash = createHash('sha256').update(bytes).digest('hex')
    const path = `/images/${hash}.jpg`
    expect([status, body.data]).toEqual([
      201,
      { url: pictures.service.url + path, hash, type: 'image/jpeg', width: 50, height: 30, bytes: bytes.length },
    ])
    expect(headers.get('location')).toBe(path)
    expect((await pictures.get(path)).bytes.equals(bytes)).toBe(true)
  })

  test('may come in a form, and is told by its content', async () => {
    const bytes = await own()
    const { status, body } = await upload(form(bytes), null)
    expect([status, body.data.type]).toEqual([201, 'image/jpeg'])
    expect((await upload(bytes, 'image/png')).body.data).toEqual(body.data)
    expect((await upload(bytes, 'application/octet-stream')).body.data).toEqual(body.data)
  })

  test('is the same when it is sent again, by several at once, and by another account', async () => {
    const bytes = await own()
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload(bytes, 'image/jpeg')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    const other = await createAccount(pictures.service.runtime, `other${names}`)
    const token = await tokenFor(pictures.service.runtime, other.accountId, 'full')
    const theirs = await client(pictures.service.url, token)('/v1/account/images', {
      method: 'POST',
      body: bytes,
      headers: { 'content-type': 'image/jpeg' },
    })
    expect(theirs.body).toEqual(answers[0]?.body)
  })

  test('is shown by products that name it, in place of what suppliers have', async () => {
    const { runtime } = pictures.service
    await inTransaction(runtime.db, (tx) => setImageBase(tx, account.accountId, pictures.service.url))
    const { url } = (await upload(await own(), 'image/jpeg')).body.data
    await giveOffers(runtime, account, [offer('S-1', { images: ['https://supplier.example/a.jpg'] })])
    const [row] = await runtime.db<{ id: number }[]>`
      select product_id as id from product where account_id = ${account.accountId} order by product_id limit 1`
    const productId = row?.id ?? 0
    const patched = await full(`/v1/account/products/${productId}`, {
      method: 'PATCH',
      body: JSON.stringify({ images: [url] }),
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    expect(patched.status).toBe(200)
    expect(await imagesOf(productId)).toEqual([url])
    // the base URL changes; the product still names the picture by its earlier URL
    await inTransaction(runtime.db, (tx) => setImageBase(tx, account.accountId, 'https://cdn.example'))
    await runtime.shelf.drain(account.accountId)
    expect(await imagesOf(productId)).toEqual([url.replace(pictures.service.url, 'https://cdn.example')])
    expect((await auditAccount(runtime.db, account.accountId)).differences).toEqual([])
  })

  test('with an Idempotency-Key is answered once', async () => {
    const bytes = await own()
    const key = { 'idempotency-key': 'picture-1' }
    const first = await upload(bytes, 'image/jpeg', key)
    const again = await upload(bytes, 'image/jpeg', key)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    expect((await upload(await own(), 'image/jpeg', key)).body.code).toBe('idempotency-key-reused')
  })

  test('that no product names is forgotten after 30 days, and not before', async () => {
    const { db } = pictures.service.runtime
    const { accountId } = await createAccount(pictures.service.runtime, 'forgetful')
    const token = await tokenFor(pictures.service.runtime, accountId, 'full')
    const send = async () =>
      client(pictures.service.url, token)('/v1/account/images', {
        method: 'POST',
        body: await own(),
        headers: { 'content-type': 'image/jpeg' },
      })
    const { hash } = (await send()).body.data
    await send()
    const known = async () => (await db`select from image where account_id = ${accountId}`).length
    expect([await forgetUploads(db, accountId), await known()]).toEqual([0, 2])
    await db`update image set fetched_at = now() - interval '31 days' where account_id = ${accountId} and hash = ${hash}`
    expect([await forgetUploads(db, accountId), await known()]).toEqual([1, 1])
    // its bytes are kept for a while, in case a backup is restored
    expect(await db`select hash from image_unused where account_id = ${accountId}`).toEqual([{ hash }])
    expect((await pictures.get(`/images/${hash}.jpg`)).status).toBe(200)
  })
})

describe('an upload and who removes pictures', () => {
  const withUploads = () => {
    const { runtime } = pictures.service
    return openUploads({
      store: runtime.imageStore,
      decoders: runtime.decoders,
      unfinished: openUnfinished(join(pictures.dataDir, 'image-uploads')),
      base: () => pictures.service.url,
      room: openRoom(runtime.db, null),
      log: runtime.log,
    })
  }

  test('is not recorded when its bytes were removed meanwhile', async () => {
    const { db, imageStore } = pictures.service.runtime
    const uploads = withUploads()
    const picture = await uploads.take(Buffer.from(await own()), { key: account.accountId })
    await imageStore.remove(picture.hash)
    const outcome = await inTransaction(db, (tx) => uploads.record(tx, account.accountId, picture)).catch(
      (error: Error) => error.message,
    )
    expect(outcome).toContain('cannot be stored now')
    expect(await db`select from image where hash = ${picture.hash}`).toHaveLength(0)
  })

  test('that a product begins to name while it is forgotten stays', async () => {
    const { db } = pictures.service.runtime
    const naming = await createAccount(pictures.service.runtime, 'naming')
    const { accountId } = naming
    await giveOffers(pictures.service.runtime, naming, [offer('N-1', {})])
    const [product] = await db<{ id: number }[]>`select product_id as id from product where account_id = ${accountId}`
    const uploads = withUploads()
    const taken = await uploads.take(Buffer.from(await own()), { key: account.accountId })
    const url = await inTransaction(db, (tx) => uploads.record(tx, accountId, taken))
    await db`update image set fetched_at = now() - interval '31 days' where account_id = ${accountId}`
    let forgetting: Promise<number> | undefined
    await inTransaction(db, async (tx) => {
      await registerImages(tx, accountId, new Map([[product?.id ?? 0, new Set([url])]]))
      forgetting = forgetUploads(db, accountId)
      forgetting.catch(() => {})
      await expect.poll(() => pictures.database.isBlocked()).toBe(true)
    })
    expect(await forgetting?.catch((error: Error) => error.message)).toBe(0)
    expect(await db`select state from image where account_id = ${accountId}`).toEqual([{ state: 'mirrored' }])
  })
})

describe('what is sent and refused', () => {
  test.each<[string, () => Promise<Uint8Array<ArrayBuffer> | FormData | string>, string | null, number, string]>([
    ['nothing', async () => '', 'image/png', 422, 'invalid-input'],
    ['HTML', async () => '<html><script>alert(1)</script></html>', 'image/png', 422, 'invalid-input'],
    ['a picture that is cut off', async () => (await own()).slice(0, 600), 'image/jpeg', 422, 'invalid-input'],
    ['too many pixels', async () => new Uint8Array(pngBomb(60_000, 60_000, 10)), 'image/png', 422, 'invalid-input'],
    ['too many frames', async () => new Uint8Array(gifBomb(2_000, 2_000, 126)), 'image/gif', 422, 'invalid-input'],
    [
      'an SVG with a script',
      async () => '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
      'image/svg+xml',
      422,
      'invalid-input',
    ],
    ['a form without a file', async () => form(), null, 422, 'invalid-input'],
    ['a form with two files', async () => form(await own(), await own()), null, 422, 'invalid-input'],
    ['a form with a text for a file', async () => texts({ file: 'x' }), null, 422, 'invalid-input'],
    ['a form with other fields', async () => texts({ title: 'x' }), null, 422, 'invalid-input'],
    ['a form that is none', async () => 'x', 'multipart/form-data; boundary=y', 400, 'bad-request'],
    ['a form without a boundary', async () => 'x', 'multipart/form-data', 400, 'bad-request'],
    ['JSON', async () => '{"url": "https://example.com/a.jpg"}', 'application/json', 415, 'unsupported-media-type'],
    ['text', async () => 'x', 'text/plain', 415, 'unsupported-media-type'],
    ['more than 25 MB', async () => new Uint8Array(25_100_000), 'image/png', 413, 'payload-too-large'],
    ['more than 25 MB in a form', async () => form(new Uint8Array(25_010_000)), null, 422, 'invalid-input'],
  ])('%s: is told why', async (_, body, type, status, code) => {
    const answer = await upload(await body(), type)
    expect([answer.status, answer.body?.code]).toEqual([status, code])
    expect(answer.body.detail.length).toBeGreaterThan(10)
  })

  test('needs a token with full access', async () => {
    const { service } = pictures
    const connector = client(service.url, await tokenFor(service.runtime, account.accountId, 'connector'))
    for (const [call, status] of [
      [client(service.url, null), 401],
      [connector, 403],
    ] as const) {
      const answer = await call('/v1/account/images', {
        method: 'POST',
        body: await own(),
        headers: { 'content-type': 'image/jpeg' },
      })
      expect(answer.status).toBe(status)
    }
  })

  test('is refused if there is no more room for pictures', async () => {
    await using full = await startPictures({ IMAGE_STORE_GB: '1' })
    const { runtime, url } = full.service
    const { accountId } = await createAccount(runtime, 'full')
    await runtime.db`insert into image (account_id, url_hash, url, host, state, hash, type, bytes)
      values (${accountId}, gen_random_uuid(), 'https://a.example/x', 'a.example', 'mirrored', ${'0'.repeat(64)}, 'image/png', 1000000000)`
    const answer = await client(url, await tokenFor(runtime, accountId, 'full'))('/v1/account/images', {
      method: 'POST',
      body: await own(),
      headers: { 'content-type': 'image/jpeg' },
    })
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    expect(await runtime.db`select from image where account_id = ${accountId}`).toHaveLength(1)
  })

  test('leaves no file behind', () => {
    expect(readdirSync(join(pictures.dataDir, 'image-uploads'))).toEqual([])
  })
})

describe('a copy whose source fails', () => {
  const GONE = { kind: 'gone', reason: 'not_found' } as const
  let failing: TestAccount
  let api: ReturnType<typeof client>
  const url = (host: string, name: string) => `https://${host}.example/${name}.png`
  /** Products of one supplier with these pictures, all of which are mirrored. */
  const copied = async (urls: readonly string[], supplier = 0) => {
    const records = urls.map((image) => offer(`F${++names}`, { images: [image] }))
    const ids = await giveOffers(pictures.service.runtime, failing, records, supplier)
    await record(urls, (image) => pictureOf(image))
    await pictures.service.runtime.shelf.drain(failing.accountId)
    return ids
  }
  const db = () => pictures.service.runtime.db
  const record = (urls: readonly string[], outcomeOf: (image: string) => Outcome) =>
    inTransaction(db(), async (tx) => {
      for (const image of urls) await recordAs(tx, failing.accountId, image, outcomeOf(image))
    })
  /** Records a failed check, this many days ago. */
  const fail = async (urls: readonly string[], days: number) => {
    await record(urls, () => GONE)
    await db()`
      update image set failed_since = now() - make_interval(days => ${days})
      where account_id = ${failing.accountId} and url_hash = any(${urls.map(urlHashOf)}::uuid[])`
  }
  const tell = (host: string) =>
    inTransaction(db(), (tx) => failingNotice(tx, failing.accountId, `${host}.example`, LIMITS.imageToldAfterHours))
  const found = async () => (await api('/v1/account/findings')).body.data.pictures_failing
  const send = (method: string, path: string, body: unknown) =>
    api(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  const adopt = (body: unknown) => send('POST', '/v1/account/images/adopt', body)
  const kept = async (image: string) => {
    const [row] = await db()`
      select state, next_fetch_at, adopted_at is not null as is_adopted, failures from image
      where account_id = ${failing.accountId} and url_hash = ${urlHashOf(image)}`
    return row
  }
  const ADOPTED = { state: 'mirrored', next_fetch_at: null, is_adopted: true, failures: 0 }
  beforeAll(async () => {
    failing = await createAccount(pictures.service.runtime, 'failing')
    await turnMirrorOn(db(), failing.accountId)
    api = client(pictures.service.url, await tokenFor(pictures.service.runtime, failing.accountId, 'full'))
  })

  test('is found and told of from the third day on, and stays in the payload', async () => {
    const [early, late] = [url('one', 'early'), url('one', 'late')]
    const [id = 0] = await copied([early, late])
    const before = (await api(`/v1/products/${id}`)).body.data.images
    expect(before).toEqual([shownOf(early)])
    await fail([early], 1)
    expect([await found(), await tell('one')]).toEqual([[], false])
    await fail([early, late], 2)
    const [first, second, ...others] = await found()
    expect(others).toEqual([])
    expect([first.image, second.image].toSorted()).toEqual([early, late])
    const named = first.image === early ? first : second
    expect(named).toMatchObject({ suppliers: ['north'], product_ids: [id], looks: 2, reasons: ['not_found'] })
    expect(await tell('one')).toBe(true)
    expect(await tell('one')).toBe(false)
    expect((await api(`/v1/products/${id}`)).body.data.images).toEqual(before)
    const [notice] = await noticesList(db(), failing.accountId, { limit: 1 })
    expect(notice).toMatchObject({ kind: 'images_failing', facts: { host: 'one.example', pictures: 2, adopts: false } })
    // a few more failures send no notice, twice as many do
    const more = ['a', 'b', 'c'].map((name) => url('one', name))
    await copied(more)
    await fail(more.slice(0, 2), 2)
    expect(await tell('one')).toBe(false)
    await fail(more, 2)
    expect(await tell('one')).toBe(false)
    // a successful check ends the series
    await record([early, late, ...more], (image) => pictureOf(image))
    expect(await found()).toEqual([])
    await fail([early], 2)
    expect(await tell('one')).toBe(true)
    await record([early], (image) => pictureOf(image))
  })

  test('can be adopted, one, a supplier’s or all; it is never fetched again, and nothing else changes', async () => {
    const [a, b, c, d] = [`${url('two', 'a')}#front`, url('two', 'b'), url('two', 'c'), url('two', 'd')]
    const key = (image: string) => image.replace('#front', '')
    const [id = 0] = await copied([key(a), b, d])
    await copied([c], 1)
    await fail([key(a), b, c], 5)
    const { next_since: since, next_id: at } = (await api('/v1/changes?since=now')).body
    expect((await adopt({ image: a })).body.data).toEqual({ adopted: 1, is_more: false })
    expect(await kept(key(a))).toEqual(ADOPTED)
    // another account cannot change anything of it
    for (const body of [{ image: b }, { supplier: 'north' }, { all: true }])
      await full('/v1/account/images/adopt', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
    expect(await kept(b)).toMatchObject({ is_adopted: false, failures: 1 })
    expect((await adopt({ image: a })).body.data).toEqual({ adopted: 0, is_more: false })
    expect((await adopt({ supplier: 'south' })).body.data.adopted).toBe(1)
    expect([await kept(b), await kept(c)]).toMatchObject([{ is_adopted: false }, ADOPTED])
    expect((await adopt({ all: true })).body.data.adopted).toBe(1)
    expect([await kept(b), await kept(d)]).toMatchObject([ADOPTED, { is_adopted: false }])
    expect(await found()).toEqual([])
    // the result of a fetch that was in flight is no longer recorded
    const lease = await inTransaction(db(), (tx) => leaseAs(tx, failing.accountId, d))
    await adopt({ image: d })
    await inTransaction(db(), (tx) => recordAs(tx, failing.accountId, d, GONE, lease))
    expect(await kept(d)).toEqual(ADOPTED)
    await pictures.service.runtime.shelf.drain(failing.accountId)
    expect((await api(`/v1/products/${id}`)).body.data.images).toEqual([shownOf(key(a))])
    const { changes } = (await api(`/v1/changes?since=${encodeURIComponent(since)}&since_id=${at}`)).body
    expect(changes).toEqual([])
    await expectAudited(db(), failing.accountId)
  })

  test('is adopted automatically in the end if the account is set so', async () => {
    const image = url('three', 'a')
    const [id = 0] = await copied([image])
    const end = async () => {
      await db()`
        update image set failures = 60, failed_since = now() - interval '31 days', looked_at = now() - interval '12 hours',
          failing_ms = ${29.6 * 86_400_000}
        where account_id = ${failing.accountId} and url_hash = ${urlHashOf(image)}`
      await record([image], () => GONE)
    }
    expect((await send('PATCH', '/v1/account', { adopt_images: true })).status).toBe(200)
    await end()
    expect(await kept(image)).toEqual(ADOPTED)
    expect((await send('PATCH', '/v1/account', { adopt_images: null })).body.data.adopt_images).toBe(false)
    await record([image], (shown) => pictureOf(shown))
    await end()
    expect(await kept(image)).toMatchObject({ state: 'dead' })
    await pictures.service.runtime.shelf.drain(failing.accountId)
    expect((await api(`/v1/products/${id}`)).body.data.images).toEqual([])
  })

  test.each([
    ['nothing', {}, 'exactly one of image, supplier and all'],
    ['two of them', { image: 'https://a.example', all: true }, 'exactly one of image, supplier and all'],
    ['a picture without a copy', { image: 'https://nowhere.example/a.png' }, 'no copy of this picture'],
    ['an unknown supplier', { supplier: 'nobody' }, 'no supplier "nobody"'],
  ])('is not adopted by %s', async (_, body, detail) => {
    const refused = await adopt(body)
    expect(refused.status).toBeGreaterThanOrEqual(404)
    expect(refused.body.detail).toContain(detail)
  })

  test('waits while a new picture of its server, or of another one, is asked for', async () => {
    const old = ['a', 'b', 'c'].map((name) => url('four', name))
    await copied(old)
    await db()`
      update image set next_fetch_at = now() - interval '2 days' where account_id = ${failing.accountId} and host = 'four.example'`
    const fresh = [url('four', 'new'), url('zz', 'new')]
    await giveOffers(pictures.service.runtime, failing, [offer(`F${++names}`, { images: fresh })])
    expect(await hostsOfNewImages(db(), failing.accountId, 200)).toEqual(['four.example', 'zz.example'])
    const claims = (limit: number) =>
      inTransaction(db(), (tx) => runClaim(tx, failing.accountId, 'four.example', limit, randomUUID(), 1_000_000))
    expect((await claims(1)).map((claim) => claim.url)).toEqual([fresh[0]])
    expect((await claims(20)).map((claim) => claim.url).toSorted()).toEqual(old)
    expect(await hostsOfNewImages(db(), failing.accountId, 200)).toEqual(['zz.example'])
  })
})
