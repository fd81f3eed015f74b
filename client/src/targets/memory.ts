import type { Batch } from '../sync/target.ts'
import type { Product } from '../answers.ts'
import type { Held, VerifiableTarget } from '../verify/held.ts'

/** How many products are serialized at a time. */
const HELD = 500

/** A mirror in memory: each process fills it anew. */
export class MemoryTarget implements VerifiableTarget {
  readonly #stores = new Map<string, { position: string | null; products: Map<number, Product> }>()

  /** The products of a store by their IDs, as they are now. */
  products(store: string): ReadonlyMap<number, Product> {
    return this.#of(store).products
  }

  #of(store: string): { position: string | null; products: Map<number, Product> } {
    const known = this.#stores.get(store)
    if (known !== undefined) return known
    const made = { position: null, products: new Map<number, Product>() }
    this.#stores.set(store, made)
    return made
  }

  position(store: string): Promise<string | null> {
    return Promise.resolve(this.#of(store).position)
  }

  apply({ store, from, position, products, removed }: Batch): Promise<boolean> {
    const held = this.#of(store)
    if (held.position !== from) return Promise.resolve(false)
    for (const product of products) held.products.set(product.id, product)
    for (const id of removed) held.products.delete(id)
    held.position = position
    return Promise.resolve(true)
  }

  ids(store: string, after: number, limit: number): Promise<number[]> {
    const ids = [...this.#of(store).products.keys()].filter((id) => id > after)
    return Promise.resolve(ids.sort((a, b) => a - b).slice(0, limit))
  }

  *held(store: string): Generator<Held[]> {
    const { products } = this.#of(store)
    const ids = [...products.keys()].sort((a, b) => a - b)
    for (let i = 0; i < ids.length; i += HELD)
      yield ids.slice(i, i + HELD).flatMap((id) => {
        const product = products.get(id)
        return product === undefined ? [] : [{ id, text: JSON.stringify(product) }]
      })
  }
}
