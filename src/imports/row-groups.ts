import { LIMITS } from '../platform/limits.ts'
import type { Condition } from '../supplier-files/mapping/mapping.ts'
import type { Remark } from '../supplier-files/remarks.ts'

/** The first rows of a group: where they begin, and what is in their first cells. */
export interface RowExample {
  line: number
  cells: string[]
}

/**
 * Rows of a file that an owner may want to look at although nothing is wrong with them. `left-out`: they meet a condition of the mapping's
 * `skip`; `part`: they were added to other rows; `sum`, `header`, `note`: they are about no article; `without-cost`: their cost is empty, so that their products have no price.
 */
export interface RowGroup {
  kind: 'left-out' | 'part' | 'without-cost' | Remark
  /** The condition that they meet; null for other kinds. */
  condition: Condition | null
  count: number
  /** The first LIMITS.importRowExamples. */
  examples: RowExample[]
}

/** Groups such rows; there are no more groups than the mapping has conditions, and five. */
export class RowGroups {
  readonly #groups = new Map<string | Condition, RowGroup>()

  /** @param cells what is in the row's first cells; asked only for an example */
  add(kind: RowGroup['kind'], condition: Condition | null, line: number, cells: () => string[]): void {
    const key = condition ?? kind
    let group = this.#groups.get(key)
    if (group === undefined) this.#groups.set(key, (group = { kind, condition, count: 0, examples: [] }))
    group.count++
    if (group.examples.length < LIMITS.importRowExamples) group.examples.push({ line, cells: cells() })
  }

  /** The groups, the most frequent first. */
  groups(): RowGroup[] {
    return [...this.#groups.values()].toSorted((a, b) => b.count - a.count).slice(0, LIMITS.importRefusalGroupsMax)
  }
}
