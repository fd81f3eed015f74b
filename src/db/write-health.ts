import { isOfNode, isWriteRefusal } from './connection-errors.ts'

/**
 * A write that needs new space on the disk of the database, as growing tables do: a row would fit into a page that is there
 * already. The table is gone when the transaction ends.
 */
export const PROBE_OF_WRITES = [
  `set local temp_tablespaces = ''`,
  `create temporary table write_probe on commit drop as
    select md5(n::text) as filler from generate_series(1, 20000) as n`,
]

/** Whether the database takes writes, as far as this process knows. */
export interface WriteHealth {
  /** Notes what a statement failed with. */
  note(error: unknown): void
  /**
   * False from a refused write on, until a write of the probe has succeeded. Asks the database only after a refusal, and at most
   * one question at a time. Never throws.
   */
  areTaken(): Promise<boolean>
}

/**
 * So long after a refusal nothing is asked: small writes still find room on a disk that is full for large ones, and must not make a
 * process ready between two refusals.
 */
export const REFUSED_MS = 5_000

/**
 * @param probe writes something and takes it back; throws when that fails.
 * @param now milliseconds.
 */
export function watchWrites(probe: () => Promise<void>, now: () => number = () => performance.now()): WriteHealth {
  let refusedAt: number | null = null
  let probing: Promise<boolean> | undefined

  const note = (error: unknown) => {
    // a node that refuses costs its accounts only
    if (isWriteRefusal(error) && !isOfNode(error)) refusedAt = now()
  }
  const ask = async () => {
    const before = refusedAt
    try {
      await probe()
      // a write that was refused meanwhile counts for more
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
