// The table of input rules: for each kind of value how it is stored, or the message with which it is refused, by every way of input. docs/input-rules.md has the same rules.

import { CONTENTS } from './content-rules.ts'

/** The ways of input: a JSON body, a row of a bulk, a supplier's file as CSV and as NDJSON, and an option of a command. */
export const DOORS = ['body', 'bulk', 'csv', 'ndjson', 'command'] as const
export type Door = (typeof DOORS)[number]

export interface Line {
  /** The input as JSON. CSV and commands accept only texts, so other values are skipped there unless `asText` is set. */
  given: unknown
  /** The stored value. */
  stored?: unknown
  /** Or the message of the refusal; `bare` if the value does not follow it. */
  fault?: string
  bare?: true
  /** Ways with another result, and why: a file's notation converts values before the rule applies. */
  but?: Partial<Record<Door, string>>
}

export interface Rule {
  /** The name in docs/input-rules.md. */
  kind: string
  /** Ways that do not accept this kind, and why. */
  without: Partial<Record<Door, string>>
  /** Numbers are sent as text in CSV and commands. */
  asText?: true
  lines: readonly Line[]
}

/** A placeholder for the id of an existing product. */
export const PRODUCT = 'the product'

const NO_TEXT = 'is no value of a bulk or file'
const CONFIGURATION = { bulk: NO_TEXT, csv: NO_TEXT, ndjson: NO_TEXT }
const OFFERS_ONLY = { command: 'offers and products have no commands' }
const COMMA = 'a file may have decimal commas'
const EMPTY_CELL = 'an empty cell is no value'
const TRIMMED = 'cells are trimmed'
const AS_DIGITS = 'a number in a file is its digits'
const AS_WORD = 'true and false in a file are words'
const DECIMAL = 'must be a decimal such as "12.50"'
const QUANTITY = 'must be a quantity such as 12, ">10" or "10+"'
const STRING = 'must be a string'
const LOST = 'has more digits than a JSON number keeps exactly; send it as a string'
const amountDigits = 'must have at most 15 digits before the decimal point and 6 after it'
const rateDigits = 'must have at most 12 digits before the decimal point and 12 after it'
const percentDigits = 'must have at most 8 digits before the decimal point and 4 after it'
const CURRENCY = 'must be an ISO 4217 currency code such as EUR'
const LOCALE = 'must be a BCP 47 language tag such as en or pl-PL'
const EAN = 'must be an EAN of digits, blanks and dashes'
const CONDITION = 'must be one of new, refurbished, used, damaged'
const COUNTRY = 'must be the code of a country, two letters such as DE (ISO 3166-1)'
const TARIFF = 'must be a customs tariff number of 6 to 12 digits, such as 8201.10.00'
const WEIGHT =
  'must be a weight above 0 and below 1,000,000 kg such as "0.35", "350 g" or "12 oz", with at most 6 decimals'
const LENGTH =
  'must be a length above 0 and below 1,000,000 cm such as "30", "300 mm" or "12 in", with at most 6 decimals'
const LIST_PRICE =
  'must be a price above 0 such as "129.90" or "129.90 EUR", with at most 15 digits before the decimal point and 6 after it'
const NO_PRICE = '0 in a file is no list price'
const NO_WEIGHT = '0 in a file is no weight'
const NO_LENGTH = '0 in a file is no length'
const NO_NUMBER = 'a file says what is wrong with its number'
const URL = 'must be an absolute http or https URL without blanks'
const DAY = 'must be a day such as 2026-11-30'
const SLUG = 'must be 1 to 63 of a-z, 0-9 and -, not starting or ending with -'
const ID = 'must be an ID: a whole number above 0'
const WHOLE = 'must be a whole number'
const many = (count: number, of: (i: number) => string) => Array.from({ length: count }, (_, i) => of(i))

export const RULES: readonly Rule[] = [
  {
    kind: 'Amount',
    without: {},
    lines: [
      { given: '12.50', stored: '12.5' },
      { given: 12.5, stored: '12.5' },
      { given: '012.500', stored: '12.5' },
      { given: '1.10000000', stored: '1.1' },
      { given: '0', stored: '0' },
      { given: '-0', stored: '0' },
      { given: -0, stored: '0' },
      { given: 1e2, stored: '100' },
      { given: 1e-6, stored: '0.000001' },
      { given: 1e-7, fault: amountDigits },
      { given: '999999999999999.999999', stored: '999999999999999.999999' },
      { given: '1234567890123456', fault: amountDigits },
      { given: '1.1234567', fault: amountDigits },
      { given: 123456789012345, stored: '123456789012345' },
      { given: 1e22, fault: amountDigits },
      { given: 0.1 + 0.2, fault: LOST, bare: true },
      { given: 1234567890.1234567, fault: LOST, bare: true },
      { given: '-1', fault: 'must be at least 0' },
      { given: -0.5, fault: 'must be at least 0' },
      { given: '1e3', fault: DECIMAL },
      { given: '+5', fault: DECIMAL },
      { given: 'dear', fault: DECIMAL },
      { given: '1.2.3', fault: DECIMAL },
      { given: '0x10', fault: DECIMAL },
      { given: '１', fault: DECIMAL },
      { given: '12,5', fault: DECIMAL, but: { csv: COMMA, ndjson: COMMA } },
      { given: '.5', fault: DECIMAL, but: { csv: 'a file may leave out a 0', ndjson: 'a file may leave out a 0' } },
      { given: '5.', fault: DECIMAL, but: { csv: 'a file may leave out a 0', ndjson: 'a file may leave out a 0' } },
      { given: '1 000', fault: DECIMAL, but: { csv: 'thousands are notation', ndjson: 'thousands are notation' } },
      { given: ' 5', fault: DECIMAL, but: { csv: TRIMMED, ndjson: TRIMMED } },
      { given: '', fault: DECIMAL, but: { csv: EMPTY_CELL, ndjson: EMPTY_CELL } },
      { given: true, fault: DECIMAL },
      { given: {}, fault: DECIMAL, but: { ndjson: 'the mapping names members of objects' } },
    ],
  },
  {
    kind: 'Rate',
    without: CONFIGURATION,
    lines: [
      { given: '4.2875', stored: '4.2875' },
      { given: '04.500', stored: '4.5' },
      { given: 1e-7, stored: '0.0000001' },
      { given: '0.000000000001', stored: '0.000000000001' },
      { given: '0.0000000000001', fault: rateDigits },
      { given: '1234567890123', fault: rateDigits },
      { given: '0', fault: 'must be above 0', bare: true },
      { given: '-4', fault: 'must be above 0', bare: true },
      { given: '4,5', fault: DECIMAL },
      { given: '', fault: DECIMAL },
    ],
  },
  {
    kind: 'Percentage',
    without: CONFIGURATION,
    lines: [
      { given: '25.00', stored: '25' },
      { given: 12.5, stored: '12.5' },
      { given: '-100', stored: '-100' },
      { given: '-100.5', fault: 'must be at least -100' },
      { given: '1.00005', fault: percentDigits },
      { given: '123456789', fault: percentDigits },
      { given: '25%', fault: DECIMAL },
    ],
  },
  {
    kind: 'Quantity',
    without: { command: 'no command takes one' },
    lines: [
      { given: 12, stored: 12 },
      { given: '12', stored: 12 },
      { given: '007', stored: 7 },
      { given: '>10', stored: 10 },
      { given: '> 10', stored: 10 },
      { given: '>=10', stored: 10 },
      { given: '10+', stored: 10 },
      { given: 0, stored: 0 },
      { given: -0, stored: 0 },
      { given: -3, stored: 0 },
      { given: '-3', stored: 0 },
      { given: 1.9, stored: 1 },
      { given: '1.9', stored: 1 },
      { given: '100.0000', stored: 100 },
      { given: -0.5, stored: 0 },
      { given: 1e2, stored: 100 },
      { given: 2147483647, stored: 2147483647 },
      { given: 2147483648, fault: 'must be at most 2147483647' },
      { given: '2147483648', fault: 'must be at most 2147483647' },
      { given: 1.2345678901234567, fault: LOST, bare: true },
      { given: 'many', fault: QUANTITY },
      { given: '<5', fault: QUANTITY },
      { given: '5-10', fault: QUANTITY },
      { given: '--3', fault: QUANTITY },
      { given: '+5', fault: QUANTITY },
      { given: '1e3', fault: QUANTITY },
      { given: '1,5', fault: QUANTITY },
      { given: '', fault: QUANTITY, but: { csv: 'an empty cell is 0', ndjson: 'an empty cell is 0' } },
      { given: true, fault: QUANTITY, but: { ndjson: 'true is a word of availability' } },
    ],
  },
  {
    kind: 'EAN',
    without: OFFERS_ONLY,
    lines: [
      { given: '4006381333931', stored: '4006381333931' },
      { given: '4006381-333 931', stored: '4006381333931' },
      { given: '0012345678905', stored: '0012345678905' },
      { given: '123', stored: '123' },
      { given: '12345678901234', stored: '12345678901234' },
      { given: '123456789012345', fault: 'must have at most 14 digits' },
      { given: '4.00638E+12', fault: EAN },
      { given: '12a', fault: EAN },
      { given: '１２', fault: EAN },
      { given: '-', fault: EAN },
      { given: '', fault: EAN, but: { csv: EMPTY_CELL, ndjson: EMPTY_CELL } },
      { given: 96385074, fault: STRING, but: { ndjson: AS_DIGITS } },
    ],
  },
  {
    kind: 'Images',
    without: OFFERS_ONLY,
    lines: [
      { given: ['https://i.example/a.jpg'], stored: ['https://i.example/a.jpg'] },
      { given: ['HTTP://i.example/a%20b.jpg?x=1'], stored: ['HTTP://i.example/a%20b.jpg?x=1'] },
      {
        given: ['https://i.example/a', 'https://i.example/b', 'https://i.example/a'],
        stored: ['https://i.example/a', 'https://i.example/b'],
      },
      { given: ['https://i.example/a b.jpg'], stored: ['https://i.example/a%20b.jpg'] },
      { given: ['https://i.example/a\tb.jpg'], fault: URL },
      { given: ['https://'], fault: URL },
      { given: ['ftp://i.example/a'], fault: URL },
      { given: ['javascript:alert(1)'], fault: URL },
      { given: ['/a.jpg'], fault: URL },
      { given: ['//i.example/a'], fault: URL, but: { csv: 'is taken as https', ndjson: 'is taken as https' } },
      { given: [`https://i.example/${'x'.repeat(2048)}`], fault: 'must have at most 2048 characters', bare: true },
      {
        given: many(101, (i) => `https://i.example/${i}`),
        fault: 'must have at most 100 entries, not 101',
        bare: true,
      },
      { given: [''], fault: 'must not be empty', bare: true, but: { csv: EMPTY_CELL, ndjson: EMPTY_CELL } },
      { given: [5], fault: STRING, but: { csv: 'has no types', ndjson: AS_DIGITS } },
    ],
  },
  {
    kind: 'Currency',
    without: {},
    lines: [
      { given: 'EUR', stored: 'EUR' },
      { given: 'usd', stored: 'USD' },
      { given: 'Chf', stored: 'CHF' },
      { given: 'EURO', fault: CURRENCY },
      { given: 'XXQ', fault: CURRENCY },
      { given: '€', fault: CURRENCY },
      { given: 'ＥＵＲ', fault: CURRENCY },
      { given: 'EUR ', fault: CURRENCY, but: { csv: TRIMMED, ndjson: TRIMMED } },
      { given: '', fault: CURRENCY, but: { csv: EMPTY_CELL, ndjson: EMPTY_CELL } },
      { given: true, fault: STRING, but: { ndjson: AS_WORD } },
    ],
  },
  {
    kind: 'Condition',
    without: OFFERS_ONLY,
    lines: [
      { given: 'new', stored: 'new' },
      { given: 'Refurbished', stored: 'refurbished' },
      { given: 'https://schema.org/UsedCondition', stored: 'used' },
      { given: 'DamagedCondition', stored: 'damaged' },
      { given: null, stored: null },
      { given: '', stored: null },
      { given: 'fast neu', fault: CONDITION },
      { given: 'constructor', fault: CONDITION },
      { given: 5, fault: STRING, but: { ndjson: AS_DIGITS } },
    ],
  },
  {
    kind: 'Country',
    without: OFFERS_ONLY,
    lines: [
      { given: 'DE', stored: 'DE' },
      { given: 'pl', stored: 'PL' },
      { given: ' At ', stored: 'AT' },
      { given: null, stored: null },
      { given: '', stored: null },
      { given: 'Germany', fault: COUNTRY },
      { given: 'UK', fault: COUNTRY },
      { given: 'EU', fault: COUNTRY },
      { given: 'DEU', fault: COUNTRY },
      { given: true, fault: STRING, but: { ndjson: AS_WORD } },
    ],
  },
  {
    kind: 'Tariff number',
    without: OFFERS_ONLY,
    lines: [
      { given: '820110', stored: '820110' },
      { given: '8201.10.00', stored: '82011000' },
      { given: ' 8201 10 00 90 ', stored: '8201100090' },
      { given: '0101210000', stored: '0101210000' },
      { given: '123456789012', stored: '123456789012' },
      { given: null, stored: null },
      { given: '', stored: null },
      { given: '82011', fault: TARIFF },
      { given: '1234567890123', fault: TARIFF },
      { given: '8201-10', fault: TARIFF },
      { given: 'DE820110', fault: TARIFF },
      { given: 820110, fault: STRING, but: { ndjson: AS_DIGITS } },
    ],
  },
  {
    kind: 'Weight',
    without: OFFERS_ONLY,
    lines: [
      { given: '0.350', stored: '0.35' },
      { given: '350 g', stored: '0.35' },
      { given: '350g', stored: '0.35' },
      { given: '12 OZ', stored: '0.340194' },
      { given: '2 lbs', stored: '0.907185' },
      { given: '0.000001', stored: '0.000001' },
      { given: '999999.999999', stored: '999999.999999' },
      { given: null, stored: null },
      { given: '', stored: null },
      { given: '0', fault: WEIGHT, but: { csv: NO_WEIGHT, ndjson: NO_WEIGHT } },
      { given: '0.0001 g', fault: WEIGHT },
      { given: '1000000', fault: WEIGHT },
      { given: '3 t', fault: WEIGHT },
      { given: 0.35, fault: STRING, but: { ndjson: AS_DIGITS } },
    ],
  },
  {
    kind: 'Length',
    without: OFFERS_ONLY,
    lines: [
      { given: '30.50', stored: '30.5' },
      { given: '300 mm', stored: '30' },
      { given: '1.2M', stored: '120' },
      { given: '12 in', stored: '30.48' },
      { given: '12"', stored: '30.48' },
      { given: '1 ft', stored: '30.48' },
      { given: '999999.999999', stored: '999999.999999' },
      { given: null, stored: null },
      { given: '', stored: null },
      { given: '0', fault: LENGTH, but: { csv: NO_LENGTH, ndjson: NO_LENGTH } },
      { given: '-3', fault: LENGTH },
      { given: '1000000', fault: LENGTH },
      { given: '1e9', fault: LENGTH, but: { csv: NO_NUMBER, ndjson: NO_NUMBER } },
      { given: '30 x 20', fault: LENGTH, but: { csv: NO_NUMBER, ndjson: NO_NUMBER } },
      { given: '3 kg', fault: LENGTH },
      { given: 30, fault: STRING, but: { ndjson: AS_DIGITS } },
    ],
  },
  {
    kind: 'List price',
    without: OFFERS_ONLY,
    lines: [
      { given: '129.90', stored: '129.9' },
      { given: '129.90 eur', stored: '129.9 EUR' },
      { given: '0129.900', stored: '129.9' },
      { given: '0.000001', stored: '0.000001' },
      { given: null, stored: null },
      { given: '', stored: null },
      { given: '0', fault: LIST_PRICE, but: { csv: NO_PRICE, ndjson: NO_PRICE } },
      { given: '-1', fault: LIST_PRICE, but: { csv: NO_NUMBER, ndjson: NO_NUMBER } },
      { given: '1.1234567', fault: LIST_PRICE, but: { csv: NO_NUMBER, ndjson: NO_NUMBER } },
      { given: 'dear', fault: LIST_PRICE, but: { csv: NO_NUMBER, ndjson: NO_NUMBER } },
      { given: '12 XXL', fault: LIST_PRICE, but: { csv: NO_NUMBER, ndjson: NO_NUMBER } },
      { given: 129.9, fault: STRING, but: { ndjson: AS_DIGITS } },
    ],
  },
  CONTENTS,
  {
    kind: 'Locale',
    without: { ndjson: 'a mapping names locales, whatever the format; csv stands for both' },
    lines: [
      { given: 'en', stored: 'en' },
      { given: 'PL-pl', stored: 'pl-PL' },
      { given: 'zh-hans-cn', stored: 'zh-Hans-CN' },
      { given: 'en_GB', fault: `${LOCALE}, not "en_GB"; did you mean "en-GB"?`, bare: true },
      { given: 'english!', fault: `${LOCALE}, not "english!"; did you mean "en"?`, bare: true },
      { given: 'german', fault: `${LOCALE}, not "german"; did you mean "de"?`, bare: true },
      { given: 'de-XX', fault: `${LOCALE}, not "de-XX"; did you mean "de"?`, bare: true },
      { given: 'e', fault: LOCALE },
      { given: ' en', fault: `${LOCALE}, not " en"; did you mean "en"?`, bare: true },
      { given: `en-${'x-a'.repeat(60)}`, fault: LOCALE },
      { given: '', fault: LOCALE, but: { csv: 'a field ends in a locale or has none' } },
    ],
  },
  {
    kind: 'Text',
    without: {
      csv: 'texts of offers may be left empty, see below',
      ndjson: 'texts of offers may be left empty, see below',
    },
    lines: [
      { given: 'Ünï 工具', stored: 'Ünï 工具' },
      { given: ' outer blanks ', stored: 'outer blanks' },
      { given: '\u00a0\ufeffzero\u200bwidth\u200d\u2060\u00ad', stored: 'zero\u200bwidth' },
      { given: ` ${'x'.repeat(200)}\u200b`, stored: 'x'.repeat(200) },
      // a joiner after a virama is part of the last letter of a Malayalam word
      { given: 'അവന്\u200d', stored: 'അവന്\u200d' },
      { given: '😀'.repeat(200), stored: '😀'.repeat(200) },
      { given: 'x'.repeat(201), fault: 'must have at most 200 characters', bare: true },
      { given: '', fault: 'must not be empty', bare: true },
      { given: ' \t', fault: 'must not be empty', bare: true },
      { given: '\u200b', fault: 'must not be empty', bare: true },
      { given: '\u00ad\u200d\ufeff\u3164', fault: 'must not be empty', bare: true },
      { given: 'a\0b', fault: 'must not contain NUL', bare: true },
      { given: 'a\ud800', fault: 'must not contain half of a surrogate pair', bare: true },
      { given: 5, fault: STRING },
    ],
  },
  {
    kind: 'Optional text',
    without: OFFERS_ONLY,
    lines: [
      { given: 'Acme', stored: 'Acme' },
      { given: '', stored: null },
      { given: ' ', stored: null },
      { given: '\u200b\u2060', stored: null },
      { given: '\u00ad', stored: null },
      { given: null, stored: null },
      { given: ' Acme ', stored: 'Acme' },
      { given: '\u200bAcme\u200d', stored: 'Acme' },
      { given: '😀'.repeat(200), stored: '😀'.repeat(200) },
      { given: 'x'.repeat(201), fault: 'must have at most 200 characters', bare: true },
      {
        given: 'a\0b',
        fault: 'must not contain NUL',
        bare: true,
        but: { csv: 'a file with NUL is taken for a binary one' },
      },
      {
        given: 'a\ud800',
        fault: 'must not contain half of a surrogate pair',
        bare: true,
        but: { csv: 'bytes hold no such half' },
      },
      { given: 5, fault: STRING, but: { ndjson: AS_DIGITS } },
    ],
  },
  {
    kind: 'Key',
    without: { ...OFFERS_ONLY, csv: 'keys are of the mapping', ndjson: 'keys are of the mapping' },
    lines: [
      { given: 'color', stored: 'color' },
      { given: ' color\u200b', stored: ' color\u200b' },
      { given: 'x'.repeat(101), fault: 'must have at most 100 characters', bare: true },
      { given: '', fault: 'must not be empty', bare: true },
      { given: '\u200b', fault: 'must not be empty', bare: true },
    ],
  },
  {
    kind: 'SKU',
    without: OFFERS_ONLY,
    lines: [
      { given: 'A-1 b/ü', stored: 'A-1 b/ü' },
      { given: '007', stored: '007' },
      { given: 'x'.repeat(201), fault: 'must have at most 200 characters', bare: true },
      {
        given: ' A',
        fault: 'must not begin or end with a blank',
        bare: true,
        but: { csv: TRIMMED, ndjson: TRIMMED },
      },
      { given: '', fault: 'must not be empty', bare: true, but: { csv: 'is required', ndjson: 'is required' } },
      { given: '\u200b', fault: 'must not be empty', bare: true },
      { given: 7, fault: STRING, but: { ndjson: AS_DIGITS } },
    ],
  },
  {
    kind: 'Slug or code',
    without: CONFIGURATION,
    lines: [
      { given: 'west-2', stored: 'west-2' },
      { given: 'West', fault: SLUG },
      { given: 'a b', fault: SLUG },
      { given: '-a', fault: SLUG },
      { given: 'ä', fault: SLUG },
      { given: 'a'.repeat(64), fault: SLUG },
      { given: '', fault: SLUG },
    ],
  },
  {
    kind: 'ID',
    without: { csv: 'files name no IDs', ndjson: 'files name no IDs' },
    asText: true,
    lines: [
      { given: PRODUCT, stored: PRODUCT },
      { given: 0, fault: ID },
      { given: -1, fault: ID },
      { given: 1.5, fault: ID },
      { given: 'acme', fault: ID },
      { given: 9007199254740992, fault: ID },
    ],
  },
  {
    kind: 'Day',
    without: CONFIGURATION,
    lines: [
      { given: '2026-11-30', stored: '2026-11-30' },
      { given: '2028-02-29', stored: '2028-02-29' },
      { given: '2026-02-29', fault: DAY },
      { given: '0000-01-01', fault: DAY },
      { given: '2026-13-01', fault: DAY },
      { given: '2026-1-1', fault: DAY },
      { given: '2026-11-30T00:00:00Z', fault: DAY },
      { given: '', fault: DAY },
    ],
  },
  {
    kind: 'Whole number',
    without: CONFIGURATION,
    asText: true,
    lines: [
      { given: 5, stored: 5 },
      { given: -5, stored: -5 },
      { given: 1000001, fault: `${WHOLE} from -1000000 to 1000000` },
      { given: 1.5, fault: WHOLE },
      { given: 'five', fault: WHOLE },
      { given: '5', fault: WHOLE, but: { command: 'a command line knows texts alone' } },
    ],
  },
]
