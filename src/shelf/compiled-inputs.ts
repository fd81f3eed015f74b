import { LRUCache } from 'lru-cache'
import type { Reader } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { compileAccount, type CompiledAccount } from '../resolve/compile.ts'
import { RESOLVER_VERSION } from '../resolve/resolve.ts'
import { readAccountInputs } from './read-inputs.ts'
import { inputsVersion } from './inputs.sql.ts'

/** What products of an account share, compiled, and kept as long as nobody writes any of it. */
export interface CompiledAccounts {
  /**
   * The account as of this statement. One look at its version when it is known.
   * @throws ShelfwireError unknown-account; newer-release when a newer resolver is at work, whose payloads must stay.
   */
  get(reader: Reader, accountId: number): Promise<CompiledAccount>
}

/**
 * Whoever writes what an account's products share raises the version in that transaction (catalog/marks, sweepAppend).
 * The version is read first: should somebody commit between it and the inputs, these are newer than the number they are
 * kept under, nobody reads that number again, and the sweep of that write resolves anew what was resolved with a mixture.
 */
export function openCompiledAccounts(): CompiledAccounts {
  const known = new LRUCache<number, { version: number; compiled: CompiledAccount }>({
    max: LIMITS.compiledAccountsMax,
    maxSize: LIMITS.compiledRulesMax,
    // ten suppliers' paths weigh about as much as one rule
    sizeCalculation: ({ compiled: { account } }) =>
      1 +
      account.rules.length +
      account.attributes.length +
      account.exclusionRules.length +
      account.assortmentRules.length +
      Math.ceil(account.categories.reduce((sum, category) => sum + category.supplierPaths.length, 0) / 10),
  })
  return {
    async get(reader, accountId) {
      const row = await inputsVersion(reader, accountId)
      if (row === undefined) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
      if (row.resolver > RESOLVER_VERSION) {
        throw new ShelfwireError(
          'newer-release',
          'a newer release of Shelfwire is at work on this database; upgrade this process',
        )
      }
      const found = known.get(accountId)
      if (found?.version === row.version) return found.compiled
      const compiled = compileAccount(await readAccountInputs(reader, accountId))
      known.set(accountId, { version: row.version, compiled })
      return compiled
    },
  }
}
