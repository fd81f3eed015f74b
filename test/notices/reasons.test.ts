import { describe, expect, test } from 'vitest'
import type { NoticeSubject } from '../../contract/notice-kinds.ts'
import { ImportExceeded } from '../../src/imports/exceeded.ts'
import { connectionError } from '../../src/imports/fetch/connection-error.ts'
import { EXCESS_KINDS, judge, type Excess, type RunCounts, type Thresholds } from '../../src/imports/safety/judge.ts'
import { noticeText } from '../../src/notices/notice-text.ts'
import { failureDetail, type FailureKind } from '../../src/outbound/failures.ts'
import { englishIn } from '../panel/english.ts'

// Why a source fails or its file is held, and why an endpoint does not take deliveries, in the language of the notice.

const createdAt = new Date('2026-11-20T10:05:59.000Z')

function reasonIn(locale: string, failure: string, kind: 'source_held' | 'source_failing' = 'source_held'): string {
  const facts = {
    source_id: 1,
    source: 'stock',
    supplier: 'north',
    run_id: 12,
    state: 'held',
    failure,
    failed_since: null,
  }
  return lineOf(locale, { endpointId: null, kind, facts }, /^(?:Reason|Grund|Powód): +(.*)$/m)
}

function faultIn(locale: string, last: string): string {
  const facts = { url: 'https://shop.example/', failures: 5, last, paused_until: null, pending_since: null }
  return lineOf(
    locale,
    { endpointId: 3, kind: 'failing', facts },
    /^(?:Last error|Letzter Fehler|Ostatni błąd): +(.*)$/m,
  )
}

const lineOf = (locale: string, notice: NoticeSubject, line: RegExp) =>
  line.exec(noticeText(7, { ...notice, createdAt }, locale).text)?.[1] ?? ''

const THRESHOLDS: Thresholds = {
  zeroedShareMax: 0.5,
  refusedShareMax: 0.25,
  pricesLostShareMax: 0.5,
  pricesZeroShareMax: 0.05,
  pricesJumpShareMax: 0.125,
  pricesJumpFactor: 1.5,
  emptiedShareMax: 0.5,
  swappedShareMax: 0.2,
}
const known = (count: number) => ({ known: 90, count })
const BAD: RunCounts = {
  mode: 'full',
  rows: 1_200,
  accepted: 100,
  refused: 1_100,
  withoutKey: 0,
  firstRefused: 'line 3, cost must be a decimal such as "12.50", not "1,5"',
  inStock: 80,
  zeroed: 79,
  priced: 90,
  pricesLost: 89,
  pricesZero: 89,
  pricesJumped: 89,
  paired: 90,
  swapped: 89,
  emptied: { titles: known(89), images: known(89), eans: known(89), quantities: known(89) },
  misread: { encoding: 'windows-1250', characters: 12, broken: 0, right: 'ü', wrong: 'ĂĽ' },
  missing: [{ field: 'cost', column: 'Preis, netto' }],
}
const failureOf = (excesses: readonly Excess[]) => new ImportExceeded(excesses).message
const held = (counts: Partial<RunCounts>, kind: Excess['kind']) =>
  failureOf(judge({ ...BAD, ...counts }, THRESHOLDS).filter((excess) => excess.kind === kind))
const DAMAGED = { encoding: 'windows-1250', characters: 12, broken: 2, right: 'ü', wrong: 'ĂĽ' }
/** Files that are held back, by what is bad about them. */
const HELD: readonly (readonly [name: string, failure: string])[] = [
  ...judge(BAD, THRESHOLDS).map((excess) => [excess.kind, failureOf([excess])] as const),
  ['empty', held({ accepted: 0, firstRefused: null }, 'empty')],
  ['empty with a row', held({ accepted: 0 }, 'empty')],
  ['damaged', held({ misread: DAMAGED }, 'encoding')],
  ['one row without a key', held({ withoutKey: 1 }, 'refused')],
  ['rows without a key', held({ withoutKey: 2 }, 'refused')],
  ['three at once', failureOf(judge(BAD, THRESHOLDS).slice(2, 5))],
  // the first bad row, which is the deepest, behind all that fits into a reason
  ['many at once', failureOf(judge(BAD, THRESHOLDS).slice(0, 5).toReversed())],
]

/** Of runs that fail, as src/imports/runs/ and src/file-readers/ put them together. */
const FAILED = [
  'it failed because of: an internal error',
  'it failed 3 times, the last time because of: the file store does not answer: ENOENT',
  'the file is cut off: a quote that opens in this record is never closed; what was written before stays',
  'set aside: 2 times the process that imported it ended before a page of it was written; check the file and its mapping, or split the file, and send or fetch it again',
  'set aside: it was begun 5 times, and never came to its end; check the file and its mapping, or split the file, and send or fetch it again',
  'set aside: it was begun 5 times, and no page of it was written; check the file and its mapping, or split the file, and send or fetch it again',
  'line 3: the workbook is cut off; fetch it again',
  'the account’s budget offers does not suffice: 9000 of 10000 are used, and 2000 more would be needed; delete some, or ask the operator of the service to raise it',
]

const ENDPOINT_FAULTS: Readonly<Record<FailureKind, true>> = {
  blocked_address: true,
  dns: true,
  resolver: true,
  refused: true,
  unreachable: true,
  reset: true,
  tls: true,
  timeout: true,
  protocol: true,
  local: true,
}

test('a file of each kind that is held is looked at', () => {
  expect(HELD.map(([name]) => name)).toEqual(expect.arrayContaining([...EXCESS_KINDS]))
})

describe.each(['de', 'pl'])('in %s', (locale) => {
  test.each(HELD)('a file that is held says so: %s', (_name, failure) => {
    expect(failure.length).toBeLessThanOrEqual(1_000)
    const said = reasonIn(locale, failure)
    expect([said, ...englishIn(said)]).toEqual([said])
    expect(said).not.toBe('')
    expect(reasonIn('en', failure)).toBe(failure)
  })

  test.each(FAILED)('a run that fails says so: %s', (failure) => {
    const said = reasonIn(locale, failure, 'source_failing')
    expect([said, ...englishIn(said)]).toEqual([said])
    expect(said).not.toBe('')
  })

  test.each(Object.keys(ENDPOINT_FAULTS))('an endpoint that fails says so: %s', (fault) => {
    const said = faultIn(locale, fault)
    expect([said, ...englishIn(said)]).toEqual([said])
    expect(said).not.toContain(fault)
    expect(faultIn('en', fault)).toBe(fault.replaceAll('_', ' '))
    expect(failureDetail(fault)).toBeDefined()
  })

  test.each(Object.keys(ENDPOINT_FAULTS) as FailureKind[])('a server that fails says so: %s', (fault) => {
    const { detail } = connectionError(fault, failureDetail(fault)!).failure
    const said = reasonIn(locale, detail, 'source_failing')
    expect([said, ...englishIn(said)]).toEqual([said])
  })
})

test('values are written as the language does, and numbers of rows too', () => {
  const [, refused = ''] = HELD.find(([name]) => name === 'refused') ?? []
  const [, jumps = ''] = HELD.find(([name]) => name === 'prices_jump') ?? []
  expect(reasonIn('de-AT', refused)).toBe(
    '1.100 von 1.200 Zeilen sind nicht lesbar, mehr als 25 % (die erste: Zeile 3, cost muss eine Dezimalzahl sein, etwa „12.50“; angegeben ist „1,5“). Berichtigen Sie die Zuordnung, lassen Sie in ihr aus, was kein Artikel ist, oder bitten Sie den Lieferanten um eine berichtigte Datei. Es wurde nichts geschrieben. Bestätigen Sie den Import, wenn das beabsichtigt ist',
  )
  expect(reasonIn('pl', jumps)).toBe(
    'przez ten plik cena zakupu 89 z 90 ofert wzrosłaby lub spadłaby więcej niż 1,5 razy, więcej niż 12,5 %. Sprawdź znak dziesiętny, walutę, jednostkę i kolumnę z ceną zakupu. Nic nie zapisano. Potwierdź import, jeśli tak ma być',
  )
})

test('a sentence that has no words stays as it is, and none keeps the process', () => {
  expect(reasonIn('de', 'somebody has pulled the plug')).toBe('somebody has pulled the plug')
  expect(faultIn('pl', 'of_a_newer_release')).toBe('of a newer release')
  const began = performance.now()
  for (const unit of ['a', ': ', 'the path ', '. Also: ', ', not "', 'line 3, a '])
    expect(reasonIn('de', unit.repeat(1_000).slice(0, 1_000)).length).toBeGreaterThan(0)
  expect(performance.now() - began).toBeLessThan(2_000)
})
