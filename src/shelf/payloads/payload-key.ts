/** Identifies a payload within an account. */
export interface PayloadKey {
  storeId: number
  productId: number
}

/** The key as a string, for maps. */
export function keyOf({ storeId, productId }: PayloadKey): string {
  return `${storeId}.${productId}`
}

/** The order in which rows are written and changes are numbered: by store, then by product. */
export function byKey(a: PayloadKey, b: PayloadKey): number {
  return a.storeId - b.storeId || a.productId - b.productId
}
