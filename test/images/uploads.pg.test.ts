import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setImageBase } from '../../src/images/base/image-base.ts'
import { forgetUploads } from '../../src/images/uploads/forget.ts'
import { openRoom } from '../../src/images/mirror/room.ts'
import { registerImages } from '../../src/images/register/register.ts'
import { openUnfinished } from '../../src/objects/unfinished.ts'
import { openUploads } from '../../src/images/uploads/uploads.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { client, tokenFor } from '../harness/service.ts'
import { gifBomb, picture, pngBomb } from './pictures.ts'
import { startPictures, type PictureService } from './served-pictures.ts'

let pictures: PictureService
let account: TestAccount
let full: ReturnType<typeof client>
let names = 0
beforeAll(async () => {
  pictures = await startPictures()
  account = await createAccount(pictures.service.runtime, 'uploads')
  full = client(pictures.service.url, await tokenFor(pictures.service.runtime, account.accountId, 'full'))
})
afterAll(async () => {
  await pictures[Symbol.asyncDispose]()
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
    // served from elsewhere from now on; the product still names it by the URL that it was given
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
    // its bytes are kept for a backup that is restored
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
    const picture = await uploads.take(Buffer.from(await own()))
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
    const taken = await uploads.take(Buffer.from(await own()))
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

  test('is refused where there is no more room for pictures', async () => {
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
