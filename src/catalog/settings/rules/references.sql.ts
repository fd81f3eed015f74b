import type { ReferenceFact } from '../../../../contract/rule-conditions.ts'
import type { Reader } from '../../../db/sql.ts'

/** The ids of one kind that a rule names. */
interface References {
  fact: ReferenceFact
  ids: readonly number[]
}

/**
 * The tables that conditions refer to, with their id columns, and whether the rows of deleted entries stay (`isKept`).
 */
const TABLES: Readonly<Record<ReferenceFact, { table: string; id: string; isKept: boolean }>> = {
  store: { table: 'store', id: 'store_id', isKept: true },
  group: { table: 'customer_group', id: 'group_id', isKept: false },
  supplier: { table: 'supplier', id: 'supplier_id', isKept: true },
  product: { table: 'product', id: 'product_id', isKept: true },
}
const FACTS = Object.keys(TABLES) as ReferenceFact[]

/** Which of these ids the account does not have, or has deleted. */
export function referencesMissing(reader: Reader, accountId: number, named: readonly References[]) {
  const of = (fact: ReferenceFact) => {
    const { table, id, isKept } = TABLES[fact]
    const ids = named.filter((entry) => entry.fact === fact).flatMap((entry) => entry.ids)
    return reader`
      select ${fact}::text as fact, given.id from unnest(${ids}::bigint[]) as given (id)
      where not exists (
        select from ${reader(table)} where account_id = ${accountId} and ${reader(id)} = given.id
          ${isKept ? reader`and deleted_at is null` : reader``})`
  }
  const [first, ...others] = FACTS.map(of)
  if (first === undefined) throw new Error('conditions refer to something')
  const all = others.reduce((some, one) => reader`${some} union all ${one}`, first)
  return reader<{ fact: ReferenceFact; id: number }[]>`${all}`
}
