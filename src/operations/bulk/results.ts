import type { Written } from '../../catalog/stale/written.ts'
import type { Fault } from '../../platform/errors.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import type { Row } from './row.ts'
import type { Rows } from './rows.ts'

/** The result of one row. */
export interface BulkResult {
  status: 'created' | 'changed' | 'unchanged' | 'failed'
  /** Absent for rows that failed before their product was known. */
  productId?: number
  /** The faults of a failed row. Each names a member, a nested one by a dotted path. */
  faults?: readonly Fault[]
}

/** The results of a bulk, one per row, in their order. */
export type BulkWritten = Written<BulkResult[]>

/** The fault of a row whose `expected` differs from the present value. */
export const NOT_EXPECTED: Fault = {
  name: 'expected',
  reason: 'is not what is there now: it was changed meanwhile; read it again',
}

/** A row without faults so far, with its index in the batch. */
export interface Candidate<T> {
  at: number
  row: T
}

/** The results of a batch while it is processed. */
export class Results {
  readonly list: BulkResult[]

  constructor(count: number) {
    this.list = Array.from({ length: count }, () => ({ status: 'failed' }))
  }

  fail(at: number, faults: readonly Fault[], productId?: number): void {
    this.list[at] = { status: 'failed', faults, ...(productId === undefined ? {} : { productId }) }
  }

  done(at: number, status: BulkResult['status'], productId: number): void {
    this.list[at] = { status, productId }
  }

  /**
   * Reads rows and returns those without faults; the others are marked as failed and not kept, because an invalid row may have any
   * size. Yields to the event loop.
   */
  async read<T extends { members: Row }>(sent: Rows, readRow: (row: unknown) => T): Promise<Candidate<T>[]> {
    const good: Candidate<T>[] = []
    const turn = openYielding()
    for (let at = 0; at < sent.length; at++) {
      const row = readRow(sent.at(at))
      if (row.members.isGood) good.push({ at, row })
      else this.fail(at, row.members.faults)
      const others = turn()
      if (others !== null) await others
    }
    return good
  }
}

/** Replaces codes by suppliers. Rows of unknown suppliers fail. */
export function ofSuppliers<T extends { supplier: string }, S extends { code: string }>(
  rows: readonly Candidate<T>[],
  suppliers: readonly S[],
  results: Results,
): Candidate<Omit<T, 'supplier'> & { supplier: S }>[] {
  const known = new Map(suppliers.map((supplier) => [supplier.code, supplier]))
  return rows.flatMap(({ at, row }) => {
    const supplier = known.get(row.supplier)
    if (supplier !== undefined) return [{ at, row: { ...row, supplier } }]
    results.fail(at, [{ name: 'supplier', reason: `the account has no supplier "${row.supplier}"` }])
    return []
  })
}
