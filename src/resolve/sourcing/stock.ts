import type { ProductInputs } from '../inputs.ts'
import type { Candidate } from './sourcing.ts'

/** Sellable pieces: own quantity (it sells first) plus the best supplier's; 0 without either. Never negative. */
export function resolveStock(ownStock: ProductInputs['ownStock'], best: Candidate | undefined): number {
  return Math.max(0, ownStock?.quantity ?? 0) + (best?.quantity ?? 0)
}
