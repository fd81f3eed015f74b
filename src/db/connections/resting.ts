/**
 * Accounts that loops skip, because they are suspended: their work is kept in the database and continues afterwards. Reflects what
 * this process knows; src/accounts/suspensions.ts sets it.
 */
export class Resting {
  #accounts: ReadonlySet<number> = new Set()
  readonly #listeners = new Set<(accountId: number) => void>()

  has(accountId: number): boolean {
    return this.#accounts.has(accountId)
  }

  /** Replaces the set of accounts. */
  set(accountIds: Iterable<number>): void {
    const before = this.#accounts
    this.#accounts = new Set(accountIds)
    for (const accountId of this.#accounts)
      if (!before.has(accountId)) for (const listener of this.#listeners) listener(accountId)
  }

  /** Calls back for every account that is added. @returns a function that removes the listener */
  onRest(listener: (accountId: number) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
