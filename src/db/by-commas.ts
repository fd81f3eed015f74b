import type { Query, Reader } from './sql.ts'

/** Parts of a statement by commas. */
export function byCommas(reader: Reader, [first, ...others]: readonly Query<unknown>[]): Query<unknown> {
  if (first === undefined) throw new Error('a list in a statement has at least one part')
  return others.reduce((all, one) => reader`${all}, ${one}`, first)
}
