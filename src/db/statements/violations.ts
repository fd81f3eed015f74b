import pg from 'pg'
import { ShelfwireError } from '../../platform/errors.ts'

/**
 * Turns the violation of a named constraint into an error that a client can act on; rethrows everything else.
 * @param details the error's detail by constraint name
 * @throws ShelfwireError `conflict`
 */
export function explainViolation(error: unknown, details: Readonly<Record<string, string>>): never {
  const constraint = violatedConstraint(error)
  const detail = constraint === undefined ? undefined : details[constraint]
  if (detail !== undefined) throw new ShelfwireError('conflict', detail, { cause: error })
  throw error
}

/**
 * Whether a foreign key was violated: a row could not be deleted because others refer to it, or written because the row that it refers to is
 * gone.
 */
export function isStillReferred(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503'
}

/**
 * The name of the violated constraint or unique index. A Citus coordinator names the shard's constraint, which ends in the shard's number, and
 * only in the message.
 */
function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code?.startsWith('23') !== true) return undefined
  return error.constraint ?? /"([a-z_0-9]+?)_\d+"$/.exec(error.message)?.[1]
}

/** The server's message about refused values: they are not of the column's type, or violate a constraint. Null for any other error. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) return null
  return error.detail === undefined ? error.message : `${error.message} (${error.detail.slice(0, 300)})`
}
