import { LIMITS } from '../platform/limits.ts'
import type { ProductInputs } from '../resolve/inputs.ts'
import type { ShelvedAccount } from './inputs/compiled-inputs.ts'

// What is held of products at a time: their texts, and payloads in all stores.
// docs/decisions/256-what-is-held-is-bounded-by-bytes.md says why.

/** Characters of the products of a batch that are heavy, by id. */
export type Weights = ReadonlyMap<number, number>

/**
 * The next products to be read together.
 * @param most how many at most, by what those before them came to
 * @returns at least one; more only as long as the heavy ones among them are within a statement's characters.
 */
export function nextSlice(ids: readonly number[], at: number, most: number, weights: Weights): number[] {
  let characters = 0
  let end = at
  while (end < ids.length && end - at < most) {
    characters += weights.get(ids[end] ?? 0) ?? 0
    if (end > at && characters > LIMITS.statementCharacters) break
    end++
  }
  return ids.slice(at, end)
}

/** Products that are resolved together, in the stores of `account`. */
interface Part {
  account: ShelvedAccount
  products: readonly ProductInputs[]
}

/**
 * Products in parts of which the payloads in all stores are at most a few times what a statement may have: few products, and of a product that exceeds it
 * alone, some stores after the others.
 */
export function* partsOf(account: ShelvedAccount, products: readonly ProductInputs[]): Generator<Part> {
  const most = LIMITS.statementCharacters / Math.max(1, account.stores.length)
  let part: ProductInputs[] = []
  let sum = 0
  for (const product of products) {
    const characters = charactersOf(product)
    if (characters > 4 * most && account.stores.length > 1) {
      // its stores are resolved in one turn: of 4 MB that would take a tenth of a second
      const atOnce = Math.max(1, Math.floor(LIMITS.statementCharacters / 4 / characters))
      for (let at = 0; at < account.stores.length; at += atOnce)
        yield { account: { ...account, stores: account.stores.slice(at, at + atOnce) }, products: [product] }
      continue
    }
    // what offers say in all languages, for each store: several times what becomes payloads
    if (part.length > 0 && sum + characters > 4 * most) {
      yield { account, products: part }
      part = []
      sum = 0
    }
    part.push(product)
    sum += characters
  }
  if (part.length > 0) yield { account, products: part }
}

/** How long a product's texts are, roughly: of what can be long, there is nothing else. */
export function charactersOf({ offers, overrides, attributeOverrides }: ProductInputs): number {
  let sum = 0
  for (const { texts, attributes, images, imageAlts } of offers) {
    for (const text of Object.values(texts)) for (const value of Object.values(text)) sum += value?.length ?? 0
    for (const { value } of attributes) sum += value.length
    for (const url of images) sum += url.length
    if (imageAlts !== null) sum += JSON.stringify(imageAlts).length
  }
  for (const { value } of overrides) sum += value.length
  for (const { value } of attributeOverrides) sum += value?.length ?? 0
  return sum
}
