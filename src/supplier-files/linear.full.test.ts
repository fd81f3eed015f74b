import { describe, expect, it } from 'vitest'
import { compileConvert } from './conversion/convert.ts'
import { parseMapping, type AttributeSource, type Source } from './mapping/mapping.ts'
import { compilePattern } from './mapping/pattern.ts'
import { beginRow } from './row-work.ts'
import { memberLookup } from './rows.ts'

// A text of twice the length takes twice the time, for sources and texts that are difficult for each of them. The shortest of several measurements
// counts, because other work can only prolong one.

const SIZES = [50_000, 100_000, 200_000] as const
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'one letter': (length) => `${'a'.repeat(length)}!`,
  'two letters': (length) => 'ab'.repeat(length / 2),
  digits: (length) => `${'1.'.repeat(length / 2)}x`,
  quotes: (length) => '"'.repeat(length),
  pairs: (length) => 'a=1,'.repeat(length / 4),
  blanks: (length) => `${' '.repeat(length)}x${' '.repeat(length)}`,
}
const SOURCES: readonly Source[] = [
  'a',
  { column: 'a', capture: '^(a+)+$' },
  { column: 'a', capture: '(a|aa)+$' },
  { column: 'a', capture: '(.*)(.*)(.*)x$' },
  { column: 'a', capture: '^\\D?(\\d{8}|\\d{12,14})$' },
  {
    column: 'a',
    replace: [
      ['aa', 'a'],
      ['ab', 'ba'],
      [' ', ''],
    ],
  },
  { column: 'a', split: 'a', take: -1 },
  { column: 'a', split: ',', take: 0, number: true },
  { when: { column: 'a', matches: '^(([a-z])+.)+[A-Z]([a-z])+$' }, use: 'a', else: { constant: '' } },
  { join: ['a', { column: 'a', prefix: 'x' }], with: 'a' },
]
const ATTRIBUTES: readonly AttributeSource[] = [
  { packed: 'a', pair: ',', assign: '=' },
  { packed: 'a', pair: 'a', assign: 'b' },
]

/** The time of the shortest of several runs, in milliseconds. */
function shortest(work: () => unknown): number {
  let best = Infinity
  for (let i = 0; i < 4; i++) {
    const from = performance.now()
    work()
    best = Math.min(best, performance.now() - from)
  }
  return best
}

function isLinear(work: (text: string) => unknown, text: (length: number) => string): void {
  const times = SIZES.map((size) => {
    const long = text(size)
    return shortest(() => work(long))
  })
  const [first = 0, , last = 0] = times
  // four times the length: quadratic work would take sixteen times as long. Times below some milliseconds are noise, and texts that no longer fit a
  // cache take several times as long.
  expect(last, times.map((time) => time.toFixed(2)).join(', ')).toBeLessThan(Math.max(first, 8) * 9)
}

describe.each(Object.entries(TEXTS))('%s', (_, text) => {
  it.each(SOURCES.map((source) => [JSON.stringify(source), source] as const))('%s', (_name, source) => {
    const { convert } = compileConvert(
      parseMapping({
        locale: 'en',
        fields: { sku: { constant: 'S' }, title: source, cost: source, quantity: source, images: source },
      }),
      memberLookup,
    )
    isLinear((long) => convert({ a: long }), text)
  })

  it.each(ATTRIBUTES.map((source) => [JSON.stringify(source), source] as const))('%s', (_name, source) => {
    const { convert } = compileConvert(
      parseMapping({ fields: { sku: { constant: 'S' }, attributes: [source] } }),
      memberLookup,
    )
    isLinear((long) => convert({ a: long }), text)
  })

  it.each(['(x+x+)+y', '(.*a){20}', '([a-zA-Z]+)*$'])('the expression %s', (expression) => {
    const pattern = compilePattern(expression)
    isLinear(
      (long) => {
        beginRow(Infinity)
        return pattern.matches(long)
      },
      (length) => text(length / 2),
    )
  })
})
