import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { bodyOf } from '../../src/webhooks/plan/body.ts'
import { sign, verifies } from '../../src/outbound/signature.ts'

// docs/examples/webhook-vectors.json is written only by this file (vitest -u); each signature in it is then computed again by our
// own code, by openssl and by Python.

const FILE = fileURLToPath(new URL('../../docs/examples/webhook-vectors.json', import.meta.url))

/** The input of a receiver and its expected result. `computed` is the right signature of secret, timestamp and body. */
interface Vector {
  name: string
  why: string
  valid: boolean
  secret: string
  timestamp: string | null
  now: number
  signature: string | null
  signature_next: string | null
  signature_previous: string | null
  computed: string
  body: string
  body_base64: string
}

const SECRET = 'whsec_PQ5y0c8TqzK1mXf3s7Vb2nLr9wEhUa4gDjYtRoIuCx0'
const OTHER = 'whsec_b7Hk2vZr5QxYt9LmNc3WpSd8FgJ1aE6uRoIyTqX0KzM'
const NOW = 1_770_000_000
const OCCURRED = '2026-02-02T02:39:58+00:00'

const body = bodyOf({ event: 'price', storeId: 7, productIds: [101, 102] }, OCCURRED)

type Given = Partial<Pick<Vector, 'timestamp' | 'signature' | 'signature_next' | 'signature_previous' | 'body'>>

function vector(name: string, valid: boolean, why: string, given: Given = {}): Vector {
  const { timestamp = String(NOW), body: text = body } = given
  const computed = sign(SECRET, timestamp ?? '', text)
  const { signature = computed, signature_next = null, signature_previous = null } = given
  const body_base64 = Buffer.from(text).toString('base64')
  return {
    name,
    why,
    valid,
    secret: SECRET,
    timestamp,
    now: NOW,
    signature,
    signature_next,
    signature_previous,
    computed,
    body: text,
    body_base64,
  }
}

function published(): Vector[] {
  const right = sign(SECRET, String(NOW), body)
  const at = (seconds: number) => ({ timestamp: String(NOW + seconds) })
  const flipped = body.replace('102', '103')
  return [
    vector('ordinary', true, 'as it is sent'),
    vector('all stores', true, 'store_id is null', {
      body: bodyOf({ event: 'removed', storeId: null, productIds: [9] }, OCCURRED),
    }),
    vector('test event', true, 'product_ids is empty', {
      body: bodyOf({ event: 'content', storeId: 7, productIds: [] }, OCCURRED),
    }),
    vector('unicode', true, 'letters of several bytes are signed as their UTF-8 bytes', {
      body: '{"title":"Żółw, größe, 日本語, e\u0301"}',
    }),
    vector('emoji', true, 'characters beyond the basic plane are four bytes each', { body: '{"title":"🔧 👩‍🔧"}' }),
    vector(
      'spaces and escapes',
      true,
      'the bytes are signed, not what they mean: parsed and written again this body is another',
      { body: '{ "b" : "\\u00e9\\/é" ,\r\n\t"a":1.0 }\n' },
    ),
    vector('empty body', true, '0 bytes; what is signed ends with the point', { body: '' }),
    vector('500 products', true, 'the largest delivery', {
      body: bodyOf(
        {
          event: 'content',
          storeId: 7,
          productIds: Array.from({ length: LIMITS.webhookProductsMax }, (_, i) => 100_000 + i * 7),
        },
        OCCURRED,
      ),
    }),
    vector('299 s old', true, 'within the 300 s', at(-299)),
    vector('299 s ahead', true, 'clocks differ both ways', at(299)),
    vector('301 s old', false, 'rightly signed, but too old', at(-301)),
    vector('301 s ahead', false, 'rightly signed, but too far ahead', at(301)),
    vector('one flipped bit', false, 'product 103 instead of 102', { body: flipped, signature: right }),
    vector('one byte more', false, 'a line end that was not sent', { body: `${body}\n`, signature: right }),
    vector('other timestamp', false, 'the timestamp is signed, too', { ...at(1), signature: right }),
    vector('other secret', false, 'signed with a secret that is not ours', {
      signature: sign(OTHER, String(NOW), body),
    }),
    vector('short signature', false, 'cut off; a comparison that wants equal lengths must not throw', {
      signature: right.slice(0, 40),
    }),
    vector('long signature', false, 'right, and something after it', { signature: `${right}00` }),
    vector('missing signature', false, 'the header was not sent', { signature: null }),
    vector('empty signature', false, 'the header is there and empty', { signature: '' }),
    vector('uppercase hex', false, 'the hex digits are lowercase', {
      signature: `sha256=${right.slice(7).toUpperCase()}`,
    }),
    vector('without prefix', false, 'sha256= is missing', { signature: right.slice(7) }),
    vector('other prefix', false, 'another algorithm’s name', { signature: right.replace('sha256=', 'sha512=') }),
    vector('junk signature', false, 'as many characters as a signature, but more bytes', {
      signature: 'ÿ'.repeat(right.length),
    }),
    vector('missing timestamp', false, 'the header was not sent', { timestamp: null }),
    vector('junk timestamp', false, 'rightly signed, but no number', { timestamp: 'soon' }),
    vector('timestamp in milliseconds', false, 'rightly signed, but it counts seconds', { timestamp: `${NOW}000` }),
    vector('rotation, old secret before the switch', true, 'X-Service-Signature is by the old secret still', {
      signature_next: sign(OTHER, String(NOW), body),
    }),
    vector('rotation, new secret before the switch', true, 'X-Service-Signature-Next is by the new secret', {
      signature: sign(OTHER, String(NOW), body),
      signature_next: right,
    }),
    vector('rotation, neither before the switch', false, 'both headers are there, neither is by our secret', {
      signature: sign(OTHER, String(NOW), body),
      signature_next: sign(`${OTHER}x`, String(NOW), body),
    }),
    vector('rotation, new secret', true, 'X-Service-Signature is by the new secret', {
      signature_previous: sign(OTHER, String(NOW), body),
    }),
    vector('rotation, old secret', true, 'X-Service-Signature-Previous is by the old secret', {
      signature: sign(OTHER, String(NOW), body),
      signature_previous: right,
    }),
    vector('rotation, neither', false, 'both headers are there, neither is by our secret', {
      signature: sign(OTHER, String(NOW), body),
      signature_previous: sign(`${OTHER}x`, String(NOW), body),
    }),
    vector('rotation, old secret, too old', false, 'the 300 s hold for every header', {
      ...at(-301),
      signature: null,
      signature_previous: sign(SECRET, String(NOW - 301), body),
    }),
  ]
}

test('the published vectors equal those made with src/outbound/signature.ts', async () => {
  await expect(`${JSON.stringify(published(), null, 2)}\n`).toMatchFileSnapshot(FILE)
})

const read = async () => JSON.parse(await readFile(FILE, 'utf8')) as Vector[]
const bytesOf = (vector: Vector) => Buffer.from(vector.body_base64, 'base64')
const signedBytes = (vector: Vector) => Buffer.concat([Buffer.from(`${vector.timestamp ?? ''}.`), bytesOf(vector)])

test('each vector is consistent', async () => {
  const vectors = await read()
  expect(new Set(vectors.map((vector) => vector.name)).size).toBe(vectors.length)
  for (const {
    name,
    valid,
    secret,
    timestamp,
    now,
    signature,
    signature_next: next,
    signature_previous: previous,
    computed,
    body,
    body_base64: base64,
  } of vectors) {
    const bytes = Buffer.from(base64, 'base64')
    expect(bytes.toString('utf8'), name).toBe(body)
    const isSigned = [signature, next, previous].some(
      (sent) => sent !== null && verifies(secret, timestamp ?? '', bytes, sent),
    )
    const isFresh = /^\d+$/.test(timestamp ?? '') && Math.abs(now - Number(timestamp)) <= LIMITS.webhookToleranceSeconds
    expect({ name, valid: isSigned && isFresh }).toEqual({ name, valid })
    expect(isSigned, name).toBe([signature, next, previous].includes(computed))
  }
})

function output(program: string, args: readonly string[], input: Uint8Array | string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

/** Registers a test that needs a program; without it the test is skipped, with the reason in its title. */
function testWith(program: string, versionArgument: string, name: string, run: () => Promise<void>): void {
  const isThere = spawnSync(program, [versionArgument]).status === 0
  test.skipIf(!isThere)(isThere ? name : `${name} (skipped: ${program} is not installed)`, run)
}

testWith('openssl', 'version', 'openssl computes the same signatures', async () => {
  for (const vector of await read()) {
    const printed = output('openssl', ['dgst', '-sha256', '-hmac', vector.secret], signedBytes(vector))
    expect({ name: vector.name, computed: `sha256=${printed.trim().split('= ')[1] ?? ''}` }).toEqual({
      name: vector.name,
      computed: vector.computed,
    })
  }
})

const PYTHON = `
import base64, hashlib, hmac, json, sys
for v in json.load(open(sys.argv[1], encoding="utf-8")):
    signed = (v["timestamp"] or "").encode() + b"." + base64.b64decode(v["body_base64"])
    print("sha256=" + hmac.new(v["secret"].encode(), signed, hashlib.sha256).hexdigest())
`

testWith('python3', '--version', 'Python computes the same signatures', async () => {
  const printed = output('python3', ['-c', PYTHON, FILE], '')
  expect(printed.trim().split('\n')).toEqual((await read()).map((vector) => vector.computed))
})
