/** Supported content codings, the best first. */
const CODING_NAMES = ['zstd', 'br', 'gzip'] as const
export type Coding = (typeof CODING_NAMES)[number]

/**
 * The coding with the highest weight (RFC 9110), of equal weights the first in our order; null: the uncoded body. `*` means gzip,
 * which every client can read; the others are sent only to clients that name them. If the client accepts none of ours, the body
 * is sent uncoded, even if the client refuses that.
 * @param isSmall a body too small to be worth coding: it is coded only for a client that refuses the uncoded one.
 */
export function codingOf(accepted: string | undefined, isSmall = false): Coding | null {
  if (accepted === undefined || accepted === '') return null
  // a quick answer for most requests: most answers are small, and almost no client refuses a coding
  if (isSmall && !/q=0/i.test(accepted)) return null
  const weights = weightsOf(accepted)
  const others = weights.get('*')
  const weightOf = (name: Coding) => weights.get(name) ?? (name === 'gzip' ? (weights.get('x-gzip') ?? others ?? 0) : 0)
  const [best] = CODING_NAMES.toSorted((a, b) => weightOf(b) - weightOf(a))
  if (best === undefined || weightOf(best) === 0) return null
  const identity = weights.get('identity') ?? others
  // an identity coding that the client does not mention is acceptable
  if (isSmall && identity !== 0) return null
  return weightOf(best) < (identity ?? 0) ? null : best
}

/** Names in an Accept header of any kind, with their weights from 0 to 1. */
export function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const entry of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const weight = parameters.find((part) => part.startsWith('q='))
    const value = weight === undefined ? 1 : Number(weight.slice(2)) || 0
    weights.set(name, Math.min(1, Math.max(0, value)))
  }
  return weights
}
