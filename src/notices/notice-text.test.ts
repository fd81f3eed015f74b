import { describe, expect, it, test } from 'vitest'
import { addressShown, noticeText } from './notice-text.ts'

const facts = {
  url: 'https://shop.example:8443/hooks/a?key=hush',
  failures: 5,
  last: '503',
  paused_until: null,
  pending_since: '2026-11-20T10:00:30.000Z',
}
const notice = { endpointId: 3, kind: 'failing' as const, facts, createdAt: new Date('2026-11-20T10:05:59.000Z') }
const COMMAND = 'shelfwire endpoint resume --account 7 --endpoint 3'

describe('the text of notices', () => {
  it('of an endpoint that fails', () => {
    expect(noticeText(7, notice)).toEqual({
      subject: 'Deliveries to https://shop.example:8443/hooks/a fail',
      text: `5 deliveries in a row have failed.

Endpoint:    https://shop.example:8443/hooks/a (endpoint 3 of account 7)
Time:        2026-11-20 10:05 UTC
Last error:  status 503
Waiting:     changes since 2026-11-20 10:00 UTC

It is tried again automatically, and paused after 10 failures in a row. Nothing is lost: changes wait, and are delivered in order once the endpoint answers with a status of 2xx again.

Once it is fixed, retry it immediately with

  ${COMMAND}
`,
    })
  })

  it('of a pause, and until when', () => {
    const { subject, text } = noticeText(7, {
      ...notice,
      kind: 'paused',
      facts: { ...facts, failures: 10, last: 'timeout', paused_until: '2026-11-20T11:05:59.000Z' },
    })
    expect(subject).toBe('Deliveries to https://shop.example:8443/hooks/a are paused')
    for (const words of [
      '10 deliveries in a row have failed',
      'Last error:  timeout\n',
      'paused until 2026-11-20 11:05 UTC',
      '60 minutes at a time',
      'Nothing is lost',
      COMMAND,
    ])
      expect(text).toContain(words)
  })

  it('of the recovery: without the errors, and nothing to do', () => {
    const { subject, text } = noticeText(7, {
      ...notice,
      kind: 'recovered',
      facts: { ...facts, failures: 0, last: '200' },
    })
    expect(subject).toBe('Deliveries to https://shop.example:8443/hooks/a work again')
    expect(text).toContain('There is nothing to do')
    expect(text).not.toMatch(/failed|Last error|resume|paused until/)
  })

  it('leaves out what is not known', () => {
    expect(noticeText(7, { ...notice, facts: { ...facts, pending_since: null } }).text).not.toContain('Waiting:')
    expect(noticeText(7, { ...notice, kind: 'paused', facts }).text).toContain(
      'Deliveries are paused. One is tried after that',
    )
  })

  it('has the kind of a fault, and a subject that is not too long', () => {
    expect(noticeText(7, { ...notice, facts: { ...facts, last: 'blocked_address' } }).text).toContain(
      'Last error:  blocked address\n',
    )
    const long = noticeText(7, { ...notice, facts: { ...facts, url: `https://shop.example/${'a'.repeat(2_000)}` } })
    expect(long.subject.length).toBeLessThan(200)
    expect(long.text).toContain('a'.repeat(2_000))
  })
})

describe('the text of notices about pictures', () => {
  const full = {
    endpointId: null,
    kind: 'images_full' as const,
    facts: { used_bytes: 50_000_000_000 },
    createdAt: new Date('2026-11-20T10:05:59.000Z'),
  }

  it('says that originals are shown, and which setting to raise', () => {
    const { subject, text } = noticeText(7, full)
    expect(subject).toBe('There is no room for more pictures')
    for (const words of ['Account:     7', '50.00 GB', 'original URLs', 'IMAGE_STORE_GB', '2026-11-20 10:05 UTC'])
      expect(text).toContain(words)
  })

  it('says that there is room again', () => {
    const { subject, text } = noticeText(7, { ...full, kind: 'images_resumed' })
    expect(subject).toBe('There is room for pictures again')
    expect(text).toContain('There is nothing to do')
  })
})

test.for([
  ['https://shop.example/a/b?token=hush#hush', 'https://shop.example/a/b'],
  ['https://user:hush@shop.example/', 'https://shop.example/'],
  ['https://bücher.example/zamówienia?ż', 'https://xn--bcher-kva.example/zam%C3%B3wienia'],
  ['http://[::1]:9000/hook', 'http://[::1]:9000/hook'],
  ['not a URL\r\nBcc: eve@example.com', '(no valid address)'],
  ['https://shop.example/a\r\nBcc: eve', 'https://shop.example/aBcc:%20eve'],
] as const)('the address of %j is shown as %s', ([url, shown]) => {
  expect(addressShown(url)).toBe(shown)
})
