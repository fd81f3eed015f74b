/** What a client must do about a product: read its price half, its content half, or forget it. */
export type ChangeKind = 'price' | 'content' | 'removed'
