import type { Article } from './article.ts'

/** What a shop has otherwise than it should, for people. */
export interface Difference {
  member: string
  shop: unknown
  shelfwire: unknown
}

/** What the shop has otherwise than it should, of one article. */
export interface Deviation {
  article: string
  differences: Difference[]
}

/** What a connector has for its shop: it writes articles there, and says in what they differ. */
export interface Keeper {
  /** Whatever ends it, the same call does the rest. An article without listings is no longer in any store. @returns what the shop has refused: the key of the article -> why */
  bring(articles: readonly Article[]): Promise<Map<string, string>>
  compare(articles: readonly Article[]): Promise<Deviation[]>
}

/** In what a product of the shop differs from there being one, or none; null where it must be looked at. */
export function presence(isThere: boolean, isWanted: boolean): Difference[] | null {
  if (isThere && isWanted) return null
  if (isThere === isWanted) return []
  return [{ member: 'product', shop: isThere ? 'there' : null, shelfwire: isWanted ? 'there' : null }]
}

export interface Logger {
  info(text: string): void
  warn(text: string): void
  error(text: string): void
}
