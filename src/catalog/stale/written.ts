/**
 * What a write returns: its own result, and what to wait for until everything that it wrote can be read. Every caller that answers the write (HTTP, a
 * command, an operation) waits for exactly this; see src/writes/writes.ts.
 */
export interface Written<T = void> {
  readonly value: T
  /** Products whose inputs were written, each once. They are marked; shelve them before answering the write. */
  readonly productIds: readonly number[]
  /** Whether account settings were written. The caller then waits for their sweeps, and invalidates the cached stores. */
  readonly isForAll: boolean
  /** `price`: only price halves can have changed, so shelving reads less. The marks say the same; this is known before they are read. */
  readonly half?: 'price' | undefined
}

/** A write of single products. */
export function productsWritten(productIds: readonly number[]): Written
export function productsWritten<T>(productIds: readonly number[], value: T, half?: 'price'): Written<T>
export function productsWritten(productIds: readonly number[], value?: unknown, half?: 'price'): Written<unknown> {
  return { value, productIds: [...new Set(productIds)], isForAll: false, half }
}

/**
 * A write of the account's settings. Callers wait even if nothing changed: an earlier equal write may not be in the payloads yet, and an answer
 * promises that what it shows can be read.
 */
export function settingsWritten(): Written
export function settingsWritten<T>(value: T): Written<T>
export function settingsWritten(value?: unknown): Written<unknown> {
  return { value, productIds: [], isForAll: true }
}
