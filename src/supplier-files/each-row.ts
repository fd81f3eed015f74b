import { LIMITS } from '../platform/limits.ts'
import type { RawRow, ReadLimits, Row } from './rows.ts'

// Records that list their articles, as products list their versions: one row for each article, with what the record says of all of them.

/**
 * Makes a row of each element of the list at a dotted path. A row is its record, with the one element in the place of the list: `title` is that of the
 * record, and `variants.sku` that of the element. Each list on the path is taken apart, so that `products.variants` reads lists within a list. A record
 * without the list, or with an empty one, is a row as it is. Rows of a record have its line.
 * @param path as `each` of a mapping has it
 */
export async function* eachRow(
  pages: AsyncIterable<RawRow[]>,
  path: string,
  limits: ReadLimits,
): AsyncGenerator<RawRow[]> {
  const names = path.split('.')
  for await (const page of pages) {
    let ready: RawRow[] = []
    for (const raw of page) {
      if (!('row' in raw) || 'part' in raw || Array.isArray(raw.row)) {
        ready.push(raw)
        continue
      }
      const { line } = raw
      let left = limits.importGroupRowsMax
      // each row is a copy of its record: a large one with a long list would take too much
      let members = LIMITS.importEachMembersMax
      for (const row of apart(raw.row as Members, names, 0)) {
        members -= Object.keys(row).length
        if (--left < 0 || members < 0) {
          ready.push({
            line,
            fault: `has too many rows in ${JSON.stringify(path)}: ask for one record for each article`,
          })
          break
        }
        ready.push({ line, row: row as Row })
        if (ready.length < limits.importPageRows) continue
        yield ready
        ready = []
      }
    }
    if (ready.length > 0) yield ready
  }
}

type Members = Readonly<Record<string, unknown>>

function* apart(value: Members, names: readonly string[], at: number): Generator<Members> {
  const name = names[at]
  const inner = name === undefined || !Object.hasOwn(value, name) ? undefined : value[name]
  const list = (Array.isArray(inner) ? (inner as unknown[]) : [inner]).filter(isObject)
  if (name === undefined || list.length === 0) {
    yield value
    return
  }
  for (const member of list) for (const one of apart(member, names, at + 1)) yield { ...value, [name]: one }
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
