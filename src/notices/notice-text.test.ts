import { describe, expect, it, test } from 'vitest'
import type { NOTICES, NoticeSubject } from '../../contract/notice-kinds.ts'
import { mailHtml } from '../outbound/mail-html.ts'
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
    expect(noticeText(7, notice, 'en')).toEqual({
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
    const { subject, text } = noticeText(
      7,
      {
        ...notice,
        kind: 'paused',
        facts: { ...facts, failures: 10, last: 'timeout', paused_until: '2026-11-20T11:05:59.000Z' },
      },
      'en',
    )
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
    const { subject, text } = noticeText(
      7,
      {
        ...notice,
        kind: 'recovered',
        facts: { ...facts, failures: 0, last: '200' },
      },
      'en',
    )
    expect(subject).toBe('Deliveries to https://shop.example:8443/hooks/a work again')
    expect(text).toContain('There is nothing to do')
    expect(text).not.toMatch(/failed|Last error|resume|paused until/)
  })

  it('leaves out what is not known', () => {
    expect(noticeText(7, { ...notice, facts: { ...facts, pending_since: null } }, 'en').text).not.toContain('Waiting:')
    expect(noticeText(7, { ...notice, kind: 'paused', facts }, 'en').text).toContain(
      'Deliveries are paused. One is tried after that',
    )
  })

  it('has the kind of a fault, and a subject that is not too long', () => {
    expect(noticeText(7, { ...notice, facts: { ...facts, last: 'blocked_address' } }, 'en').text).toContain(
      'Last error:  blocked address\n',
    )
    const long = noticeText(
      7,
      { ...notice, facts: { ...facts, url: `https://shop.example/${'a'.repeat(2_000)}` } },
      'en',
    )
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
    const { subject, text } = noticeText(7, full, 'en')
    expect(subject).toBe('There is no room for more pictures')
    for (const words of ['Account:     7', '50.00 GB', 'original URLs', 'IMAGE_STORE_GB', '2026-11-20 10:05 UTC'])
      expect(text).toContain(words)
  })

  it('says that there is room again', () => {
    const { subject, text } = noticeText(7, { ...full, kind: 'images_resumed' }, 'en')
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

/** One notice of each kind, with all facts that it can have. */
const EACH: Record<keyof typeof NOTICES, NoticeSubject> = {
  failing: { ...notice, kind: 'failing' },
  paused: { ...notice, kind: 'paused', facts: { ...facts, paused_until: '2026-11-20T11:05:59.000Z' } },
  recovered: { ...notice, kind: 'recovered' },
  images_full: { endpointId: null, kind: 'images_full', facts: { used_bytes: 1_234_500_000_000 } },
  images_resumed: { endpointId: null, kind: 'images_resumed', facts: { used_bytes: 1 } },
  images_failing: {
    endpointId: null,
    kind: 'images_failing',
    facts: { host: 'cdn.example', pictures: 1_200, failed_since: '2026-11-20T10:00:30.000Z', adopts: false },
  },
  source_failing: sourceNotice('source_failing'),
  source_held: sourceNotice('source_held'),
  source_recovered: sourceNotice('source_recovered'),
  rates_held: {
    endpointId: null,
    kind: 'rates_held',
    facts: { day: '2026-11-27', own: 'EUR', rates: [{ currency: 'PLN', rate: '4.3000', held_rate: '5.1' }] },
  },
}

function sourceNotice(kind: 'source_failing' | 'source_held' | 'source_recovered'): NoticeSubject {
  return {
    endpointId: null,
    kind,
    facts: {
      source_id: 1,
      source: 'stock',
      supplier: 'north',
      run_id: 12,
      state: 'held',
      failure: null,
      failed_since: '2026-11-20T10:00:30.000Z',
    },
  }
}

/** The text without commands, addresses and settings, which are the same in every language. */
const wordsOf = (text: string) =>
  text
    .replaceAll(/^ {2}shelfwire .*$/gm, '')
    .replaceAll(/https?:\S+|IMAGE_STORE_GB/g, '')
    .toLowerCase()
const ENGLISH =
  /(?<!\p{L})(?:the|of|and|is|are|not|it|with|will|your|deliver(?:y|ies)|endpoint|account|since|time|until|pictures?|source|again|nothing|rates?|run|reason|there|this|have|been)(?!\p{L})/u

describe.each([
  ['de-AT', '20.11.2026, 10:05 UTC', '1.234,50 GB', '1.200', '4,3000'],
  ['pl', '20 lis 2026, 10:05 UTC', '1234,50 GB', '1200', '4,3000'],
])('in %s', (locale, time, gigabytes, pictures, rate) => {
  test.each(Object.entries(EACH))('%s has no English left over, and the same commands', (_kind, subject) => {
    const said = noticeText(7, { ...subject, createdAt: notice.createdAt }, locale)
    const english = noticeText(7, { ...subject, createdAt: notice.createdAt }, 'en')
    expect(wordsOf(`${said.subject}\n${said.text}`)).not.toMatch(ENGLISH)
    expect(wordsOf(`${english.subject}\n${english.text}`)).toMatch(ENGLISH)
    expect(said.text.match(/^ {2}shelfwire .*$/gm)).toEqual(english.text.match(/^ {2}shelfwire .*$/gm))
    expect(said.text.endsWith('\n')).toBe(true)
    expect(said.text).not.toMatch(/undefined|null|NaN/)
  })

  test.each(Object.entries(EACH))('the facts of %s are a table in a mail', (_kind, subject) => {
    const { text } = noticeText(7, { ...subject, createdAt: notice.createdAt }, locale)
    const [, facts = ''] = text.split('\n\n')
    const html = mailHtml({ subject: 'A', text: `${facts}\n`, link: null, language: 'en' })
    expect(html.match(/<th /g)).toHaveLength(facts.split('\n').length)
  })

  test('numbers and moments are written as there', () => {
    const textOf = (kind: keyof typeof EACH) =>
      noticeText(7, { ...EACH[kind], createdAt: notice.createdAt }, locale).text
    expect(textOf('failing')).toContain(time)
    expect(textOf('images_full').replaceAll(/[\u00a0\u202f]/g, '')).toContain(gigabytes)
    expect(textOf('images_failing').replaceAll(/[\u00a0\u202f]/g, '')).toContain(pictures)
    expect(textOf('rates_held')).toContain(rate)
  })
})

test('a language that notices are not written in is English', () => {
  expect(noticeText(7, notice, 'fr-CA')).toEqual(noticeText(7, notice, 'en'))
})
