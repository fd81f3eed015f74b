import type { Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import { idsTake } from './import-rows.sql.ts'

// Ids come from sequences of the whole installation, so the rows of an archive get new ones. They are assigned in the order of the old ones: rules of
// equal priority, groups and pages of products keep their order.

/** The id column of each kind. Ids of products and of variant groups by hand come from sequences of their own. */
const COLUMNS = {
  account: 'account_id',
  store: 'store_id',
  customer_group: 'group_id',
  supplier: 'supplier_id',
  product: 'product_id',
  pricing_rule: 'rule_id',
  own_variant_group: 'group_id',
  channel_file: 'channel_id',
  endpoint: 'endpoint_id',
} as const

export type IdKind = keyof typeof COLUMNS

export const idColumn = (kind: IdKind): string => COLUMNS[kind]

/** Kinds whose rows may have been deleted while others still refer to them. */
const MAY_BE_GONE: readonly IdKind[] = ['customer_group', 'pricing_rule']

interface Block {
  /** The first new id of the block. */
  first: number
  /** One bit for each id of the block: whether a product has it. */
  there: Uint8Array
}

const SIZE = LIMITS.idBlockSize

/** Assigns the new ids of one import. */
export class NewIds {
  readonly #tx: Tx
  readonly #known = new Map<IdKind, Map<number, number>>()
  readonly #gone = new Map<IdKind, number>()
  readonly #blocks = new Map<number, Block>()
  readonly #last = new Map<IdKind, number>()

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** Takes one unused id for each kind, which replaces ids of deleted rows. */
  async open(): Promise<void> {
    for (const kind of MAY_BE_GONE) this.#gone.set(kind, must((await idsTake(this.#tx, kind, COLUMNS[kind], 1))[0]))
  }

  /**
   * Assigns new ids to rows, which must be in the order of their old ids.
   * @returns the new ids, or the index of the first row whose old id is not above the previous one
   */
  async give(kind: IdKind, old: readonly number[]): Promise<{ ids: number[] } | { wrong: number }> {
    let last = this.#last.get(kind) ?? -Infinity
    for (const [at, id] of old.entries()) {
      if (id <= last) return { wrong: at }
      last = id
    }
    this.#last.set(kind, last)
    if (kind === 'product') return { ids: await this.#giveProducts(old) }
    const ids = await idsTake(this.#tx, kind, COLUMNS[kind], old.length)
    const known = this.#known.get(kind) ?? new Map<number, number>()
    this.#known.set(kind, known)
    for (const [at, id] of old.entries()) known.set(id, must(ids[at]))
    return { ids }
  }

  /** Products keep their places within blocks of ids, and each old block gets a new one: memory grows by one bit per id. */
  async #giveProducts(old: readonly number[]): Promise<number[]> {
    const wanted = [...new Set(old.map(blockOf))].filter((block) => !this.#blocks.has(block))
    const numbers = await idsTake(this.#tx, 'product', COLUMNS.product, wanted.length)
    for (const [at, block] of wanted.entries())
      this.#blocks.set(block, { first: must(numbers[at]) * SIZE, there: new Uint8Array(SIZE / 8) })
    return old.map((id) => {
      const { first, there } = must(this.#blocks.get(blockOf(id)))
      const place = id % SIZE
      there[place >> 3] = must(there[place >> 3]) | (1 << (place & 7))
      return first + place
    })
  }

  isGone(kind: IdKind, old: number): boolean {
    return this.#known.get(kind)?.has(old) !== true
  }

  /** The new id for an old one; for a row that may have been deleted, an id that no row has; undefined: it is not in the archive. */
  of(kind: IdKind, old: number): number | undefined {
    if (kind !== 'product') return this.#known.get(kind)?.get(old) ?? this.#gone.get(kind)
    const block = this.#blocks.get(blockOf(old))
    const place = old % SIZE
    return block !== undefined && (must(block.there[place >> 3]) & (1 << (place & 7))) !== 0
      ? block.first + place
      : undefined
  }
}

const blockOf = (id: number) => Math.floor(id / SIZE)
