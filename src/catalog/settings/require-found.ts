import { ShelfwireError } from '../../platform/errors.ts'

export function found(ok: boolean, what: string): void {
  if (!ok) throw new ShelfwireError('unknown-reference', `the account has no ${what}`)
}
