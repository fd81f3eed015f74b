import type { Article } from './article.ts'

/** A member of a shop's product that is not as Shelfwire has it, for people. */
export interface Difference {
  member: string
  shop: unknown
  shelfwire: unknown
}

/** The differences of one article. */
export interface Deviation {
  article: string
  differences: Difference[]
}

/** The part of a connector that knows its shop: it writes articles there, and compares the shop's products with them. */
export interface Keeper {
  /**
   * Writes articles. However it ended, the same call again does the rest. An article without listings is no longer in any store.
   * @returns the articles that the shop has refused: key -> reason
   */
  bring(articles: readonly Article[]): Promise<Map<string, string>>
  compare(articles: readonly Article[]): Promise<Deviation[]>
}

/** The difference of a product that is missing, or should not exist; empty where it rightly does not exist, null where it rightly does: compare its members. */
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
