import { LIMITS } from '../../platform/limits.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import type { Listed } from './inputs.sql.ts'

// Lists of values in an account's rules, up to ten thousand in each, and the texts of its attributes. They are read separately, and only
// those that are not known yet: one write changes one rule. docs/decisions/155-lists-of-rules-are-read-apart.md says why.

type List = readonly (string | number)[] | null
type Lists<Name extends string> = Readonly<Record<Name, List>>

interface Kept<L> {
  /** The digest of the list as read. It may be newer than the digest that the row was first read with. */
  digest: string
  lists: L
}

/** The lists of the rows of one kind, by the rows' ids. */
export type KeptLists<L, Id extends number | string = number> = ReadonlyMap<Id, Kept<L>>

/** How the lists of one kind of rows are read. */
export interface ListsOf<
  Row extends Listed,
  L,
  Read extends L & Listed & { id: Id },
  Id extends number | string = number,
> {
  idOf(row: Row): Id
  /** The lists of a row without any. */
  none: L
  read(ids: readonly Id[]): PromiseLike<readonly Read[]>
  /** Converts lists to the form in which values are compared; only that form is kept. */
  folded(read: Read): L
}

/**
 * Adds the lists to rows. Unchanged ones are taken from `known`; the others are read, a limited number of values at a time. Rows that have
 * been deleted in the meantime are left out.
 */
export async function withLists<
  Row extends Listed,
  L extends object,
  Read extends L & Listed & { id: Id },
  Id extends number | string,
>(
  rows: readonly Row[],
  known: KeptLists<L, Id> | undefined,
  { idOf, none, read, folded }: ListsOf<NoInfer<Row>, L, Read, Id>,
): Promise<{ rows: (Omit<Row, keyof Listed> & L)[]; lists: KeptLists<L, Id> }> {
  const yielding = openYielding()
  const kept = new Map<Id, Kept<L>>()
  let slice: Id[] = []
  let values = 0
  const readSlice = async () => {
    const ids = slice
    slice = []
    values = 0
    for (const row of await read(ids)) {
      kept.set(row.id, { digest: row.digest, lists: folded(row) })
      const pause = yielding()
      if (pause !== null) await pause
    }
  }
  for (const row of rows) {
    if (!hasLists(row)) continue
    const id = idOf(row)
    const before = known?.get(id)
    if (before?.digest === row.digest) {
      kept.set(id, before)
      continue
    }
    slice.push(id)
    values += row.values
    if (values >= LIMITS.listValuesRead) await readSlice()
  }
  if (slice.length > 0) await readSlice()
  const whole = rows.flatMap((row) => {
    const lists = hasLists(row) ? kept.get(idOf(row))?.lists : none
    if (lists === undefined) return []
    const { digest: _digest, values: _values, ...rest } = row
    return [{ ...rest, ...lists }]
  })
  return { rows: whole, lists: kept }
}

/** The digest of a list contains a number, even if the list is empty. */
const hasLists = ({ digest }: Listed) => /\d/.test(digest)

/** Rough memory use in bytes: each value with its place in an array and in a set, and the characters of texts. */
export function bytesOf<Name extends string>(kept: KeptLists<Lists<Name>>): number {
  let bytes = 0
  for (const { lists } of kept.values())
    for (const list of Object.values<List>(lists)) {
      if (list === null) continue
      bytes += 200
      for (const value of list) bytes += typeof value === 'string' ? 72 + value.length : 56
    }
  return bytes
}
