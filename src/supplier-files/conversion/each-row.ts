import { isObject } from '../../input/is-object.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import { articleSuffix, type RawRow, type ReadLimits, type Row } from '../rows.ts'

// Splits records that list their articles, such as products with a list of versions, into one row per article, each with the record's own members.

/**
 * Makes a row of each element of the list at a dotted path. A row is a copy of the record with the element in place of the list: `title` is that of
 * the record, and `variants.sku` that of the element. Each list on the path is split, so that `products.variants` reads lists within a list. A record
 * without the list, or with an empty one, becomes one row unchanged. All rows of a record have its line. An element that is no object is a row with a
 * fault.
 * @param path the value of `each` in the mapping
 * @param onList called for each record whose list has elements
 */
export async function* eachRow(
  pages: AsyncIterable<RawRow[]>,
  path: string,
  limits: ReadLimits,
  onList: () => void = () => {},
): AsyncGenerator<RawRow[]> {
  const names = path.split('.')
  const yielding = openYielding()
  for await (const page of pages) {
    let ready: RawRow[] = []
    /** Members of the copies in the page. Copies of large records fill a page with fewer rows. */
    let copied = 0
    for (const raw of page) {
      if (!('row' in raw) || 'part' in raw || Array.isArray(raw.row)) {
        ready.push(raw)
        continue
      }
      const { line } = raw
      let left = limits.importGroupRowsMax
      const copying = { members: 0, hasList: false }
      let before = 0
      let article = 0
      for (const row of expanded(raw.row as Members, names, 0, copying)) {
        // bounded, because each row is a copy of its record: a large record with a long list would take too much memory
        if (--left < 0 || row === TOO_MANY) {
          ready.push({
            line,
            fault: `has too many rows in ${JSON.stringify(path)}: ask for one record for each article`,
          })
          break
        }
        article++
        if (row === NO_OBJECT)
          ready.push({
            line,
            fault: `has a single value among the elements of ${JSON.stringify(path)}: it is no article${articleSuffix(article)}`,
          })
        else ready.push(copying.hasList ? { line, row: row as Row, article } : { line, row: row as Row })
        copied += copying.members - before
        before = copying.members
        if (ready.length >= limits.importPageRows || copied >= LIMITS.importEachMembersMax) {
          yield ready
          ready = []
          copied = 0
        }
        const pause = yielding()
        if (pause !== null) await pause
      }
      if (copying.hasList) onList()
    }
    if (ready.length > 0) yield ready
  }
}

type Members = Readonly<Record<string, unknown>>

/** Yielded for an element that is a text or a number among elements that are objects. */
const NO_OBJECT = Symbol('no object')
/** Yielded once the copies of a record have more members than the limit. */
const TOO_MANY = Symbol('too many')

interface Copying {
  /** How many members have been copied, at all levels of the path. */
  members: number
  hasList: boolean
}

function* expanded(
  value: Members,
  names: readonly string[],
  at: number,
  copying: Copying,
): Generator<Members | typeof NO_OBJECT | typeof TOO_MANY> {
  const name = names[at]
  const inner = name === undefined || !Object.hasOwn(value, name) ? undefined : value[name]
  const list = Array.isArray(inner) ? (inner as unknown[]) : [inner]
  if (name === undefined || !list.some(isObject)) {
    yield value
    return
  }
  if (at === names.length - 1) copying.hasList = true
  const size = Object.keys(value).length
  for (const member of list) {
    if (!isObject(member)) {
      if (member !== null && member !== '') yield NO_OBJECT
      continue
    }
    for (const one of expanded(member, names, at + 1, copying)) {
      copying.members += size
      if (copying.members > LIMITS.importEachMembersMax) {
        yield TOO_MANY
        return
      }
      yield typeof one === 'symbol' ? one : { ...value, [name]: one }
    }
  }
}
