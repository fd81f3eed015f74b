import { slicesBySize } from '../db/statements/statement-slices.ts'
import { offerCharacters } from '../model/offer-size.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import type { ProductInputs } from '../resolve/inputs.ts'

// Bounds on what is in memory at a time: texts of products, and their payloads in all stores. docs/decisions/256-what-is-held-is-bounded-by-bytes.md
// says why.

/** Characters of the heavy products of a batch, by id. */
export type Weights = ReadonlyMap<number, number>

/**
 * The next products to be read together.
 * @param most the largest number of products, as estimated from those before.
 * @returns at least one id; more only while the heavy ones among them stay within LIMITS.statementCharacters.
 */
export function nextSlice(ids: readonly number[], at: number, most: number, weights: Weights): number[] {
  let characters = 0
  let end = at
  while (end < ids.length && end - at < most) {
    characters += weights.get(must(ids[end])) ?? 0
    if (end > at && characters > LIMITS.statementCharacters) break
    end++
  }
  return ids.slice(at, end)
}

/** All of these products in slices that are read one after the other. */
export function* slicesOf(ids: readonly number[], most: number, weights: Weights): Generator<number[]> {
  for (let at = 0; at < ids.length;) {
    const slice = nextSlice(ids, at, most, weights)
    at += slice.length
    yield slice
  }
}

/**
 * How many of these products one transaction shelves in so many stores: as many as can be written in some seconds. Other transactions wait for its
 * locks, and a process that is killed loses its work. docs/decisions/256-what-is-held-is-bounded-by-bytes.md says why.
 * @returns at least one.
 */
export function countThatFits(ids: readonly number[], weights: Weights, stores: number): number {
  let characters = 0
  for (const [i, id] of ids.entries()) {
    characters += (weights.get(id) ?? 0) * Math.max(1, stores)
    if (i > 0 && characters > LIMITS.shelveTransactionCharacters) return i
  }
  return ids.length
}

/** Products that are resolved together, in the stores of `account`. */
interface Part<Account> {
  account: Account
  products: readonly ProductInputs[]
}

/**
 * Products in parts that are resolved one after the other, so that the payloads of a part are at most a few times LIMITS.statementCharacters. A
 * product that exceeds this alone is resolved in some stores at a time; the others as many together as fit.
 */
export function* partsOf<Account extends { stores: readonly unknown[] }>(
  account: Account,
  products: readonly ProductInputs[],
): Generator<Part<Account>> {
  const { stores } = account
  // texts in all languages, for each store: several times the size of the payloads
  const charactersMax = (4 * LIMITS.statementCharacters) / Math.max(1, stores.length)
  const usual: { product: ProductInputs; characters: number }[] = []
  for (const product of products) {
    const characters = charactersOf(product)
    if (characters <= charactersMax || stores.length <= 1) {
      usual.push({ product, characters })
      continue
    }
    // the stores of a part are resolved without yielding: 4 MB would take a tenth of a second
    const atOnce = Math.max(1, Math.floor(LIMITS.statementCharacters / 4 / characters))
    for (let at = 0; at < stores.length; at += atOnce)
      yield { account: { ...account, stores: stores.slice(at, at + atOnce) }, products: [product] }
  }
  for (const part of slicesBySize(usual, ({ characters }) => characters, charactersMax))
    yield { account, products: part.map(({ product }) => product) }
}

/** Rough number of characters in a product's texts, attributes and picture URLs, the only parts that can be long. */
export function charactersOf({ offers, overrides, attributeOverrides }: ProductInputs): number {
  let sum = 0
  for (const offer of offers) sum += offerCharacters(offer)
  for (const { value } of overrides) sum += value.length
  for (const { value } of attributeOverrides) sum += value?.length ?? 0
  return sum
}
