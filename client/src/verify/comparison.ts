import type { ChangeList, Cursor, DigestList, List, Product, ProductTags } from '../answers.ts'
import type { ChangesQuery, DigestQuery, Export, ListQuery, OfStore, TagsQuery } from '../queries.ts'
import type { Pages } from '../sync/whole-export.ts'
import type { Difference } from './differences.ts'
import type { Damage, VerifiableTarget } from './held.ts'

// What a comparison is given, and what comes of it.

/** What is read of the service: the client has it. */
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

/** What has changed since the mirror's cursor, read as often as it is asked for. */
export interface Changes {
  ids: ReadonlySet<number>
  readOn(): Promise<void>
}

export type Kind = 'missing' | 'superfluous' | 'different'

export interface Finding {
  id: number
  kind: Kind
  /** Of the first findings of a store alone, so that a mirror that is all wrong takes no more memory. */
  differences: Difference[] | null
}

export interface Comparison {
  store: string
  /** Products of the service. */
  products: number
  /** By ID ascending. */
  findings: Finding[]
  damages: Damage[]
  /** How many products have changed after the cursor: they are not compared. */
  changed: number
  /** The time of the cursor. */
  asOf: string
  /** Of the mirror, at which it was compared. */
  cursor: Cursor
}
