/** Supported content codings, the best first. */
const CODING_NAMES = ['zstd', 'br', 'gzip'] as const
export type Coding = (typeof CODING_NAMES)[number]

/**
 * The coding with the highest weight (RFC 9110), among equals the first of ours; null for the uncoded body. `*`: of
 * codings that are not named. Without an accepted coding of ours the body is sent uncoded, even if that is refused.
 */
export function codingOf(accepted: string | undefined): Coding | null {
  if (accepted === undefined || accepted === '') return null
  const weights = weightsOf(accepted)
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = CODING_NAMES.toSorted((a, b) => weightOf(b) - weightOf(a))
  return best === undefined || weightOf(best) === 0 || weightOf(best) < (weights.get('identity') ?? 0) ? null : best
}

/** Names in an Accept header of any kind, with their weights from 0 to 1. */
export function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const entry of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const weight = parameters.find((part) => part.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  return weights
}
