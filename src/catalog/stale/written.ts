/**
 * What a write returns: its own result, and what to wait for until all that it wrote can be read. Whoever answers a write (HTTP,
 * a command, an operation) waits for exactly this; see src/writes/writes.ts.
 */
export interface Written<T = void> {
  readonly value: T
  /** Products whose inputs were written, each once. They are marked; shelve them before the write is answered. */
  readonly productIds: readonly number[]
  /** Whether settings of the account were written: its sweeps are waited for, and what processes keep of stores is read again. */
  readonly isForAll: boolean
}

/** A write of single products. */
export function productsWritten(productIds: readonly number[]): Written
export function productsWritten<T>(productIds: readonly number[], value: T): Written<T>
export function productsWritten(productIds: readonly number[], value?: unknown): Written<unknown> {
  return { value, productIds: [...new Set(productIds)], isForAll: false }
}

/**
 * A write of the account's settings. Also where it ended as it was: an earlier write of the same may still be on its way to
 * the payloads, and its answer says that what is there can be read.
 */
export function settingsWritten(): Written
export function settingsWritten<T>(value: T): Written<T>
export function settingsWritten(value?: unknown): Written<unknown> {
  return { value, productIds: [], isForAll: true }
}
