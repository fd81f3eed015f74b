import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'

// How a column writes the path of a category, as its values show.

/** So many values have a sign that separates something, and not the name of one category. */
const SOME = 0.1
/** Whether most values have words: numbers are those of a system. */
export const hasWords = ({ values }: Column): boolean => share(values, (value) => /\p{L}/u.test(value)) >= 0.5

/** Signs between the levels of a path, as files write them; the first that is found. Each is written as "/". */
const LEVELS: readonly (readonly [RegExp, readonly [string, string][]])[] = [
  [
    /&amp;gt;/,
    [
      [' &amp;gt; ', '/'],
      ['&amp;gt;', '/'],
    ],
  ],
  [
    /&gt;/,
    [
      [' &gt; ', '/'],
      ['&gt;', '/'],
    ],
  ],
  [/ >> /, [[' >> ', '/']]],
  [/>>/, [['>>', '/']]],
  [
    />/,
    [
      [' > ', '/'],
      ['> ', '/'],
      [' >', '/'],
      ['>', '/'],
    ],
  ],
  [/\s»\s/, [[' » ', '/']]],
  [/\|\|/, [['||', '/']]],
  [
    /\|/,
    [
      [' | ', '/'],
      ['|', '/'],
    ],
  ],
  [/\\/, [['\\', '/']]],
  [/ \/ /, [[' / ', '/']]],
]

/** The share of values that begin and end with the sign between levels where it is no part of the path, and what is within it. */
const FRAMED = 0.8
const FRAME = '^[|/\\>]*(.*?)[|/\\>]*$'

/** What the name of a column of lower groups begins with, before that of the upper ones: `SCat`, `Subcategoria`, `Untergruppe`. */
const BELOW =
  /^(?:sub|s|sous|sotto|under|unter|onder|pod|под|підк?|alt|al|ala|alam)[\s_.-]*(?=\p{L}{3})|(?:[\s_.-]*(?:2|ii|level[\s_-]?2|lvl[\s_-]?2))$/iu
const stemOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[\s_.-]*(?:1|i)?$/u, '')
    .replace(/^(?:main|haupt|ana|grand)[\s_.-]*/u, '')

/** The share of lower groups that are within one of the upper ones alone. */
const WITHIN_SHARE = 0.9
/** So few rows do not show which groups are within which. */
const LEVEL_ROWS_MIN = 3

/**
 * The column of groups that are within those of another one, which both together are the path of: it is called like it, and each of its groups is in
 * one of the upper ones.
 */
function lowerCategory(upper: Column, columns: readonly Column[], rows: SampleRows): Column | undefined {
  const stem = stemOf(upper.name)
  return columns.find((column) => {
    if (column === upper || column.isList || !hasWords(column) || column.values.length < LEVEL_ROWS_MIN) return false
    const bare = column.name.replace(BELOW, '')
    const isCalled = bare !== column.name && stemOf(bare) === stem
    if (!isCalled) return false
    const within = new Map<string, Set<string>>()
    for (const row of rows) {
      const [high, low] = [textAt(row, upper.name), textAt(row, column.name)]
      if (high !== '' && low !== '') within.set(low, (within.get(low) ?? new Set()).add(high))
    }
    const uppers = [...within.values()]
    const certain = uppers.filter(({ size }) => size === 1).length
    return uppers.length >= new Set(upper.values).size && certain >= uppers.length * WITHIN_SHARE
  })
}

/** The number of a level behind the name of a column: `categoria2`. */
const SECOND = /2$/
const LEVELS_MAX = 6

/**
 * The columns of groups of the lower levels, down from one that is called like the second: `categoria2`, `categoria3`. A level may be empty in rows
 * whose path is shorter.
 */
export function levelsBelow(upper: Column, columns: readonly Column[], rows: SampleRows): Column[] {
  const second = lowerCategory(upper, columns, rows)
  if (second === undefined) return []
  const levels = [second]
  for (let level = 3; SECOND.test(second.name) && level <= LEVELS_MAX; level++) {
    const name = second.name.replace(SECOND, String(level))
    const next = columns.find((column) => column.name === name && !column.isList && hasWords(column))
    if (next === undefined) break
    levels.push(next)
  }
  return levels
}

/** The share of rows below which a category may stand for all rows below it. */
const GAPS_SHARE = 0.5

/** How many rows have no category where each stands once, before rows without one, as in a sheet whose cells are joined; 0 elsewhere. */
export function rowsBelowCategory(name: string, rows: SampleRows): number {
  const texts = rows.map((row) => textAt(row, name))
  const filled = texts.filter((text) => text !== '')
  const isOnce = new Set(filled).size === filled.length && filled.length >= 2
  return isOnce && texts[0] !== '' && filled.length < texts.length * GAPS_SHARE ? texts.length - filled.length : 0
}

/** Signs between several categories of one article, of which the first counts. */
const BETWEEN = ['\n', ';', '|', ',']
/** What stands for a sign in a text of HTML: its semicolon separates nothing. */
const ENTITY = /&#?\w{2,8};/

/** What begins a path behind a comma, and behind more than one other path: `Home > Tools, Brands > Acme` and `Garden > Soil, Brands > Acme`. */
function beginningsBehind(values: readonly string[], beginningOf: (path: string) => string): string[] {
  const behind = new Map<string, Set<string>>()
  for (const value of values) {
    const [first = '', ...others] = value.split(',')
    for (const piece of others) {
      const beginning = beginningOf(piece)
      behind.set(beginning, (behind.get(beginning) ?? new Set()).add(first.trim()))
    }
  }
  return [...behind].flatMap(([beginning, firsts]) => (firsts.size > 1 ? [beginning] : []))
}

/** The source of a category: its first path, with "/" between the levels. */
export function categorySource({ name, values, isList }: Column): unknown {
  const [, level = []] = LEVELS.find(([sign]) => share(values, (value) => sign.test(value)) > SOME) ?? []
  const [inner] = level.at(-1) ?? []
  const beginningOf = (path: string) => (inner === undefined ? path : (path.split(inner, 1)[0] ?? '')).trim()
  const beginnings = new Set([...values.map(beginningOf), ...beginningsBehind(values, beginningOf)])
  // `A > B, A > C` is two paths, and `Toys, games > Dolls` is one
  const between = BETWEEN.find(
    (sign) =>
      sign !== inner &&
      share(values, (value) => {
        const pieces = value.split(sign)
        if (pieces.length < 2) return false
        if (sign === '\n') return true
        // `computers;phones` is no name, whatever the levels are
        if (sign === ';' && inner === undefined)
          return !ENTITY.test(value) && pieces.every((piece) => piece.trim() !== '')
        if (inner === undefined || !pieces.every((piece) => piece.includes(inner))) return false
        // `Home > Cooking, Dining > Pots` is one path: no other one begins with `Dining`, which stands behind `Home > Cooking` alone
        return sign !== ',' || pieces.slice(1).some((piece) => beginnings.has(beginningOf(piece)))
      }) > SOME,
  )
  // `|Toys|Dolls|` begins and ends with the sign
  const isFramed =
    inner !== undefined && share(values, (value) => value.startsWith(inner) && value.endsWith(inner)) > FRAMED
  if (between === undefined && level.length === 0) return isList ? { column: name, take: 0 } : name
  return {
    column: name,
    ...(between === undefined ? {} : { split: between }),
    ...(between === undefined && !isList ? {} : { take: 0 }),
    ...(isFramed && between === undefined ? { capture: FRAME } : {}),
    ...(level.length === 0 ? {} : { replace: level.map((pair) => [...pair]) }),
  }
}
