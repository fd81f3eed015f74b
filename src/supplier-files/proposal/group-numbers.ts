import { must } from '../../platform/must.ts'
import { lettersOf } from './name-letters.ts'

// Whether rows that have the same number of a group are versions of one article, or articles of one group of merchandise: the name of the column says
// neither.

/** A column that is called like the number of a group, as `lettersOf` writes it. */
export const GROUP_ID = /^(?:item|product|variant|variation)?groupid$/u
/** What stands for the product in some files, and in others for a model that many articles fit, or how many versions there are. */
const MAYBE_PRODUCT = /^product$|^(?:model|style)(?:code|id|no|number)?$/
/** Whether a column that rows share is not by its name alone that of the product whose versions they are. */
export const isMaybeOfVersions = (name: string): boolean =>
  GROUP_ID.test(lettersOf(name)) || MAYBE_PRODUCT.test(lettersOf(name))
/** These say that the rows of a group are versions. */
const OF_VERSIONS = /^varia/
/** Feeds of searches call that of versions so; `Item Group ID` of other systems may be of merchandise. */
const OF_FEEDS = /(?:^|[:.@])item_?group_?id$/i
/** What a group of merchandise is called. */
const GROUP_NAME =
  /^(?:item|product|article)?groups?(?:names?|texts?|labels?|bezeichnung|description|category|categoryname|path)?$/

/** The share of the groups of several rows that have to look like versions. */
const ALIKE_SHARE = 0.8
/** Groups with more rows than this, on average, are no versions by their titles alone. */
const ROWS_MAX = 20
/** The share of the shortest title that all titles of a group begin with. */
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

/** Whether the rows of one number are versions of one article, as far as their titles and options show. */
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
  // any article may have a color
  if (most((rows) => (OF_FEEDS.test(name) || differ(rows)) && (!options.isLoose || areOfOne(rows)))) return true
  const isSmall = groups.flat().length <= groups.length * ROWS_MAX
  return isSmall && titles.some((column) => most((rows) => beginAlike(titlesOf(column, rows))))
}

/** Whether numbers stand for the categories beside them: each for another one, wherever it is. */
function isNumberOf(
  numbers: readonly string[],
  categories: readonly string[],
  groups: readonly (readonly number[])[],
): boolean {
  const pairs = new Set(
    numbers.flatMap((number, row) => (number === '' ? [] : [JSON.stringify([number, categories[row] ?? ''])])),
  )
  const isEach = (texts: readonly string[]) => new Set(texts.filter((text) => text !== '')).size === pairs.size
  // a category that some rows have without a number is another thing
  const isElsewhere = new Set(categories.filter((_, row) => numbers[row] !== ''))
  return (
    groups.length > 1 &&
    isEach(numbers) &&
    isEach(categories.filter((_, row) => numbers[row] !== '')) &&
    !categories.some((text, row) => numbers[row] === '' && isElsewhere.has(text))
  )
}

/** Whether the names of groups are what their articles are called: all of a group begin with several words of its name. */
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

/** Whether a word is in each of some titles. */
function isOfOne(titles: readonly string[]): boolean {
  const [first = [], ...others] = titles.map((title) => wordsOf(title).filter((word) => word.length > 2))
  return first.some((word) => others.every((words) => words.includes(word)))
}

/** Whether titles begin with the same words, which are a large part of each. Versions may leave theirs empty. */
function beginAlike(titles: readonly string[]): boolean {
  if (titles.length < 2) return titles.length > 0
  const [first = [], ...others] = titles.map(wordsOf)
  const end = first.findIndex((word, at) => others.some((words) => words[at] !== word))
  const shared = (end === -1 ? first : first.slice(0, end)).join(' ').length
  return shared > 0 && shared >= Math.min(...titles.map((title) => wordsOf(title).join(' ').length)) * BEGINNING_SHARE
}
