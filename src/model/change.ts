/** What a client must do about a product: read its price half, read its content half, or delete it. */
export const CHANGE_KINDS = ['price', 'content', 'removed'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]
