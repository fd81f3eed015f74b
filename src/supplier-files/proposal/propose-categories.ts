import { CategoryTree } from '../category-tree.ts'
import { openContent } from '../content.ts'
import type { CategorySettings } from '../mapping/mapping.ts'
import { defaultLimits } from '../rows.ts'
import { readText } from '../text.ts'
import { isAtPath, parseRecords, takeCategory, type ElementPath } from '../xml/parse.ts'
import { columnsOf, type Column, type SampleRows } from './sample-columns.ts'
import { streamOf } from './trial.ts'

// Finds the categories that an XML document has before its articles, which name them by their ids, as feeds for Yandex, Rozetka and Prom do.
// docs/decisions/272-categories-are-read-by-their-ids.md says why.

/** Names of elements that are categories, and of members with their ids. */
const CATEGORY = /categor|kategor|rubri|gro?up|section|раздел|категор|групп|група/iu
/** The members of a category that may have its id, its name and the id of its parent, the likelier ones first. */
const IDS = ['@id', 'id', '@ID', 'ID', '@Id', 'Id', '@category_id', 'category_id', 'code', '@code']
const NAMES = ['#text', '@name', 'name', 'title', 'Name', 'NAME', '@title']
const PARENTS = [
  '@parentId',
  '@parent_id',
  '@parentID',
  '@ParentId',
  'parentId',
  'parent_id',
  'parentID',
  'ParentId',
  'parent',
  '@parent',
]
/** The least share of the articles' ids that must be those of categories. */
const KNOWN_MIN = 0.6
/** How many categories are read at most. */
const CATEGORIES_MAX = 5_000

/**
 * The categories before the articles at `items`; undefined if there are none, or if the articles do not refer to them.
 * @param head the beginning of the file
 */
export async function categoriesBefore(
  head: Buffer,
  encoding: string | undefined,
  items: string,
  rows: SampleRows,
): Promise<CategorySettings | undefined> {
  const named = columnsOf(rows).filter(({ name }) => CATEGORY.test(name))
  if (named.length === 0) return undefined
  for (const [path, values] of await categoriesAt(head, encoding, items.split('.'))) {
    const [id, name] = [memberAmong(IDS, values), memberAmong(NAMES, values)]
    if (id === undefined || name === undefined) continue
    const parent = memberAmong(PARENTS, values, 1)
    const found = { items: path, id, name, ...(parent === undefined ? {} : { parent }) }
    const tree = new CategoryTree(defaultLimits.importCatalogGroupsBytesMax)
    for (const value of values) takeCategory(tree, value, found)
    const of = named.find((column) => refersTo(column, tree))
    if (of !== undefined) return { ...found, of: of.name }
  }
  return undefined
}

const refersTo = ({ values }: Column, tree: CategoryTree): boolean =>
  values.length > 0 && values.filter((value) => tree.has(value)).length >= values.length * KNOWN_MIN

/** The elements before the first article whose names are those of categories, by their paths. */
async function categoriesAt(
  head: Buffer,
  encoding: string | undefined,
  items: ElementPath,
): Promise<Map<string, unknown[]>> {
  const found = new Map<string, unknown[]>()
  const isArticle = isAtPath(items)
  // the list of categories has such a name, too
  const isCategory = (at: ElementPath) =>
    CATEGORY.test(at.at(-1) ?? '') && CATEGORY.test(at.at(-2) ?? '') && at.length <= items.length + 1
  try {
    const content = await openContent(streamOf(head), undefined, defaultLimits)
    const text = readText(content.bytes, encoding, Infinity)
    let count = 0
    for await (const records of parseRecords(text, (at) => isArticle(at) || isCategory(at), defaultLimits)) {
      for (const { path, value } of records) {
        if (isArticle(path) || ++count > CATEGORIES_MAX) return found
        const place = path.join('.')
        const known = found.get(place)
        if (known === undefined) found.set(place, [value])
        else known.push(value)
      }
    }
  } catch {
    // the reading says what is wrong
  }
  return found
}

/** The first of these members that all categories have, or as many as `least`. */
function memberAmong(names: readonly string[], values: readonly unknown[], least = values.length): string | undefined {
  const has = (value: unknown, name: string) =>
    typeof value === 'string'
      ? name === '#text' && value.trim() !== ''
      : typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return names.find((name) => values.filter((value) => has(value, name)).length >= least)
}
