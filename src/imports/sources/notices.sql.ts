import type { Tx } from '../../db/sql.ts'

/** What owners are told of a source. `state` is how its last run ended. */
export interface SourceNotice {
  kind: 'source_failing' | 'source_held' | 'source_recovered'
  facts: {
    source_id: number
    source: string
    supplier: string
    run_id: number | null
    state: string
    /** Why the last run imported nothing; null when it works again. */
    failure: string | null
    failed_since: string | null
  }
}

/** Tells the account's owners; in the transaction that decides that they are to be told. */
export async function sourceNoticeInsert(tx: Tx, accountId: number, { kind, facts }: SourceNotice): Promise<void> {
  await tx`
    insert into notice (account_id, kind, facts) values (${accountId}, ${kind}, ${JSON.stringify(facts)}::text::jsonb)`
}

/** The code of a supplier, for notices. */
export async function supplierCode(tx: Tx, accountId: number, supplierId: number): Promise<string> {
  const [row] = await tx<{ code: string }[]>`
    select code from supplier where account_id = ${accountId} and supplier_id = ${supplierId}`
  return row?.code ?? String(supplierId)
}
