import i18next from 'i18next'
import { describe, expect, test } from 'vitest'
import {
  REMARK_CODES,
  REMARKS,
  remarkMembers,
  remarkOf,
  remarksMembers,
  say,
  type RemarkCode,
  type ValuesOf,
} from '../../contract/remarks/remarks.ts'
import { formsOf, type Kind } from '../../contract/remarks/sentence.ts'
import { addRemarks, remarksOf, remarkWords, type ReceivedRemark } from '../../panel/words/remarks.ts'
import { englishIn } from './english.ts'
import { remarks as de } from '../../panel/words/remarks/de.ts'
import { remarks as pl } from '../../panel/words/remarks/pl.ts'

// Every remark of the service about a file has a code, by which the panel translates it with all its values.

await i18next.init({ lng: 'de', resources: {} })
addRemarks('de', de)
addRemarks('pl', pl)

/** Names of columns, some of which look like parts of sentences. */
const NAMES = [
  'EK netto',
  'Say "when"',
  'a, "b" or "c"',
  'is that right?',
  '\\',
  'Preis\n(€)',
  '{column}',
  '$&',
  'zażółć',
]
const WORDS = ['EUR', 'PLN', 'USD']

/** Values for a sentence, different for each `place`. */
function sampleOf(kinds: Readonly<Record<string, Kind>>, place: number): Record<string, unknown> {
  const name = (at: number) => NAMES[(place + at) % NAMES.length] ?? ''
  const ofKind = (kind: Kind, at: number): unknown => {
    if (kind === 'count' || kind === 'id') return [1, 2, 5, 22, 1_234][(place + at) % 5]
    if (kind === 'decimal') return ['1250', '1.25', '-3'][place % 3]
    if (kind === 'name') return name(at)
    if (kind === 'source')
      return place % 2 === 0 ? JSON.stringify(name(at)) : JSON.stringify({ column: name(at), take: 0 })
    if (kind === 'names') return NAMES.slice(place % 3, (place % 3) + 1 + ((at + place) % 3))
    if (kind === 'words') return WORDS.slice(0, 1 + (place % 3))
    return ['cost', 'title.de', 'windows-1252'][place % 3]
  }
  return Object.fromEntries(Object.entries(kinds).map(([key, kind], at) => [key, ofKind(kind, at)]))
}

const SAMPLES = REMARK_CODES.flatMap((code) =>
  Array.from({ length: 15 }, (_, place) => ({ code, parameters: sampleOf(REMARKS[code].values, place) })),
)
/** A remark in a language, with plain spaces and without the isolation characters around names. */
const inLanguage = (remark: ReceivedRemark, language: string): string =>
  remarkWords(remark, language)
    .words.replaceAll(/\s/g, ' ')
    .replaceAll(/[\u2068\u2069]/g, '')
const english = ({ code, parameters }: { code: RemarkCode; parameters: Record<string, unknown> }): string =>
  say(code, parameters as never)

test('each sentence is read back as its code, with what is in it', () => {
  for (const sample of SAMPLES) expect(remarkOf(english(sample)), english(sample)).toEqual(sample)
})

test.each(['de', 'pl'])('no sentence has English left over in %s', (language) => {
  for (const { code, parameters } of SAMPLES) {
    // names are the file's own
    const named: readonly string[] = JSON.stringify(parameters).match(/[a-z]{2,}/gi) ?? []
    const said = inLanguage({ text: english({ code, parameters }), code, parameters }, language)
    expect([code, said, englishIn(said).filter((word) => !named.includes(word))]).toEqual([code, said, []])
  }
})

test('no sentence leaves a place open, and the text for one is that for several with other words', () => {
  for (const code of REMARK_CODES) {
    const { values, text, one } = REMARKS[code] as { values: object; text: string; one?: { of: string; text: string } }
    const placed = (words: string) => new Set([...words.matchAll(/\{([a-z]\w*)[|}]/g)].map(([, name]) => name))
    expect([code, placed(text)]).toEqual([code, new Set(Object.keys(values))])
    if (one !== undefined) expect([code, placed(one.text)]).toEqual([code, placed(text)])
  }
})

test('what several are called stays apart, whatever is in their names', () => {
  const sheets = ['a", "b', 'c']
  expect(remarkOf(say('sheets_alike', { sheets, sheet: 'd' }))).toEqual({
    code: 'sheets_alike',
    parameters: { sheets, sheet: 'd' },
  })
})

test('a sentence of a megabyte has no code, and neither has what is behind many others', () => {
  const long = say('column_empty', { column: 'a'.repeat(1_000_000) })
  expect(remarkMembers(long)).toEqual({ text: long, code: null, parameters: {} })
  expect(remarkOf(`the cost is in ${', in {'.repeat(200_000)}`)).toBeNull()
  expect(remarkOf(say('column_empty', { column: 'a'.repeat(19_000) }))).toMatchObject({ code: 'column_empty' })

  const usual = say('column_empty', { column: 'a' })
  const codes = (texts: readonly string[]) => remarksMembers(texts).map(({ code }) => code)
  expect(codes([long, usual])).toEqual([null, 'column_empty'])
  const longer = say('column_empty', { column: 'a'.repeat(15_000) })
  expect(codes([longer, longer, usual])).toEqual(['column_empty', null, 'column_empty'])
  const many = remarksMembers(Array.from({ length: 300 }, () => usual))
  expect(many.map(({ text }) => text)).toEqual(Array.from({ length: 300 }, () => usual))
  expect(many.filter(({ code }) => code !== null)).toHaveLength(100)
})

test('a sentence takes time by its length, whatever is in it', () => {
  const forms = REMARK_CODES.flatMap((code) => formsOf(REMARKS[code]))
  /** Sentences of this length: one that matches a form, and others that almost do. */
  const sentences = (length: number) => {
    const filled = (before: string, part: string, after: string) =>
      before + part.repeat(Math.ceil(length / part.length)) + after
    const isPaid = ': is that the one that you pay in?'
    return [
      say('column_empty', { column: 'a'.repeat(length) }),
      filled('the cost is in ', ', in {', ''),
      filled('the cost is in ', 'a, in {', isPaid),
      filled('the cost is in EUR, in ', '{}', isPaid),
      filled('the cost is in EUR, in {', '"}",', `; other columns have it in a${isPaid}`),
      filled('the cost is in EUR, in {}; other columns have it in ', 'a, ', isPaid),
      filled('"', String.raw`\"`, ' is taken for hundredths. Is that right?'),
      filled('', '"a", ', ' are taken for what a piece costs from a quantity on: is that right?'),
      filled('', '1: 1 values such as "', ' have ",": set "decimal" in the mapping'),
      filled(
        '',
        '1: 1 texts were encoded twice before the file was sent, with "',
        '. Imported as they are: ask the supplier to correct the export',
      ),
    ]
  }
  const timeOf = (length: number) => {
    const all = sentences(length)
    const times = [1, 2, 3, 4, 5].map(() => {
      const begun = performance.now()
      expect(all.filter((sentence) => forms.some(({ read }) => read(sentence) !== null))).toHaveLength(1)
      return performance.now() - begun
    })
    return Math.min(...times)
  }
  timeOf(1_000)
  // four times as long would take 16 times as long if every position were tried with the rest
  expect(timeOf(50_000) / timeOf(12_500)).toBeLessThan(10)
})

test('a sentence of another release has no code, and is shown as it is', () => {
  const remark = remarkMembers('something is odd')
  expect(remark).toEqual({ text: 'something is odd', code: null, parameters: {} })
  expect(remarkWords(remark, 'de')).toEqual({ words: 'something is odd', isAsItIs: true })
  // a panel that is older than the service
  const later = { text: 'new words', code: 'of_a_later_release', parameters: {} }
  expect(remarkWords(later, 'pl')).toEqual({ words: 'new words', isAsItIs: true })
  expect(remarkWords({ ...later, code: 'constructor' }, 'pl')).toEqual({ words: 'new words', isAsItIs: true })
})

test('what an older process answers has warnings alone, which are shown as they are', () => {
  const warnings = ['something is odd']
  expect(remarksOf({ warnings })).toEqual([{ text: 'something is odd', code: null, parameters: {} }])
  expect(remarksOf({ warnings, remarks: [] })).toEqual([])
})

test('a name in another direction changes nothing of the words around it', () => {
  const remark = remarkMembers(say('column_empty', { column: 'מחיר' }))
  expect(remarkWords(remark, 'de')).toEqual({
    words: '„\u2068מחיר\u2069“ ist in jeder Zeile leer.',
    isAsItIs: false,
  })
  const source = remarkMembers(say('cost_beside_rate', { cost: '{"column":"מחיר"}', rate: 'a' }))
  expect(remarkWords(source, 'pl').words).toContain('\u2068{"column":"מחיר"}\u2069')
})

describe.each(['de', 'pl'])('%s', (language) => {
  const wordsOf = (sample: (typeof SAMPLES)[number]) => inLanguage({ text: english(sample), ...sample }, language)
  const number = new Intl.NumberFormat(language)

  test('says every sentence, as one', () => {
    for (const sample of SAMPLES) {
      const said = wordsOf(sample)
      expect(said, sample.code).not.toBe(english(sample))
      expect(said).toMatch(/[.?]$/)
      expect(said).not.toMatch(/undefined|null|\[object| {2}/)
    }
  })

  test('says every value that is in it, as the language writes it', () => {
    for (const { code, parameters } of SAMPLES) {
      // languages are called by their names
      if (code === 'near_languages') continue
      const said = wordsOf({ code, parameters })
      const names = Object.entries(parameters).flatMap(([name, value]) =>
        ['name', 'names'].includes((REMARKS[code].values as Record<string, Kind>)[name] ?? '') ? [value].flat() : [],
      )
      for (const name of names) {
        const shown = `„${String(name)}${language === 'de' ? '“' : '”'}`.replaceAll(/\s/g, ' ')
        expect(said, code).toContain(shown)
      }
      const counts = Object.entries(parameters).flatMap(([name, value]) =>
        typeof value !== 'number'
          ? []
          : (REMARKS[code].values as Record<string, Kind>)[name] === 'id'
            ? String(value)
            : number.format(value).replaceAll(/\s/g, ' '),
      )
      for (const count of counts) expect(said, code).toContain(count)
    }
  })
})

test('counts and lists are said in the forms of the language', () => {
  const rows = (count: number, language: string) =>
    inLanguage(remarkMembers(say('parents_missing', { rows: count })), language)
  expect([1, 2, 5, 22, 25].map((count) => rows(count, 'pl').slice(0, 22))).toEqual([
    '1 wiersz wskazuje wier',
    '2 wiersze wskazują wie',
    '5 wierszy wskazuje wie',
    '22 wiersze wskazują wi',
    '25 wierszy wskazuje wi',
  ])
  expect(rows(1, 'de')).toMatch(/^1 Zeile nennt /)
  expect(rows(12_345, 'de')).toMatch(/^12\.345 Zeilen nennen /)
  const amount = remarkMembers(say('decimal_unknown', { example: '1.250', column: 'EK', read: '1.25', sign: ',' }))
  expect(inLanguage(amount, 'de')).toContain('wird als 1,25 gelesen')
  expect(inLanguage(remarkMembers(say('cost_tiers', { columns: ['a', 'b', 'c'] })), 'de')).toMatch(
    /^„a“, „b“ und „c“ gelten als Preise/,
  )
  expect(inLanguage(remarkMembers(say('near_languages', { languages: ['cs', 'sk'], language: 'cs' })), 'pl')).toMatch(
    /czeski i słowacki/,
  )
})

test('all verbs of a sentence are in the form of their count', () => {
  const of = <C extends RemarkCode>(code: C, parameters: ValuesOf<C>, language: string) =>
    inLanguage(remarkMembers(say(code, parameters)), language)
  const few = (count: number) => of('key_of_most', { columns: ['a'], few: count, rows: 10 }, 'pl')
  expect(few(1)).toContain('1 z 10 wierszy nie ma tu żadnej albo ma wartość innego wiersza i zostanie odrzucony.')
  expect(few(2)).toContain('2 z 10 wierszy nie mają tu żadnej albo mają wartość innego wiersza i zostaną odrzucone.')
  expect(few(5)).toContain('5 z 10 wierszy nie ma tu żadnej albo ma wartość innego wiersza i zostanie odrzuconych.')
  const gaps = (without: number) => of('key_with_gaps', { without, articles: 10, key: 'a', instead: 'b' }, 'pl')
  expect(gaps(3)).toMatch(/^3 z 10 artykułów nie mają nic w „a” i są rozpoznawane po „b”/)
  expect(gaps(6)).toMatch(/^6 z 10 artykułów nie ma nic w „a” i jest rozpoznawanych po „b”/)
  const kept = (rows: number, offers: number, language: string) => of('offers_kept', { rows, offers }, language)
  expect(kept(2, 3, 'pl')).toMatch(
    /^2 odrzucone wiersze nie mają czytelnego klucza i mogą dotyczyć każdej z 3 brakujących ofert: zachowują/,
  )
  expect(kept(1, 1, 'pl')).toMatch(
    /^1 odrzucony wiersz nie ma czytelnego klucza i może dotyczyć 1 brakującej oferty: zachowuje ona/,
  )
  expect(kept(2, 3, 'de')).toMatch(/ und können jedes der 3 fehlenden Angebote betreffen: Diese behalten ihren/)
  expect(kept(1, 1, 'de')).toMatch(
    / und kann das 1 fehlende Angebot betreffen: Es behält seinen .* dass das fehlende Angebot wegfällt\.$/,
  )
})

test('what is said of a file that was there before is read back, also as earlier releases kept it', () => {
  const aside = 'the file is that of run 12, which was set aside because it ended the process that imported it'
  const kept = [
    `${aside}: after 24 hours it is tried once more`,
    `${aside}: it is imported again 24 hours after that, when it or the mapping changes, or on request`,
    `${aside}: it is imported again when it or the mapping changes, or on request, because 3 runs of it were set aside`,
    'the file is that of run 12, which was undone: it is imported again when it or the mapping changes, or on request',
  ]
  expect(kept.map(remarkOf)).toEqual([
    { code: 'file_tried_again', parameters: { run: 12, hours: 24 } },
    { code: 'file_set_aside', parameters: { run: 12, hours: 24 } },
    { code: 'file_set_aside_for_good', parameters: { run: 12, runs: 3 } },
    { code: 'file_of_undone_run', parameters: { run: 12 } },
  ])
  // the id of a run is not formatted as a number
  expect(inLanguage(remarkMembers(say('file_of_undone_run', { run: 12_345 })), 'de')).toContain('des Laufs 12345,')
})
