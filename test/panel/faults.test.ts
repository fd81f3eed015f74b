import { once } from 'node:events'
import i18next from 'i18next'
import { afterAll, describe, expect, test } from 'vitest'
import { BUDGET_NAMES } from '../../contract/account-limits.ts'
import { MUST } from '../../contract/values.ts'
import { addFaults, faultWords } from '../../panel/words/faults.ts'
import * as deFaults from '../../contract/faults/de.ts'
import { BUDGET_FORMS } from '../../contract/faults/budgets.ts'
import { FETCH_FORMS } from '../../contract/faults/fetches.ts'
import { FILE_FORMS } from '../../contract/faults/files.ts'
import { FAULT_FORMS } from '../../contract/faults/forms.ts'
import { MAPPING_FORMS } from '../../contract/faults/mappings.ts'
import { ROW_FORMS } from '../../contract/faults/rows.ts'
import { RUN_FORMS } from '../../contract/faults/runs.ts'
import { SETTINGS_FORMS } from '../../contract/faults/settings.ts'
import * as plFaults from '../../contract/faults/pl.ts'
import { connectionError } from '../../src/imports/fetch/connection-error.ts'
import type { FetchError } from '../../src/imports/fetch/fetched.ts'
import { openPace, tooLarge, type FetchBounds } from '../../src/imports/fetch/incoming-file.ts'
import { missing } from '../../src/imports/fetch/newest-file.ts'
import { changing } from '../../src/imports/fetch/server-file.ts'
import { keyHeaderFault } from '../../src/imports/ssh/key-header.ts'
import { BlockedAddress, describeFailure } from '../../src/outbound/failures.ts'
import { keyOfRounds } from '../import/ssh-keys.ts'
import { readCurrency } from '../../src/input/currency.ts'
import { readDay } from '../../src/input/day.ts'
import { BOUNDS, readDecimal } from '../../src/input/decimal.ts'
import { readEan } from '../../src/input/ean.ts'
import { readLocale } from '../../src/input/locale.ts'
import { readQuantity } from '../../src/input/quantity.ts'
import { readSku, readSlug, readText } from '../../src/input/text.ts'
import { readUrl } from '../../src/input/url.ts'
import type { Verdict } from '../../src/input/verdict.ts'
import { faultOfEmail } from '../../src/accounts/members.ts'
import { faultOfPassword } from '../../src/people/sign-in/passwords.ts'
import { checkOutboundUrl, checkReachable } from '../../src/outbound/outbound-url.ts'
import { detectMapping } from '../../src/supplier-files/proposal/detect.ts'
import { chunked } from '../../src/supplier-files/fixtures.ts'
import { absoluteUrl } from '../../src/supplier-files/conversion/image-url.ts'
import { englishIn } from './english.ts'
import { readMoney } from '../../src/supplier-files/numbers.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'
import { readWhole } from '../../src/input/whole.ts'
import { QuotaExceeded } from '../../src/accounts/limits/quota.ts'
import deLimits from '../../panel/words/de/limits.json' with { type: 'json' }
import plLimits from '../../panel/words/pl/limits.json' with { type: 'json' }
import de from '../../panel/words/de/problems.json' with { type: 'json' }
import pl from '../../panel/words/pl/problems.json' with { type: 'json' }
import en from '../../panel/words/en/problems.json' with { type: 'json' }

// The service's reasons for refusals are translated by the panel; here the texts that src/input really produces.

/** A resolver that must not be called, because IP addresses need none. */
const NOBODY = { resolve: () => Promise.reject(new Error('asked')) }
const reasonOf = (verdict: Verdict<unknown>) => ('reason' in verdict ? verdict.reason : '')
/** The detail of the refusal of an unreadable file. */
const unreadableOf = (text: string) =>
  detectMapping(chunked(text)).then(
    () => '',
    (error: unknown) => (error instanceof ShelfwireError ? error.message : ''),
  )
const BOUNDS_OF_FETCH: FetchBounds = {
  bytesMax: 1,
  isBeginning: false,
  totalMs: 1,
  connectMs: 1,
  paceMs: 60_000,
  paceBytesMin: 1,
}
/** The detail of the refusal of a file that takes too long. */
async function lateDetail(): Promise<string> {
  using pace = openPace(BOUNDS_OF_FETCH, new AbortController().signal)
  pace.onBytes(1_234_567)
  await once(pace.signal, 'abort')
  return (pace.signal.reason as FetchError).failure.detail
}
/** The reason why an address must not be requested. */
const unreachableOf = (text: string) => {
  try {
    checkOutboundUrl(text)
    return ''
  } catch (error) {
    return (error instanceof ShelfwireError ? error.faults[0]?.reason : undefined) ?? ''
  }
}
const REASONS = {
  empty: reasonOf(readText(' ', 10)),
  lengthMax: reasonOf(readText('too long', 3)),
  blankEnds: reasonOf(readSku(' a', 10)),
  slug: reasonOf(readSlug('Not a slug')),
  currency: reasonOf(readCurrency('EURO')),
  locale: reasonOf(readLocale('not_a_locale')),
  day: reasonOf(readDay('yesterday')),
  ean: reasonOf(readEan('abc')),
  digitsEan: reasonOf(readEan('1'.repeat(60))),
  url: reasonOf(readUrl('ftp://x')),
  whole: reasonOf(readWhole(1.5, 0, 5)),
  wholeBetween: reasonOf(readWhole(9, 0, 5)),
  decimal: reasonOf(readDecimal('12,5', BOUNDS.amount)),
  digits: reasonOf(readDecimal('1.1234567', BOUNDS.amount)),
  digitsWhole: 'must have at most 9 digits before the decimal point and none after it, not "1.5"',
  atLeast: reasonOf(readDecimal('-1', BOUNDS.amount)),
  atMost: reasonOf(readQuantity('99999999999999')),
  quantity: MUST.quantity,
  required: 'is required',
  duplicated: 'is duplicated',
  length: 'must have 1 to 200 characters',
  cells: 'has 13 columns where the header has 11',
  emptyFile: await unreadableOf(''),
  usePublic: connectionError('blocked_address', describeFailure(new BlockedAddress()).detail).failure.detail,
  noPart: connectionError('reset', 'the connection was closed').failure.detail,
  noneFits: missing('stock-*.csv').failure.detail,
  beingWritten: changing('stock.csv').failure.detail,
  tooMuch: tooLarge({ ...BOUNDS_OF_FETCH, bytesMax: 1_500_000 }).failure.detail,
  notWhole: await lateDetail(),
  keyRounds: keyHeaderFault(keyOfRounds(100_000)) ?? '',
  passwordMin: faultOfPassword('short', 'anna@example.com') ?? '',
  passwordDifferent: faultOfPassword('aaaaaaaaaaaa', 'anna@example.com') ?? '',
  passwordEmail: faultOfPassword('anna@example.com', 'anna@example.com') ?? '',
  passwordCommon: faultOfPassword('qwertyuiop', 'anna@example.com') ?? '',
  hookWhole: unreachableOf('shop.example.com/hook'),
  hookStart: unreachableOf('ftp://shop.example.com/hook'),
  email: faultOfEmail('anna') ?? '',
  emailSigns: faultOfEmail('anna kowalska@example.com') ?? '',
  emailBefore: faultOfEmail(`${'a'.repeat(65)}@example.com`) ?? '',
  htmlPage: await unreadableOf('<!doctype html><html><body>Sign in</body></html>'),
} satisfies Partial<Record<keyof typeof FAULT_FORMS, string>>
const LANGUAGES = { de: deFaults, pl: plFaults }
for (const [language, { forms, sentences }] of Object.entries(LANGUAGES)) addFaults(language, forms, sentences)

async function speak(language: 'en' | 'de' | 'pl') {
  await i18next.init({
    lng: language,
    ns: ['problems'],
    resources: { en: { problems: en }, de: { problems: de }, pl: { problems: pl } },
    interpolation: { escapeValue: false },
  })
}
afterAll(() => speak('en'))

test('a fetch that failed is told in the reader’s language, with sizes and times as they are written there', async () => {
  const late = 'the file was not complete after 60 minutes; 1.2 GB had come'
  const key = 'the private key of the source is a public key; the private one is needed'
  const tried = 'stock.csv, more than 524.3 kB: the file is empty (0 bytes)'
  await speak('de')
  const said = (reason: string) => faultWords(reason).replaceAll('\u00a0', ' ')
  expect(said(late)).toBe('die Datei war nach 60 Minuten nicht vollständig; angekommen waren 1,2 GB')
  expect(said(key)).toBe('der private Schlüssel der Quelle ist ein öffentlicher Schlüssel; der private wird gebraucht')
  expect(said(tried)).toBe('stock.csv, mehr als 524 kB: die Datei ist leer (0 Bytes)')
  await speak('pl')
  expect(
    faultWords(
      'the connection was refused: check host and port in the URL, or ask the supplier whether the server runs',
    ),
  ).toBe('połączenie zostało odrzucone. Sprawdź host i port w adresie URL lub zapytaj dostawcę, czy serwer działa')
})

test('no two kinds of sentences have the same name', () => {
  const kinds = [RUN_FORMS, MAPPING_FORMS, FILE_FORMS, ROW_FORMS, FETCH_FORMS, SETTINGS_FORMS, BUDGET_FORMS]
  expect(Object.keys(FAULT_FORMS)).toHaveLength(kinds.flatMap((forms) => Object.keys(forms)).length)
})

/** A text without the isolation characters around names, whose writing direction may differ. */
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '')
const placesOf = (text: string) =>
  [...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name = '']) => name.toLowerCase()).toSorted()

test.each(Object.entries(REASONS))('%s is said in the reader’s language with its values', async (_key, reason) => {
  expect(reason).not.toBe('')
  await speak('en')
  // in English, the text of the service itself
  expect(faultWords(reason)).toBe(reason)
  for (const language of ['de', 'pl'] as const) {
    await speak(language)
    const said = faultWords(reason)
    expect(said).not.toBe(reason)
    const [, given] = /, not "?([^"]+)"?$/.exec(reason) ?? []
    if (given !== undefined) expect(plain(said)).toContain(given)
  }
})

/** Values that translations leave out: an English sentence, for which they have their own, and an English noun. */
const UNSAID = new Set(['noRoom:detail', 'seen:noun', 'heldKeyless:has'])

/** A value of each kind, as the service writes it. */
const VALUES: Readonly<Record<string, string>> = {
  '': '1234.5',
  word: 'EUR',
  words: '"a", "b, not c"',
  quoted: '"a \\"b\\": c, not d; fetch it again"',
  part: 'sheet1.xml',
  value: '"b, not c"',
  sentence: 'must be at most 2000, not "x: y"',
  size: '1.5 MB',
  time: '5 minutes',
  share: '12.5 %',
  faults: 'fields.cost must be at most 2000, not "x: y"; fields.My column is required',
}

describe.each(['de', 'pl'] as const)('%s', (language) => {
  const { sentences } = LANGUAGES[language]

  test('every sentence is recognized as itself, whatever its values are', async () => {
    await speak(language)
    for (const [key, form] of Object.entries(FAULT_FORMS)) {
      const reason = form.replaceAll(/\{\w+(?::(\w+))?\}/g, (_, kind: string | undefined) => VALUES[kind ?? ''] ?? '')
      const said = plain(faultWords(reason))
      const words = sentences[key as keyof typeof FAULT_FORMS].split(/\{\w+\}/)
      for (const part of words) expect([key, said]).toEqual([key, expect.stringContaining(part)])
      expect([key, said]).toEqual([key, expect.not.stringMatching(/must be|fetch it again(?!“|”)|\{/)])
    }
  })

  test('has no English left over', () => {
    const left = Object.entries(sentences).map(([key, words]) => [key, ...englishIn(words)])
    expect(left.filter(([, ...words]) => words.length > 0)).toEqual([])
  })

  test('says every value that the service says, and no other', () => {
    const saidOf = (key: string, form: string) => placesOf(form).filter((name) => !UNSAID.has(`${key}:${name}`))
    for (const [key, form] of Object.entries(FAULT_FORMS))
      expect([key, placesOf(sentences[key as keyof typeof FAULT_FORMS])]).toEqual([key, saidOf(key, form)])
  })
})

test('what only an operator or a mapping’s author could act on is explained in the words of the panel', async () => {
  const refused = await checkReachable(new URL('http://127.0.0.1:9000/hook'), () => false, NOBODY).catch(
    (error: unknown) => error,
  )
  if (!(refused instanceof ShelfwireError)) throw new Error('the address was not refused')
  const said = refused.faults[0]?.reason ?? ''
  for (const language of ['en', 'de'] as const) {
    await speak(language)
    expect(faultWords(said)).toContain('OUTBOUND_ALLOW=127.0.0.0/8')
    const relative = reasonOf(absoluteUrl('/a.jpg', undefined))
    expect(relative).toContain('imageBaseUrl')
    expect(faultWords(relative)).not.toContain('imageBaseUrl')
    expect(plain(faultWords(relative))).toContain(language === 'en' ? '"/a.jpg"' : '„/a.jpg“')
  }
})

test('a number with words beside it is refused with what the panel can do about it', async () => {
  const said = reasonOf(readMoney('5 each', '.'))
  expect(said).toContain('capture')
  await speak('en')
  expect(faultWords(said)).toBe(said)
  await speak('de')
  expect(faultWords(said)).toContain('Anpassen')
  expect(faultWords(said)).not.toMatch(/capture|take the number/)
})

test('a limit is named as on the page of limits', async () => {
  const limits = { de: deLimits, pl: plLimits }
  for (const language of ['de', 'pl'] as const) {
    await speak(language)
    for (const budget of BUDGET_NAMES) {
      const { message } = QuotaExceeded.ofStock(budget, 9_000, 10_000, 2_000)
      expect(plain(faultWords(message))).toContain(
        `„${limits[language].budgets[budget]}${language === 'de' ? '“' : '”'}`,
      )
      expect(plain(faultWords(message))).not.toContain(budget)
    }
  }
})

test('a value that was refused is quoted as it is, and other sentences stay as they are', async () => {
  await speak('de')
  expect(plain(faultWords('must be an ISO 4217 currency code such as EUR, not "<b>, not x"'))).toBe(
    'muss ein Währungscode nach ISO 4217 sein, etwa EUR; angegeben ist „<b>, not x“',
  )
  expect(faultWords('must be a whole number from -100 to 2.5, not 7')).toBe(
    'muss eine ganze Zahl von -100 bis 2,5 sein; angegeben ist 7',
  )
  expect(faultWords('was left to somebody else')).toBe('was left to somebody else')
  expect(faultWords('')).toBe('')
})

test('sentences stand in each other, and numbers are written as the language does', async () => {
  await speak('de')
  expect(
    plain(
      faultWords(
        'must be a decimal such as "12.50", not "1,5": "," is not the decimal sign until the mapping says so with "decimal" (article 12345 of the record)',
      ),
    ),
  ).toBe(
    'muss eine Dezimalzahl sein, etwa „12.50“; angegeben ist „1,5“: „,“ ist erst das Dezimalzeichen, wenn es so gewählt ist (Artikel 12.345 des Datensatzes)',
  )
  expect(plain(faultWords('line 3: the workbook is cut off; fetch it again'))).toBe(
    'Zeile 3: Die Arbeitsmappe ist abgeschnitten. Rufen Sie sie erneut ab',
  )
  await speak('pl')
  expect(plain(faultWords('"1,234" is 1234 or 1.234: set "decimal" in the mapping'))).toBe(
    '„1,234” może oznaczać 1234 albo 1,234: wybierz znak dziesiętny',
  )
  expect(faultWords('in the formula, a was left to somebody else')).toBe('in the formula, a was left to somebody else')
})
