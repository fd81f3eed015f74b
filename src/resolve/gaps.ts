import { CONTENT_GAPS, PRICE_GAPS } from '../model/gaps.ts'

/** The gaps of a content half as bits of CONTENT_GAPS. */
export function contentGaps(title: string | null, images: readonly string[], category: unknown): number {
  return (
    (title === null ? CONTENT_GAPS.no_title : 0) |
    (images.length === 0 ? CONTENT_GAPS.no_image : 0) |
    (category === null ? CONTENT_GAPS.no_category : 0)
  )
}

/**
 * The gaps of a price half as bits of PRICE_GAPS. `no_price`: no cost or no exchange rate is known. `price_zero`: a price is 0, either
 * because a rule states it (it is shown) or not (the product then has no price).
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
