import { isOfNode, isWriteRefusal } from './connection-errors.ts'

/**
 * A write that needs new disk space, like growing tables: a single row would fit into an existing page. The table is dropped at the
 * end of the transaction.
 */
export const PROBE_OF_WRITES = [
  `set local temp_tablespaces = ''`,
  `create temporary table write_probe on commit drop as
    select md5(n::text) as filler from generate_series(1, 20000) as n`,
]

/** Whether the database accepts writes, as far as this process knows. */
export interface WriteHealth {
  /** To be called with the error of each failed statement. */
  note(error: unknown): void
  /**
   * False after a refused write, until a write of the probe has succeeded. Queries the database only after a refusal, with at most
   * one query at a time. Never throws.
   */
  areTaken(): Promise<boolean>
}

/**
 * The time after a refusal without a probe: small writes still find room on a disk that is full for large ones, and must not make a
 * process ready between two refusals.
 */
export const REFUSED_MS = 5_000

/**
 * @param probe writes something and takes it back; throws if that fails.
 * @param now milliseconds.
 */
export function watchWrites(probe: () => Promise<void>, now: () => number = () => performance.now()): WriteHealth {
  let refusedAt: number | null = null
  let probing: Promise<boolean> | undefined

  const note = (error: unknown) => {
    // a refusal by one node affects its accounts only
    if (isWriteRefusal(error) && !isOfNode(error)) refusedAt = now()
  }
  const ask = async () => {
    const before = refusedAt
    try {
      await probe()
      // a write refused meanwhile overrides the probe's success
      if (refusedAt === before) refusedAt = null
    } catch (error) {
      note(error)
    }
    return refusedAt === null
  }
  return {
    note,
    areTaken() {
      if (refusedAt === null) return Promise.resolve(true)
      if (now() - refusedAt < REFUSED_MS) return Promise.resolve(false)
      probing ??= ask().finally(() => (probing = undefined))
      return probing
    },
  }
}
