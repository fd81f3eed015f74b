/** What a client must do about a product: read its price half again, read its content half again, or delete it. */
export const CHANGE_KINDS = ['price', 'content', 'removed'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]
