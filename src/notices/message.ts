import { NOTICES, type NoticeKind, type NoticeSubject } from '../../contract/notice-kinds.ts'
import { formatTimestamp } from '../platform/time/timestamp.ts'
import { addressShown, isAbout, noticeText, noticeWords } from './notice-text.ts'

/** A notice in the form that channels send. */
export interface NoticeMessage {
  /** The same at every try, so that a receiver recognizes a repeat. */
  id: string
  /** `test`: an owner is trying the channel. */
  kind: NoticeKind | 'test'
  severity: (typeof NOTICES)[NoticeKind]['severity']
  facts: object
  subject: string
  /** Lines ended by \n. */
  text: string
  /** The page of the panel about the notice; null if the service does not know its own address. */
  link: string | null
  /** Text of the link, in the language of the notice. */
  linkName: string
  createdAt: string
}

/** The message of a stored notice. Pure. @param base base URL of this service; empty: not known. @param locale the account's */
export function messageOf(
  accountId: number,
  notice: NoticeSubject & { noticeId: number; createdAt: Date },
  base: string,
  locale: string,
): NoticeMessage {
  const { kind, noticeId, createdAt } = notice
  // the query of an endpoint's URL may hold secrets
  const facts = isAbout('endpoint', notice)
    ? { ...notice.facts, url: addressShown(notice.facts.url), endpoint_id: notice.endpointId }
    : notice.facts
  return {
    id: `notice-${accountId}-${noticeId}`,
    kind,
    severity: NOTICES[kind].severity,
    facts,
    ...noticeText(accountId, notice, locale),
    link: linkTo(base, accountId, pageAbout(notice)),
    linkName: noticeWords(locale).openInPanel,
    createdAt: formatTimestamp(createdAt),
  }
}

/** The message by which an owner tries a channel. */
export function testMessage(
  accountId: number,
  channel: { channelId: number; name: string },
  base: string,
  at: Date,
  locale: string,
): NoticeMessage {
  const words = noticeWords(locale)
  return {
    id: `test-${accountId}-${channel.channelId}-${at.getTime()}`,
    kind: 'test',
    severity: 'good',
    facts: {},
    subject: words.test.subject,
    text: `${words.test.text(channel.name, accountId)}\n`,
    link: linkTo(base, accountId, 'notice-channels'),
    linkName: words.openInPanel,
    createdAt: formatTimestamp(at),
  }
}

function pageAbout(notice: NoticeSubject): string {
  if (isAbout('endpoint', notice)) return `endpoints/${notice.endpointId}`
  return isAbout('rates', notice) ? 'rates' : 'notices'
}

const linkTo = (base: string, accountId: number, page: string) =>
  base === '' ? null : `${base}/panel/${accountId}/${page}`
