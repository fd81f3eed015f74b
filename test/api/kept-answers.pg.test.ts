import { expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount } from '../harness/account.ts'
import { client, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// The storage of answers that are kept under Idempotency-Keys, and its bound.

Object.assign(LIMITS, { keptAnswerShortBytes: 1_000, keptAnswersBytesAtOnce: 12_000, keptAnswersBytesPerSecond: 0.001 })
const { database, service } = worldOfFile({ service: {} })

async function writer(name: string) {
  const { accountId } = await createAccount(service.runtime, name)
  const http = client(service.url, await tokenFor(service.runtime, accountId, 'full'))
  const send = (method: string, path: string, body: unknown, key: string) =>
    http(`/v1/account${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    })
  const kept = async () => {
    const [row] = await database.db<{ bytes: number }[]>`
      select sum(octet_length(body))::int as bytes from idempotency_key where account_id = ${accountId}`
    return row?.bytes ?? 0
  }
  return { http, send, kept }
}
const manufacturers = Array.from({ length: 500 }, (_, i) => `Manufacturer ${i}`)
const LONG = { name: 'R', action: 'markup', percent: '5', manufacturers }

test('long answers are kept as far as the account has room, and each write is made once all the same', async () => {
  const { http, send, kept } = await writer('long answers')
  const first = await send('POST', '/pricing-rules', LONG, 'first')
  expect([first.status, first.text.length > 8_000]).toEqual([201, true])
  const second = await send('POST', '/pricing-rules', LONG, 'second')
  expect([second.status, second.body.data]).toMatchObject([201, { manufacturers }])
  const again = await send('POST', '/pricing-rules', LONG, 'first')
  expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true'])
  const notKept = await send('POST', '/pricing-rules', LONG, 'second')
  expect([notKept.status, notKept.headers.get('content-type'), notKept.headers.get('idempotent-replayed')]).toEqual([
    409,
    'application/problem+json',
    'true',
  ])
  expect(notKept.body).toMatchObject({
    code: 'conflict',
    type: expect.stringMatching(/^http.*#conflict$/),
    detail: expect.stringMatching(/^this write was made .* answer of \d+ bytes was not kept/),
  })
  const rules = (await http('/v1/account/pricing-rules')).body.data as { name: string }[]
  expect(rules.filter(({ name }) => name === 'R')).toHaveLength(2)
  // a different request with the same key is still refused
  expect((await send('POST', '/pricing-rules', { ...LONG, percent: '6' }, 'second')).body.code).toBe(
    'idempotency-key-reused',
  )
  // short answers are always kept
  const short = await send('POST', '/groups', { name: 'G' }, 'short')
  expect((await send('POST', '/groups', { name: 'G' }, 'short')).text).toBe(short.text)
  expect(await kept()).toBeLessThan(first.text.length + 2_000)
})

test('no other account has less room', async () => {
  const { send } = await writer('room of another')
  const first = await send('POST', '/pricing-rules', LONG, 'first')
  expect((await send('POST', '/pricing-rules', LONG, 'first')).text).toBe(first.text)
})
