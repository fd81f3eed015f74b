import type { Schema } from './strict-document.ts'

// Values that a member must refuse, derived from its documented schema and, where the schema is only a text, from its name.

/** A value as JSON text, which can be one that JSON.stringify never writes, and the reason why it is bad. */
export interface Bad {
  json: string
  why: string
  /** Refused as JSON (400) instead of as a value (422). */
  isMalformed?: boolean
}

const bad = (value: unknown, why: string): Bad => ({ json: JSON.stringify(value), why })
const raw = (json: string, why: string): Bad => ({ json, why })

const options = (schema: Schema): Schema[] => schema.anyOf ?? [schema]
const typeOf = (schema: Schema): string =>
  schema.const !== undefined
    ? 'literal'
    : schema.patternProperties !== undefined || schema.type === 'object'
      ? 'object'
      : (schema.type ?? 'any')

/** Several values of each JSON type, so that a member that accepts one form of a type is tried with others. */
const OF_TYPE: Readonly<Record<string, Bad[]>> = {
  string: [bad('x', 'a text'), bad('5', 'digits as text')],
  integer: [bad(7, 'a number')],
  number: [
    bad(7.25, 'a number with a fraction'),
    raw('1e400', 'a number too large for any'),
    raw('-1e400', 'a number too small for any'),
  ],
  boolean: [bad(true, 'true'), bad(false, 'false')],
  object: [
    bad({}, 'an empty object'),
    raw('{"__proto__":{"x":1}}', 'an object with __proto__'),
    bad({ a: { b: 1 } }, 'an object'),
  ],
  array: [bad([], 'an empty list'), bad([[]], 'a list of lists'), bad([null], 'a list of null')],
  null: [bad(null, 'null')],
}

const TEXTS: readonly Bad[] = [
  raw(String.raw`"A\u0000B"`, 'NUL'),
  raw(String.raw`"A\ud800B"`, 'half of a surrogate pair'),
  raw(String.raw`"\udc00"`, 'the other half'),
]
const LONG = bad('x'.repeat(300_000), 'far too long')

/** Invalid texts by the name of the member. */
const BY_NAME: readonly [RegExp, readonly string[]][] = [
  [/^locale$/, ['', 'e', 'xx_yy_', 'not a locale', 'en-', 'x'.repeat(80), '*', 'en\u00a0']],
  [/^currency$/, ['', 'EU', 'EURO', 'eur ', '€', 'XXQ', '123', 'ＥＵＲ']],
  [/^time_zone$/, ['', 'Mars/Olympus', '../etc/passwd', '+25:00']],
  [/^(slug|code)$/, ['', 'With Space', 'UPPER', 'ä', 'a/b', 'a'.repeat(64), '..', '%2e']],
  [
    /^(valid_from|valid_to)$/,
    ['', '2026-02-30', '26-01-01', '2026-13-01', 'tomorrow', '2026-1-1', '2026-01-01T00:00:00Z'],
  ],
  [/^ean$/, ['', '12a', '123456789012345', '１２']],
  [
    /^quantity$/,
    [
      '',
      ' ',
      'many',
      '<5',
      '5-10',
      '--3',
      '+5',
      '1,5',
      '1 000',
      '>',
      '+',
      '>>5',
      '5++',
      '1e3',
      '1.',
      '.5',
      '0x10',
      '２',
      '2147483648',
    ],
  ],
  [/^(format|kind|action|field)$/, ['', 'other', 'constructor', '__proto__', 'MARKUP']],
  [/^(name|path)$/, ['']],
  [
    /^sku_pattern$/,
    [
      '',
      '{',
      '{nothing}',
      '{sku|nothing}',
      '{sku|first:x}',
      '}{',
      '{sku',
      '{constructor}',
      '{sku|constructor}',
      '{sku|pad:999999999}',
    ],
  ],
  [/^link_template$/, ['', 'javascript:alert(1)', 'no address', 'ftp://x/{sku}', '//x/{sku}']],
]

const DECIMALS = [
  '',
  ' ',
  '1,5',
  '1e5',
  '0x10',
  'NaN',
  'Infinity',
  '-',
  '.5',
  '5.',
  '1.0000000000001',
  '1234567890123456',
  '１',
  '1 000',
  '+1',
  '--1',
  '1.5.5',
  '${1}',
]

/** Values that a member must refuse by its schema and by its name. */
export function badValues(name: string, schema: Schema): Bad[] {
  const allowed = new Set(options(schema).map(typeOf))
  if (allowed.has('any')) return []
  const isDecimal = options(schema).some(({ pattern }) => pattern?.startsWith(String.raw`^-?\d+`) === true)
  const values: Bad[] = []
  for (const [type, ofType] of Object.entries(OF_TYPE)) {
    const isTaken =
      allowed.has(type) ||
      (type === 'string' && allowed.has('literal')) ||
      (type === 'integer' && allowed.has('number'))
    if (!isTaken) values.push(...ofType)
  }
  if (allowed.has('literal')) values.push(bad('x', 'none of its words'))
  if (allowed.has('number') || allowed.has('integer')) values.push(...OF_TYPE['number']!.slice(1))
  if (isDecimal)
    values.push(
      ...DECIMALS.map((text) => bad(text, `the amount «${text}»`)),
      raw('0.1234567890123456789', 'more digits than a number holds'),
      raw('1e-13', 'finer than amounts are'),
      raw('1e300', 'larger than amounts are'),
      ...(/(?:^|_)rate$/.test(name) ? [bad('0', 'zero'), bad('-1', 'below zero'), bad(0, 'zero')] : []),
    )
  if (allowed.has('string') && !isDecimal) values.push(...TEXTS, LONG)
  if (allowed.has('integer'))
    values.push(
      raw('9007199254740993', 'beyond what a number holds exactly'),
      raw('9223372036854775808', 'beyond 64 bits'),
      bad(2 ** 40, 'beyond what is counted in'),
      bad(-(2 ** 40), 'far below zero'),
    )
  if (name === 'quantity')
    values.push(
      raw('9007199254740993', 'beyond what a number holds exactly'),
      raw('9223372036854775808', 'beyond 64 bits'),
      raw('1.2345678901234567', 'more digits than a number holds'),
      bad(2 ** 31, 'one more than is counted in'),
      bad(2 ** 40, 'beyond what is counted in'),
    )
  if (allowed.has('integer') && name.endsWith('_id'))
    values.push(
      bad(0, 'zero'),
      bad(-1, 'below zero'),
      bad(999_999_999, 'an unknown id'),
      raw('9007199254740991', 'an unknown id'),
    )
  for (const option of options(schema)) {
    if (option.type === 'array' && option.items !== undefined) {
      if ((option.minItems ?? 0) === 0) values.splice(0, values.length, ...values.filter(({ json }) => json !== '[]'))
      else values.push(bad([], 'an empty list'))
      if (name.endsWith('_ids'))
        values.push(
          ...[
            '[0]',
            '[-1]',
            '["1"]',
            '[1.5]',
            '[999999999]',
            '[9007199254740991]',
            '[9007199254740993]',
            '[9223372036854775808]',
            '[1e400]',
            '[null]',
            '[{}]',
          ].map((json) => raw(json, `the ids ${json}`)),
        )
      else
        values.push(
          ...badValues(name === 'eans' ? 'ean' : name, option.items).map(({ json, why }) =>
            raw(`[${json}]`, `a list of ${why}`),
          ),
        )
      if (name === 'images')
        values.push(
          ...['ftp://x/y', 'no address', '', 'javascript:1', 'http://', '//x/y'].map((text) =>
            bad([text], `the image «${text}»`),
          ),
        )
    }
  }
  if (allowed.has('string'))
    for (const [form, texts] of BY_NAME)
      if (form.test(name)) values.push(...texts.map((text) => bad(text, `«${text}»`)))
  return values
}

/** Maps with a bad key or a bad value, by the name of the map. `good` is a valid entry's value. */
export function badEntries(name: string, good: string): Bad[] {
  const locales = [
    '',
    'not a locale',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'x'.repeat(300),
    String.raw`a\u0000`,
    String.raw`\ud800`,
  ]
  const keys: Readonly<Record<string, string[]>> = {
    title: locales,
    description: locales,
    labels: locales,
    units: locales,
    texts: locales,
    listings: ['', 'nowhere', 'constructor', '__proto__', 'toString', 'valueOf', '*'],
    exclusions: ['', 'nowhere', 'constructor', '__proto__', 'toString', 'valueOf'],
    rounding: ['', 'eu', 'eur ', 'XXQ', 'constructor', '__proto__', 'toString'],
    attributes: ['', 'x'.repeat(300), String.raw`a\u0000`, String.raw`\ud800`],
    options: [String.raw`a\u0000`, String.raw`\ud800`],
  }
  return (keys[name] ?? []).map((entry) => raw(`{"${entry}":${good}}`, `the entry «${entry.slice(0, 40)}»`))
}
