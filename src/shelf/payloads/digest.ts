import { hash } from 'node:crypto'

// A digest covers any number of halves in any order: each contributes 128 bits, made of its product's id and its tag, by xor. The same xor
// removes the contribution again. docs/decisions/162-digests-follow-from-the-tags.md says why.

/** The contribution of one half. */
export const elementOf = (productId: number, tag: string): bigint =>
  BigInt(`0x${hash('sha512', `${productId}:${tag}`, 'hex').slice(0, 32)}`)

/** The xor that updates a digest when a half's tag changes. @param before null: was not stored. @param after null: is no longer stored. */
export function digestChange(productId: number, before: string | null, after: string | null): bigint {
  if (before === after) return 0n
  const taken = before === null ? 0n : elementOf(productId, before)
  return after === null ? taken : taken ^ elementOf(productId, after)
}

/** The form that clients read: 32 hexadecimal characters. */
export const digestText = (digest: bigint): string => digest.toString(16).padStart(32, '0')
