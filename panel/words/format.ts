import { useTranslation } from 'react-i18next'
import { createContext, useContext } from 'react'
import { valueFormats } from '../../contract/faults/value-formats.ts'
import { quote } from './quotes.ts'

// Numbers, money and times in the reader's language, with times in the account's time zone.

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** For the last minute. Intl would give a bare "now", which does not fit into a sentence about the past. */
const JUST_NOW: Readonly<Record<string, string>> = { en: 'just now', de: 'gerade eben', pl: 'przed chwilą' }

/** A time that is at most this many seconds ahead counts as past, because `now` is updated every ten seconds. */
const AHEAD_SECONDS = 10

export interface Formats {
  number: (value: number) => string
  /** An amount as the API sends it: a decimal number or text. */
  money: (value: number | string, currency: string) => string
  /** An amount without its currency, with the currency's number of digits, for an input field. */
  amount: (value: string, currency: string) => string
  /** A change as a part of one, with its sign: 0.25 becomes "+25%". */
  percent: (part: number) => string
  /** A part of a whole, without a sign: "20.5%". */
  share: (part: number) => string
  /**
   * A number in the calculation of a price: at least the digits of money, and at most four digits, or four significant
   * ones.
   */
  figure: (value: string) => string
  /** A decimal text with its own number of digits: "0,90". */
  decimal: (value: string) => string
  /** Milliseconds as "84 ms" or "12.4 s". */
  duration: (milliseconds: number) => string
  /** Whole seconds, from two minutes on minutes: "12 seconds". */
  took: (seconds: number) => string
  /** Bytes as "84 kB" or "1.2 MB". */
  bytes: (value: number) => string
  /** "3 minutes ago", "in 2 hours". */
  relative: (moment: Date, now: Date) => string
  /** Date, time and zone. */
  exact: (moment: Date) => string
  /** Hours and minutes; with the day if it is not today. */
  clock: (moment: Date, now: Date) => string
  day: (moment: Date) => string
  list: (items: readonly string[]) => string
  /** A value or a name in the language's quotation marks. */
  quote: (text: string) => string
  /** "Polish", "German (Austria)"; a tag without a name is returned as it is. */
  language: (locale: string) => string
}

export function useFormats(): Formats {
  const { i18n } = useTranslation()
  return formatsOf(i18n.language, useAccountTimeZone())
}

const kept = new Map<string, Formats>()

/** Intl's formatters are slow to create, so those of a language and time zone are kept. */
export function formatsOf(language: string, timeZone: string): Formats {
  const key = `${language} ${timeZone}`
  const known = kept.get(key) ?? makeFormats(language, timeZone)
  kept.set(key, known)
  return known
}

function makeFormats(language: string, timeZone: string): Formats {
  // English as used outside the United States: the day before the month, 24 hours
  const locale = language === 'en' ? 'en-GB' : language
  const number = new Intl.NumberFormat(locale)
  const digits = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
    maximumSignificantDigits: 4,
    roundingPriority: 'morePrecision',
  })
  const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(locale, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
  })
  const share = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const exact = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone,
  })
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  const dayAndClock = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  })
  const languages = new Intl.DisplayNames(locale, { type: 'language' })
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  return {
    number: (value) => number.format(value),
    // the currency is unknown until the account's settings are read, and Intl throws for an empty one
    money: (value, currency) =>
      currency === ''
        ? number.format(Number(value))
        : new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(value)),
    amount: (value, currency) =>
      new Intl.NumberFormat(locale, {
        minimumFractionDigits: new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions()
          .minimumFractionDigits,
        maximumFractionDigits: 20,
        useGrouping: false,
      }).format(value as Intl.StringNumericLiteral),
    percent: (part) => percent.format(part),
    share: (part) => share.format(part),
    // passed as text, so that no digit is lost
    figure: (value) => digits.format(value as Intl.StringNumericLiteral),
    ...valueFormats(locale),
    duration: (milliseconds) =>
      milliseconds < 1_000
        ? `${number.format(Math.round(milliseconds))} ms`
        : `${tenths.format(milliseconds / 1_000)} s`,
    relative(moment, now) {
      const seconds = (moment.getTime() - now.getTime()) / 1_000
      const step = STEPS.find(([, length]) => Math.abs(seconds) >= length)
      if (step === undefined)
        return (seconds > AHEAD_SECONDS ? undefined : JUST_NOW[language]) ?? relative.format(0, 'second')
      return relative.format(Math.trunc(seconds / step[1]), step[0])
    },
    exact(moment) {
      const name = zone.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
      return `${exact.format(moment)} ${name}`
    },
    clock: (moment, now) =>
      day.format(moment) === day.format(now) ? clock.format(moment) : dayAndClock.format(moment),
    day: (moment) => day.format(moment),
    list: (items) => list.format(items),
    quote: (text) => quote(text, language),
    language(tag) {
      try {
        return languages.of(tag) ?? tag
      } catch {
        return tag
      }
    },
  }
}

/** The account's time zone; the browser's until a person is signed in. */
export const AccountTimeZone = createContext(Intl.DateTimeFormat().resolvedOptions().timeZone)

export function useAccountTimeZone(): string {
  return useContext(AccountTimeZone)
}
