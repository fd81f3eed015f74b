import type { Query, Reader } from '../sql.ts'

/** Joins parts of a statement by commas. @throws Error if there are none */
export function byCommas(reader: Reader, [first, ...others]: readonly Query<unknown>[]): Query<unknown> {
  if (first === undefined) throw new Error('a list in a statement has at least one part')
  return others.reduce((all, one) => reader`${all}, ${one}`, first)
}
