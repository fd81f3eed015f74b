import type { OverrideInput } from '../inputs.ts'
import type { Found, SourceOrders } from '../sourcing/sources.ts'
import { findText, type TextSource } from './text.ts'

/**
 * The title by which people know a product: in the first locale of the chain that has one, otherwise in any locale, whether or not a
 * store would show it. It is taken from the same sources as stores' titles, so that both agree wherever a store has one. Pure.
 */
export function productTitle(
  chain: readonly string[],
  sources: SourceOrders,
  overrides: readonly OverrideInput[],
  offers: readonly TextSource[],
): Found<string> | null {
  return findText('title', { chain, isAnyAllowed: true }, overrides, sources.of('title', sources.general(offers)))
}
