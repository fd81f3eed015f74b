import { CONTENT_GAPS, PRICE_GAPS } from '../model/gaps.ts'

/** What the content half of a product lacks in a store, as bits. */
export function contentGaps(title: string | null, images: readonly string[], category: unknown): number {
  return (
    (title === null ? CONTENT_GAPS.no_title : 0) |
    (images.length === 0 ? CONTENT_GAPS.no_image : 0) |
    (category === null ? CONTENT_GAPS.no_category : 0)
  )
}

/**
 * What the price half lacks. `no_price`: no cost is known, or no exchange rate. `price_zero`: a price is 0, whether a rule states that and
 * it is shown, or none does and the product has no price for that.
 */
export function priceGaps(pricing: {
  readonly computed: readonly unknown[]
  readonly shown: readonly { readonly computedPrice: { isZero(): boolean } }[]
}): number {
  if (pricing.computed.length === 0) return PRICE_GAPS.no_price
  return pricing.shown.length === 0 || pricing.shown.some(({ computedPrice }) => computedPrice.isZero())
    ? PRICE_GAPS.price_zero
    : 0
}
