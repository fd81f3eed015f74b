import { share, textAt, type Column, type SampleRows } from './sample-columns.ts'

// Finds out how a column writes the path of a category, by its values.

/** The least share of values with a sign from which it is a separator, and not part of a category's name. */
const SOME = 0.1
/** Whether at least half of the values have letters. Numbers alone are ids of a system. */
export const hasWords = ({ values }: Column): boolean => share(values, (value) => /\p{L}/u.test(value)) >= 0.5

/** Signs between the levels of a path, as files write them, with the replacements by "/". The first one that is found is used. */
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

/** The share of values that begin and end with the sign between levels from which it frames the paths, and the pattern for the text within. */
const FRAMED = 0.8
const FRAME = '^[|/\\>]*(.*?)[|/\\>]*$'

/** The prefix or suffix by which the name of a column of subgroups differs from that of the upper groups: `SCat`, `Subcategoria`, `Untergruppe`. */
const BELOW =
  /^(?:sub|s|sous|sotto|under|unter|onder|pod|под|підк?|alt|al|ala|alam)[\s_.-]*(?=\p{L}{3})|(?:[\s_.-]*(?:2|ii|level[\s_-]?2|lvl[\s_-]?2))$/iu
const stemOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[\s_.-]*(?:1|i)?$/u, '')
    .replace(/^(?:main|haupt|ana|grand)[\s_.-]*/u, '')

/** The least share of subgroups that belong to a single upper group. */
const WITHIN_SHARE = 0.9
/** With fewer rows, the values do not show which groups contain which. */
const LEVEL_ROWS_MIN = 3

/** The column that subdivides the groups of another one: it has such a name, and nearly each of its groups belongs to one upper group. */
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

/** The number of the second level at the end of a column's name: `categoria2`. */
const SECOND = /2$/
const LEVELS_MAX = 6

/** The columns of the lower levels, from the second one down: `categoria2`, `categoria3`. A lower level may be empty in rows with a shorter path. */
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

/** If fewer than this share of rows have a category, each may apply to the rows below it. */
const GAPS_SHARE = 0.5

/** How many rows have no category of their own because each category is only in the first of its rows, as with merged cells; 0 if that is not so. */
export function rowsBelowCategory(name: string, rows: SampleRows): number {
  const texts = rows.map((row) => textAt(row, name))
  const filled = texts.filter((text) => text !== '')
  const isOnce = new Set(filled).size === filled.length && filled.length >= 2
  return isOnce && texts[0] !== '' && filled.length < texts.length * GAPS_SHARE ? texts.length - filled.length : 0
}

/** Separators between several categories of an article, of which the first counts. */
const BETWEEN = ['\n', ';', '|', ',']
/** A character reference of HTML, whose semicolon is no separator. */
const ENTITY = /&#?\w{2,8};/

/**
 * The first levels of paths that follow a comma after different other paths: `Brands` in `Home > Tools, Brands > Acme` and
 * `Garden > Soil, Brands > Acme`.
 */
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
        // `computers;phones` is no name of one category, even without levels
        if (sign === ';' && inner === undefined)
          return !ENTITY.test(value) && pieces.every((piece) => piece.trim() !== '')
        if (inner === undefined || !pieces.every((piece) => piece.includes(inner))) return false
        // `Home > Cooking, Dining > Pots` is one path if no other path begins with `Dining`, which only follows `Home > Cooking`
        return sign !== ',' || pieces.slice(1).some((piece) => beginnings.has(beginningOf(piece)))
      }) > SOME,
  )
  // `|Toys|Dolls|` begins and ends with the sign, and a path without its last level ends with it
  const isFramed =
    inner !== undefined &&
    (share(values, (value) => value.startsWith(inner) && value.endsWith(inner)) > FRAMED ||
      share(values, (value) => value.endsWith(inner)) > SOME)
  if (between === undefined && level.length === 0) return isList ? { column: name, take: 0 } : name
  return {
    column: name,
    ...(between === undefined ? {} : { split: between }),
    ...(between === undefined && !isList ? {} : { take: 0 }),
    ...(isFramed && between === undefined ? { capture: FRAME } : {}),
    ...(level.length === 0 ? {} : { replace: level.map((pair) => [...pair]) }),
  }
}
