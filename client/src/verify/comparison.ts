import type { ChangeList, Cursor, DigestList, List, Product, ProductTags } from '../answers.ts'
import type { ChangesQuery, DigestQuery, Export, ListQuery, OfStore, TagsQuery } from '../queries.ts'
import type { Pages } from '../sync/whole-export.ts'
import type { Difference } from './differences.ts'
import type { Damage, VerifiableTarget } from './held.ts'

// The input of a comparison, and its result.

/** The functions of the client that a comparison uses. */
export interface Shelf {
  products: Pages & { list(query: ListQuery): Promise<List<Product>> }
  changes(query: ChangesQuery): Promise<ChangeList>
  export(query: OfStore): Promise<Export>
  digest(query: DigestQuery): Promise<DigestList>
  productTags(query: TagsQuery): Promise<ProductTags>
}

export interface Comparing {
  shelf: Shelf
  target: VerifiableTarget
  store: string
  /** How many findings keep their differences. */
  detailed: number
  onProgress: (products: number) => void
  signal: AbortSignal
}

/** The products that have changed since the mirror's cursor. `readOn` adds those of the changes since the last read. */
export interface Changes {
  ids: ReadonlySet<number>
  readOn(): Promise<void>
}

export type Kind = 'missing' | 'superfluous' | 'different'

export interface Finding {
  id: number
  kind: Kind
  /** Null after the first findings of a store, so that a mirror that is all wrong does not fill the memory; and of a missing or superfluous product. */
  differences: Difference[] | null
}

export interface Comparison {
  store: string
  /** Products of the service. */
  products: number
  /** By ID ascending. */
  findings: Finding[]
  damages: Damage[]
  /** How many products have changed since the cursor: they are not compared. */
  changed: number
  /** The time of the cursor. */
  asOf: string
  /** The mirror's cursor, as of which it was compared. */
  cursor: Cursor
}
