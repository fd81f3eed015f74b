import { ShelfwireError } from '../../platform/errors.ts'

/** @throws ShelfwireError unknown-reference unless it was found. */
export function requireFound(ok: boolean, what: string): void {
  if (!ok) throw new ShelfwireError('unknown-reference', `the account has no ${what}`)
}
