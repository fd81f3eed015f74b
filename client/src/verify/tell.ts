import type { Cursor } from '../answers.ts'
import { ShelfwireError } from '../error.ts'
import type { Request } from '../sender.ts'
import type { Comparison } from './comparison.ts'

// Tells the account what a mirror has found of itself: whether it is equal, and as of when.

/** The name of a mirror as the service takes it: 1 to 100 characters, none of them a control character or half of a surrogate pair, with no blanks around it. */
const NAME = /^(?!\s)[^\p{Cc}\p{Cs}]{1,100}(?<!\s)$/u
export const isMirrorName = (name: string): boolean => NAME.test(name)

/** What is told. */
export interface Told {
  store: string
  /** What the mirror is called. */
  mirror: string
  /** At which it was compared. */
  cursor: Cursor
  /** How many products differ; 0: it is equal. */
  differing: number
  signal?: AbortSignal | undefined
}

/**
 * What is found is worth more than that it is told, so nothing is thrown where the service does not take it, as one of before it could be told.
 * @returns whether the service has it; throws the signal's reason where it was aborted
 */
export async function tell(
  shelf: { request(request: Request): Promise<unknown> },
  { store, mirror, cursor, differing, signal }: Told,
): Promise<boolean> {
  const body = { store, mirror, since: cursor.since, since_id: cursor.since_id, differing }
  try {
    await shelf.request({ method: 'POST', path: '/digest/checks', body, signal })
    return true
  } catch (error) {
    if (error instanceof ShelfwireError) return false
    throw error
  }
}

/** How many products differ. Of lines that cannot be read nobody knows how many products they were: each is one, unless more were found missing. */
export const differingIn = ({ findings, damages }: Pick<Comparison, 'findings' | 'damages'>): number =>
  Math.max(findings.length, damages.length)
