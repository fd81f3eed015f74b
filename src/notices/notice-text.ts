import { valueFormats } from '../../contract/faults/value-formats.ts'
import { NOTICES, type NoticeSubject, type NoticeSubjectAbout, type NoticeThing } from '../../contract/notice-kinds.ts'
import { failureDetail } from '../outbound/failures.ts'
import { LIMITS } from '../platform/limits.ts'
import { writtenLanguage, type WrittenLanguage } from '../platform/text/written-language.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { pl } from './words/pl.ts'
import type { Command, NoticeFacts, NoticeWords } from './words/words.ts'

// The text of notices to owners, in the account's language. Pure. docs/decisions/261-notices-speak-the-accounts-language.md says why.

const MINUTE_MS = 60_000
const SUBJECT_ADDRESS_LENGTH_MAX = 150
const CURRENCIES_LENGTH_MAX = 90
/** Width of the labels before facts. Two or more spaces make the lines a table in the HTML part of a mail. */
const LABEL_WIDTH = 13
const AFTER_LABEL = ':  '

export interface NoticeText {
  subject: string
  /** Lines ended by \n. */
  text: string
}

const WORDS: Readonly<Record<WrittenLanguage, NoticeWords>> = { en, de, pl }

/** The words of a language by a BCP 47 tag; English for a language that notices are not written in. */
export const noticeWords = (locale: string): NoticeWords => WORDS[writtenLanguage(locale)]

/**
 * A notice as text: subject and body of its mail. Times are in UTC; the endpoint's URL is shown without its query.
 * @param locale the account's
 */
export function noticeText(accountId: number, notice: NoticeSubject & { createdAt: Date }, locale: string): NoticeText {
  const words = noticeWords(locale)
  const format = formatsOf(writtenLanguage(locale))
  const { subject, opening, rest } = words.kinds[notice.kind](factsOf(notice, words, format))
  const lines = linesOf(accountId, notice, words, format)
  const width = Math.max(LABEL_WIDTH, ...lines.map(([label]) => label.length + AFTER_LABEL.length))
  const about = lines.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`).join('\n')
  const after = rest.map((part) => (typeof part === 'string' ? part : commandsOf(part.command, accountId, notice)))
  return { subject, text: `${[opening, about, ...after].join('\n\n')}\n` }
}

/** Whether a notice is about a kind of thing. */
export function isAbout<A extends NoticeThing, N extends NoticeSubject>(
  thing: A,
  notice: N,
): notice is N & NoticeSubjectAbout<A> {
  // a process of a newer release beside this one may write kinds that this one does not know
  return Object.hasOwn(NOTICES, notice.kind) && NOTICES[notice.kind].about === thing
}

/** The facts that the sentences of a notice use. Those that its kind does not have are empty. */
function factsOf(notice: NoticeSubject, words: NoticeWords, format: Formats): NoticeFacts {
  const facts: NoticeFacts = {
    short: '',
    failures: '',
    pausedAfter: format.number(LIMITS.webhookFailuresPaused),
    pausedUntil: null,
    cooldownMinutes: format.number(LIMITS.webhookCooldownMs / MINUTE_MS),
    host: '',
    pictures: 0,
    adopts: false,
    source: '',
    supplier: '',
    currencies: '',
  }
  if (isAbout('endpoint', notice)) {
    const { url, failures, paused_until: until } = notice.facts
    facts.short = shortened(addressShown(url, words))
    facts.failures = format.number(failures)
    facts.pausedUntil = until === null ? null : format.time(until)
  } else if (notice.kind === 'images_failing') {
    facts.host = notice.facts.host
    facts.short = shortened(notice.facts.host)
    facts.pictures = notice.facts.pictures
    facts.adopts = notice.facts.adopts
  } else if (isAbout('source', notice)) {
    facts.source = notice.facts.source
    facts.supplier = notice.facts.supplier
  } else if (isAbout('rates', notice)) {
    facts.currencies = notice.facts.rates
      .map(({ currency }) => currency)
      .join(', ')
      .slice(0, CURRENCIES_LENGTH_MAX)
  }
  return facts
}

/** An address that is short enough for a subject. */
const shortened = (address: string): string =>
  address.length > SUBJECT_ADDRESS_LENGTH_MAX ? `${address.slice(0, SUBJECT_ADDRESS_LENGTH_MAX)}…` : address

/** The facts of a notice, one line each. */
function linesOf(
  accountId: number,
  notice: NoticeSubject & { createdAt: Date },
  words: NoticeWords,
  format: Formats,
): [label: string, value: string][] {
  const { labels } = words
  const time: [string, string] = [labels.time, format.time(notice.createdAt.toISOString())]
  const account: [string, string] = [labels.account, String(accountId)]
  if (isAbout('endpoint', notice)) {
    const { url, last, pending_since: pending } = notice.facts
    const lines: [string, string][] = [
      [labels.endpoint, words.endpoint(addressShown(url, words), notice.endpointId, accountId)],
      time,
    ]
    if (notice.kind === 'recovered') return lines
    lines.push([labels.lastError, errorShown(last, words)])
    if (pending !== null) lines.push([labels.waiting, words.changesSince(format.time(pending))])
    return lines
  }
  if (isAbout('source', notice)) {
    const { source, supplier, run_id: runId, failed_since: since, failure } = notice.facts
    return [
      [labels.source, words.sourceOf(source, supplier, accountId)],
      time,
      ...(runId === null ? [] : [[labels.run, String(runId)] as [string, string]]),
      ...(since === null ? [] : [[labels.since, format.time(since)] as [string, string]]),
      ...(failure === null ? [] : [[labels.reason, words.reason(failure)] as [string, string]]),
    ]
  }
  if (isAbout('rates', notice)) {
    const { day, own, rates } = notice.facts
    return [
      account,
      time,
      [labels.ratesOf, format.day(day)],
      ...rates.map(({ currency, rate, held_rate: held }): [string, string] => [
        currency,
        words.rate(own, format.decimal(rate), format.decimal(held)),
      ]),
    ]
  }
  if (notice.kind === 'images_failing') {
    const { host, pictures, failed_since: since } = notice.facts
    return [
      account,
      time,
      [labels.server, host],
      [labels.pictures, format.number(pictures)],
      [labels.since, format.time(since)],
    ]
  }
  return [account, time, [labels.stored, words.gigabytes(format.gigabytes(notice.facts.used_bytes))]]
}

/** Commands as they are typed, one per line. */
function commandsOf(command: Command, accountId: number, notice: NoticeSubject): string {
  if (isAbout('endpoint', notice))
    return `  shelfwire endpoint resume --account ${accountId} --endpoint ${notice.endpointId}`
  if (isAbout('rates', notice)) {
    const set = notice.facts.rates.map(({ currency, held_rate: held }) => `${currency}=${held}`).join(' ')
    return `  shelfwire rate set --account ${accountId} ${set}`
  }
  if (!isAbout('source', notice)) return `  shelfwire images adopt --account ${accountId} --all`
  const { supplier, source } = notice.facts
  const of = (rest: string) =>
    `  shelfwire source ${rest} --account ${accountId} --supplier ${supplier} --source ${source}`
  return command === 'confirm' ? `${of('run')} --confirm` : `${of('test')}\n${of('run')}`
}

/** An endpoint's URL for readers: without its query, which may contain secrets. */
export function addressShown(url: string, words: NoticeWords = en): string {
  if (!URL.canParse(url)) return words.noAddress
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** A status, or why there was no answer: in English the kind of fault. */
function errorShown(last: string, words: NoticeWords): string {
  if (/^\d{3}$/.test(last)) return words.status(last)
  const detail = words === en ? undefined : failureDetail(last)
  if (detail !== undefined) return words.reason(detail)
  return last
    .replace(/[^a-z0-9]+/gi, ' ')
    .trim()
    .slice(0, 100)
}

interface Formats {
  /** To the minute. */
  time: (iso: string) => string
  day: (day: string) => string
  number: (value: number) => string
  /** A decimal text with the digits that it has. */
  decimal: (value: string) => string
  gigabytes: (bytes: number) => string
}

const GIGABYTE = 1_000_000_000

function formatsOf(language: WrittenLanguage): Formats {
  // programs may read the English texts, so their formats never change
  if (language === 'en')
    return {
      time: (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`,
      day: (day) => day,
      number: String,
      decimal: (value) => value,
      gigabytes: (bytes) => (bytes / GIGABYTE).toFixed(2),
    }
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const number = new Intl.NumberFormat(language)
  const two = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return {
    time: (iso) => `${time.format(new Date(iso))} UTC`,
    day: (day) => date.format(new Date(day)),
    number: number.format,
    decimal: valueFormats(language).decimal,
    gigabytes: (bytes) => two.format(bytes / GIGABYTE),
  }
}
