/**
 * Accounts that loops leave alone: their work stays as it is in the database, and goes on when they no longer rest. As far as this
 * process knows: src/accounts/suspensions.ts says which they are.
 */
export class Resting {
  #accounts: ReadonlySet<number> = new Set()
  readonly #listeners = new Set<(accountId: number) => void>()

  has(accountId: number): boolean {
    return this.#accounts.has(accountId)
  }

  /** Replaces what is known. */
  set(accountIds: Iterable<number>): void {
    const before = this.#accounts
    this.#accounts = new Set(accountIds)
    for (const accountId of this.#accounts)
      if (!before.has(accountId)) for (const listener of this.#listeners) listener(accountId)
  }

  /** Calls back for every account that begins to rest. @returns removes the listener */
  onRest(listener: (accountId: number) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
