import { LIMITS } from '../platform/limits.ts'
import type { Condition } from '../supplier-files/mapping/mapping.ts'
import type { Remark } from '../supplier-files/remarks.ts'

/** An example of a group: the row's line, and the contents of its first cells. */
export interface RowExample {
  line: number
  cells: string[]
}

/**
 * Rows of a file that an owner may want to look at although they are not refused. `left-out`: they meet a condition of the mapping's `skip`; `part`:
 * they were merged into other rows; `sum`, `header`, `note`: they describe no article; `without-cost`: their cost is empty, so their products have no
 * price.
 */
export interface RowGroup {
  kind: 'left-out' | 'part' | 'without-cost' | Remark
  /** The condition that they meet; null for other kinds. */
  condition: Condition | null
  count: number
  /** The first LIMITS.importRowExamples. */
  examples: RowExample[]
}

/** Collects such groups: at most one for each condition of the mapping, and five others. */
export class RowGroups {
  readonly #groups = new Map<string | Condition, RowGroup>()

  /** @param cells returns the contents of the row's first cells; called only for examples */
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
