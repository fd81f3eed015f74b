// What a product lacks in a store, for its owner's findings. The bits are stored beside the payload half that they describe.
// docs/decisions/110-what-products-lack-is-stored-with-them.md says why.

/** Gaps of the content half. A supplier's category is not part of the payload, but rules, channels and shops need one. */
export const CONTENT_GAPS = { no_title: 1, no_image: 2, no_category: 4 } as const
/** Gaps of the price half; at most one is set. */
export const PRICE_GAPS = { no_price: 1, price_zero: 2 } as const

export type Gap = keyof typeof CONTENT_GAPS | keyof typeof PRICE_GAPS

/** In the order in which gaps are counted and shown. */
export const GAPS: readonly Gap[] = ['no_title', 'no_image', 'no_category', 'no_price', 'price_zero']

/** The stored bits of a payload. */
export interface GapBits {
  readonly content: number
  readonly price: number
}

export const NO_GAPS: GapBits = { content: 0, price: 0 }

/** 0 or 1 for each gap, in the order of GAPS. */
export function gapsIn({ content, price }: GapBits): number[] {
  return GAPS.map((gap) => {
    const bit = gapPlace(gap)
    return ((bit.half === 'content' ? content : price) & bit.bit) === 0 ? 0 : 1
  })
}

/** The half in which a gap is stored, and its bit. */
export function gapPlace(gap: Gap): { half: 'content' | 'price'; bit: number } {
  return gap === 'no_price' || gap === 'price_zero'
    ? { half: 'price', bit: PRICE_GAPS[gap] }
    : { half: 'content', bit: CONTENT_GAPS[gap] }
}

/** Every value of a half's bits that includes this gap, so that an index finds them by equality. */
export function gapValues(gap: Gap): number[] {
  const { half, bit } = gapPlace(gap)
  const bits = half === 'content' ? CONTENT_GAPS : PRICE_GAPS
  const all = Object.values(bits).reduce((sum, one) => sum + one, 0)
  return Array.from({ length: all }, (_, i) => i + 1).filter((value) => (value & bit) !== 0)
}
