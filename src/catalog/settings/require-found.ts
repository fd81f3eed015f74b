import { ShelfwireError } from '../../platform/errors.ts'

/** @param what the noun in the message. @throws ShelfwireError unknown-reference unless `ok`. */
export function requireFound(ok: boolean, what: string): void {
  if (!ok) throw new ShelfwireError('unknown-reference', `the account has no ${what}`)
}
