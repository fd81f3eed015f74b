import { hash } from 'node:crypto'

// A digest is of any number of halves, in any order: each adds 128 bits of its product's id and its tag, by xor, and what was added before
// is taken away by adding it again. docs/decisions/162-digests-follow-from-the-tags.md says why.

/** What one half adds. */
export const elementOf = (productId: number, tag: string): bigint =>
  BigInt(`0x${hash('sha512', `${productId}:${tag}`, 'hex').slice(0, 32)}`)

/** How a digest changes with the tag of a half. @param before null: it was not stored. @param after null: it is no longer. */
export function digestChange(productId: number, before: string | null, after: string | null): bigint {
  if (before === after) return 0n
  const taken = before === null ? 0n : elementOf(productId, before)
  return after === null ? taken : taken ^ elementOf(productId, after)
}

/** As clients read it: 32 characters. */
export const digestText = (digest: bigint): string => digest.toString(16).padStart(32, '0')
