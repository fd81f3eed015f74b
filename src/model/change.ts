/** What a client must do about a product: read its price half, its content half, or forget it. */
export type ChangeKind = 'price' | 'content' | 'removed'

/** In the order in which one transaction numbers them. */
export const CHANGE_KINDS = ['price', 'content', 'removed'] as const satisfies readonly ChangeKind[]
