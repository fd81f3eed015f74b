import { describe, expect, test } from 'vitest'
import { NOTICE_CHANNEL_KINDS, type NoticeChannelKind } from '../../contract/notice-channel-kinds.ts'
import type { Verdict } from '../../src/notices/channels/channel.ts'
import { CHANNELS } from '../../src/notices/channels/channels.ts'
import { verdictOf } from '../../src/notices/channels/send-one.ts'
import { messageOf, testMessage, type NoticeMessage } from '../../src/notices/message.ts'

// The requests of each kind of channel, and the meaning of their answers.

const AT = new Date('2026-11-20T10:05:59.000Z')
const SETTINGS = { url: 'https://hooks.example/in', secret: 'whsec_test' }
const message = messageOf(
  7,
  {
    noticeId: 12,
    endpointId: null,
    kind: 'source_held',
    createdAt: AT,
    facts: {
      source_id: 1,
      source: 'stock',
      supplier: 'north',
      run_id: 3,
      state: 'held',
      failure: '<!channel> & <https://evil.example|look>',
      failed_since: null,
    },
  },
  'https://shelf.example',
  'en',
)
const long: NoticeMessage = { ...message, subject: '<'.repeat(5_000), text: '🛒&'.repeat(5_000), link: null }

interface Case {
  /** The texts of the body that people read. */
  shows: (body: string) => string[]
  /** Text that the receiving service would treat as a mention, a link or the start of an entity. */
  markup: RegExp
  /** The longest allowed text of a body. */
  lengthMax: number
  verdicts: Readonly<Record<number, Verdict>>
}

/** The only link in our messages. */
const LINK = /<https:\/\/shelf\.example\/[^>|]*\|Open in the panel>/

const CASES: Readonly<Record<NoticeChannelKind, Case>> = {
  slack: {
    shows(body) {
      const { text, blocks } = JSON.parse(body) as { text: string; blocks: { text: { text: string } }[] }
      return [text, ...blocks.map((block) => block.text.text)].map((shown) => shown.replace(LINK, ''))
    },
    markup: /[<>]|&(?!(?:amp|lt|gt);)/,
    lengthMax: 2_000,
    verdicts: { 200: 'sent', 302: 'refused', 404: 'refused', 410: 'refused', 429: 'again', 500: 'again' },
  },
  webhook: {
    shows: () => [],
    markup: /$^/,
    lengthMax: 20_000,
    verdicts: { 204: 'sent', 302: 'refused', 401: 'again', 404: 'again', 410: 'refused', 500: 'again' },
  },
}

describe.each(Object.keys(NOTICE_CHANNEL_KINDS) as NoticeChannelKind[])('%s', (kind) => {
  const { shows, markup, lengthMax, verdicts } = CASES[kind]
  const bodyOf = (of: NoticeMessage) => CHANNELS[kind].request(of, SETTINGS, AT).body

  test('sends subject, text and link, the same at every try', () => {
    const body = bodyOf(message)
    expect(bodyOf(message)).toBe(body)
    expect(body).toContain('A file of the source stock of the supplier north was held back')
    expect(body).toContain('https://shelf.example/panel/7/notices')
    expect(bodyOf(testMessage(7, { channelId: 3, name: 'Team' }, '', AT, 'en'))).toContain('The channel Team works')
  })

  test('shows what others chose as text: no mention, no link', () => {
    for (const text of shows(bodyOf(message))) expect(text).not.toMatch(markup)
  })

  test('cuts what is too long between characters', () => {
    for (const text of shows(bodyOf(long))) {
      expect(text.length).toBeLessThanOrEqual(lengthMax)
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toMatch(markup)
    }
    expect(bodyOf(long).length).toBeLessThan(2 * lengthMax + 2_000)
  })

  test.each(Object.entries(verdicts))('takes a %s for %s', (status, verdict) => {
    expect(verdictOf(CHANNELS[kind], Number(status))).toBe(verdict)
  })
})
