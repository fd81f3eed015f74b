export interface ProductSearch {
  /** Slugs of the stores beside each other, separated by commas. */
  stores?: string | undefined
  /** Slug of the store whose explanation is open. */
  why?: string | undefined
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export function productSearch(search: Record<string, unknown>): ProductSearch {
  return { stores: text(search['stores']), why: text(search['why']) }
}
