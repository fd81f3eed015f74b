import type { Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import { idsTake } from './import-rows.sql.ts'

// Ids come from sequences of the whole installation, so rows of an archive get new ones, in their order: rules of equal priority, groups and pages of
// products stay in the order that they had.

/** Each with the column that has its ids; of a product, and of a group that the owner made, sequences of their own give them. */
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

/** Kinds whose rows may be gone while others still name them. */
const MAY_BE_GONE: readonly IdKind[] = ['customer_group', 'pricing_rule']

interface Block {
  /** The first id of the block here. */
  first: number
  /** Which ids of the block there are, a bit each. */
  there: Uint8Array
}

const SIZE = LIMITS.idBlockSize

/** The new ids of one import. */
export class NewIds {
  readonly #tx: Tx
  readonly #known = new Map<IdKind, Map<number, number>>()
  readonly #gone = new Map<IdKind, number>()
  readonly #blocks = new Map<number, Block>()
  readonly #last = new Map<IdKind, number>()

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** Takes an id for each kind in place of those that no longer exist. */
  async open(): Promise<void> {
    for (const kind of MAY_BE_GONE) this.#gone.set(kind, must((await idsTake(this.#tx, kind, COLUMNS[kind], 1))[0]))
  }

  /**
   * New ids for rows, which come in the order of their old ids.
   * @returns the index of the first row whose id is not behind the one before it, if there is one
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

  /** Products keep their places in blocks of ids, of which there are as many new ones: memory grows by a bit for each. */
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

  /** The new id of something; of what may be gone one that nothing has; undefined: it is not in the archive. */
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
