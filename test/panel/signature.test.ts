import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkSignature } from '../../panel/webhooks/signature.ts'

const SECRET = 'whsec_5f1c'
const BODY = '{"event":"price","products":[{"id":1}],"title":"Grün"}'
const NOW = 1_780_000_000
const signed = (secret = SECRET, timestamp = NOW, body = BODY) => ({
  secret: SECRET,
  body: BODY,
  timestamp: String(timestamp),
  signature: `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
})

test('a signature is checked in the browser as a receiver checks it', async () => {
  expect(await checkSignature(signed(), NOW)).toBe('valid')
  expect(await checkSignature({ ...signed(), secret: ` ${SECRET}\n` }, NOW + 300)).toBe('valid')
  expect(await checkSignature(signed(), NOW + 301)).toBe('old')
  expect(await checkSignature(signed(SECRET, NOW + 301), NOW)).toBe('old')
  expect(await checkSignature(signed('whsec_other'), NOW)).toBe('other')
  expect(await checkSignature({ ...signed(), timestamp: String(NOW + 1) }, NOW)).toBe('other')
  // copied from a log, with its line end
  expect(await checkSignature({ ...signed(), body: `${BODY}\r\n` }, NOW)).toBe('valid')
  // a body that was parsed and serialized again differs
  expect(await checkSignature({ ...signed(), body: `${BODY} ` }, NOW)).toBe('other')
  expect(await checkSignature({ ...signed(), signature: 'sha256=12' }, NOW)).toBe('unreadable')
  expect(await checkSignature({ ...signed(), timestamp: 'now' }, NOW)).toBe('unreadable')
})
