import type { Cursor } from '../answers.ts'
import { ShelfwireError } from '../error.ts'
import type { Request } from '../sender.ts'
import type { Comparison } from './comparison.ts'

// Reports the result of a comparison to the account: whether the mirror is equal, and as of when.

/** A name of a mirror that the service accepts: 1 to 100 characters, none of them a control character or half of a surrogate pair, with no blanks around it. */
const NAME = /^(?!\s)[^\p{Cc}\p{Cs}]{1,100}(?<!\s)$/u
export const isMirrorName = (name: string): boolean => NAME.test(name)

/** The report on one store of a mirror. */
export interface MirrorReport {
  store: string
  /** The mirror's name. */
  mirror: string
  /** The cursor as of which the mirror was compared. */
  cursor: Cursor
  /** How many products differ; 0: it is equal. */
  differing: number
  signal?: AbortSignal | undefined
}

/**
 * A refused report must not hide the result of the comparison, so no ShelfwireError is thrown: an older service, for one, has no such route.
 * @returns whether the service took the report
 * @throws the signal's reason where it was aborted
 */
export async function reportMirrorCheck(
  shelf: { request(request: Request): Promise<unknown> },
  { store, mirror, cursor, differing, signal }: MirrorReport,
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

/** How many products differ. A line that cannot be read counts as one product, unless more products were found to differ than such lines. */
export const differingIn = ({ findings, damages }: Pick<Comparison, 'findings' | 'damages'>): number =>
  Math.max(findings.length, damages.length)
