import { say } from '../../../contract/remarks/remarks.ts'
import { fieldOfArticle } from './column-names.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { Warn } from '../rows.ts'
import { memberText } from '../rows.ts'
import type { SampleRows } from './sample-columns.ts'
import { isGtin } from './value-kinds.ts'

// Finds lists that a ready mapping does not read: versions with keys of their own, which a shop has added to a format without versions.
// docs/decisions/240-what-a-name-alone-does-not-say-is-asked.md says why.

const DEPTH_MAX = 3
const RECORDS_MAX = 50

/** Adds the paths of lists whose elements all have a key or an EAN of their own, with the greatest number of elements. */
function listsAmong(record: unknown, path: string, depth: number, found: Map<string, number>): void {
  if (typeof record !== 'object' || record === null || depth > DEPTH_MAX) return
  for (const [name, value] of Object.entries(record)) {
    const here = path === '' ? name : `${path}.${name}`
    if (!Array.isArray(value)) listsAmong(value, here, depth + 1, found)
    else if (value.length > 1 && value.every(isOneOfArticles))
      found.set(here, Math.max(found.get(here) ?? 0, value.length))
  }
}

/** Whether an element has a key or an EAN of its own. */
function isOneOfArticles(element: unknown): boolean {
  if (typeof element !== 'object' || element === null) return false
  return Object.entries(element).some(([name, value]) => {
    const text = memberText(value)
    if (text === '') return false
    const field = fieldOfArticle(name)
    return field === 'ean' ? isGtin(text) : field === 'sku' && /sku|artik|ref|code/i.test(name)
  })
}

/** Asks about lists of versions that a ready mapping leaves out. */
export function askAboutListsLeftOut(mapping: Mapping, rows: SampleRows, ask: Warn): void {
  if (mapping.each !== undefined) return
  const found = new Map<string, number>()
  for (const row of rows.slice(0, RECORDS_MAX)) listsAmong(row, '', 0, found)
  const read = JSON.stringify(mapping)
  for (const [path, most] of found) {
    if (read.includes(`"${path}`)) continue
    ask(say('list_left_out', { elements: most, list: path }))
    return
  }
}
