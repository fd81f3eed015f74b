import { must } from '../../platform/must.ts'
import { lettersOf } from './name-letters.ts'

// Decides whether rows with the same group number are versions of one article, or articles of one group of merchandise. The name of the column does
// not show it.

/** Names of columns with group numbers, as `lettersOf` writes them. */
export const GROUP_ID = /^(?:item|product|variant|variation)?groupid$/u
/** Names that mean the product in some files, and in others a model that many articles fit, or a number of versions. */
const MAYBE_PRODUCT = /^product$|^(?:model|style)(?:code|id|no|number)?$/
/** Whether the name of a column leaves open if rows that share its values are versions of one product. */
export const isMaybeOfVersions = (name: string): boolean =>
  GROUP_ID.test(lettersOf(name)) || MAYBE_PRODUCT.test(lettersOf(name))
/** Names that show that the rows of a group are versions. */
const OF_VERSIONS = /^varia/
/** The name for groups of versions in feeds for search engines; `Item Group ID` of other systems may mean merchandise. */
const OF_FEEDS = /(?:^|[:.@])item_?group_?id$/i
/** Names of columns with the name of a group of merchandise. */
const GROUP_NAME =
  /^(?:item|product|article)?groups?(?:names?|texts?|labels?|bezeichnung|description|category|categoryname|path)?$/

/** The share of groups with several rows that must look like versions. */
const ALIKE_SHARE = 0.8
/** If groups have more rows than this on average, similar titles do not make them versions. */
const ROWS_MAX = 20
/** The least share of the shortest title with which all titles of a group must begin. */
const BEGINNING_SHARE = 0.4

interface Numbered {
  /** The column with the numbers. */
  name: string
  /** All columns. */
  names: readonly string[]
  values: (name: string) => readonly string[]
  titles: readonly string[]
  options: { values: readonly string[]; isLoose: boolean }
  category: string | undefined
}

/** Whether rows with the same number are versions of one article, as far as their titles and options show it. */
export function isOfVersions({ name, names, values, titles, options, category }: Numbered): boolean {
  const called = lettersOf(name)
  if (OF_VERSIONS.test(called)) return true
  const numbers = values(name)
  const groups = [...Map.groupBy(numbers.keys(), (row) => must(numbers[row]))]
    .filter(([number, rows]) => number !== '' && rows.length > 1)
    .map(([, rows]) => rows)
  if (groups.length === 0) return false
  const label = GROUP_ID.test(called) ? names.find((one) => one !== name && GROUP_NAME.test(lettersOf(one))) : undefined
  if (label !== undefined && !areTitles(values(label), groups, titles.map(values))) return false
  if (category !== undefined && !OF_FEEDS.test(name) && isNumberOf(numbers, values(category), groups)) return false
  const most = (test: (rows: readonly number[]) => boolean) => groups.filter(test).length >= groups.length * ALIKE_SHARE
  const differ = (rows: readonly number[]) => {
    const said = rows.map((row) => options.values.map((column) => values(column)[row] ?? ''))
    return (
      said.every((texts) => texts.some((text) => text !== '')) &&
      new Set(said.map((texts) => JSON.stringify(texts))).size === rows.length
    )
  }
  const titlesOf = (column: string, rows: readonly number[]) =>
    rows.flatMap((row) => values(column)[row]?.trim() || []).map((title) => title.toLowerCase())
  const areOfOne = (rows: readonly number[]) => titles.some((column) => isOfOne(titlesOf(column, rows)))
  // any article may have a color, so loose options need a common word in the titles, too
  if (most((rows) => (OF_FEEDS.test(name) || differ(rows)) && (!options.isLoose || areOfOne(rows)))) return true
  const isSmall = groups.flat().length <= groups.length * ROWS_MAX
  return isSmall && titles.some((column) => most((rows) => beginAlike(titlesOf(column, rows))))
}

/** Whether numbers are ids of the categories beside them: each number belongs to one category, and each category to one number. */
function isNumberOf(
  numbers: readonly string[],
  categories: readonly string[],
  groups: readonly (readonly number[])[],
): boolean {
  const pairs = new Set(
    numbers.flatMap((number, row) => (number === '' ? [] : [JSON.stringify([number, categories[row] ?? ''])])),
  )
  const isEach = (texts: readonly string[]) => new Set(texts.filter((text) => text !== '')).size === pairs.size
  // rows with the category, but without the number, show that the two are different things
  const isElsewhere = new Set(categories.filter((_, row) => numbers[row] !== ''))
  return (
    groups.length > 1 &&
    isEach(numbers) &&
    isEach(categories.filter((_, row) => numbers[row] !== '')) &&
    !categories.some((text, row) => numbers[row] === '' && isElsewhere.has(text))
  )
}

/** Whether the titles of most groups begin with the name of their group, which has several words. */
function areTitles(
  labels: readonly string[],
  groups: readonly (readonly number[])[],
  titles: readonly (readonly string[])[],
): boolean {
  const isTitle = (rows: readonly number[]) => {
    const label = (labels[rows[0] ?? 0] ?? '').trim().toLowerCase()
    return (
      wordsOf(label).length > 1 &&
      titles.some((column) => rows.every((row) => column[row]?.trim().toLowerCase().startsWith(label) === true))
    )
  }
  return groups.filter(isTitle).length >= groups.length * ALIKE_SHARE
}

const wordsOf = (title: string) => title.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

/** Whether the titles have a word in common. */
function isOfOne(titles: readonly string[]): boolean {
  const [first = [], ...others] = titles.map((title) => wordsOf(title).filter((word) => word.length > 2))
  return first.some((word) => others.every((words) => words.includes(word)))
}

/** Whether titles begin with the same words, which make up a large part of the shortest. A version may lack a title. */
function beginAlike(titles: readonly string[]): boolean {
  if (titles.length < 2) return titles.length > 0
  const [first = [], ...others] = titles.map(wordsOf)
  const end = first.findIndex((word, at) => others.some((words) => words[at] !== word))
  const shared = (end === -1 ? first : first.slice(0, end)).join(' ').length
  return shared > 0 && shared >= Math.min(...titles.map((title) => wordsOf(title).join(' ').length)) * BEGINNING_SHARE
}
