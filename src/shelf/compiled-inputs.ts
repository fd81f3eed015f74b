import { LRUCache } from 'lru-cache'
import type { Reader } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { compileAccount, type CompiledAccount } from '../resolve/compile.ts'
import { RESOLVER_VERSION } from '../resolve/resolve.ts'
import { readAccountInputs } from './read-inputs.ts'
import { inputsVersion } from './inputs.sql.ts'

/** What shelving knows of an account. */
export interface ShelvedAccount extends CompiledAccount {
  /**
   * Whether gaps are written. Not until the account is at this resolver: processes of an older release, which still shelve it until then, would
   * take payloads away without their counts.
   */
  hasGaps: boolean
}

/** A cache of what the products of an account share, compiled. An entry is valid until any of it is written. */
export interface CompiledAccounts {
  /**
   * The account as of this statement. Reads only the version when the entry in the cache is current.
   * @throws ShelfwireError unknown-account; newer-release when a newer resolver is in use, whose payloads must not be
   *   overwritten.
   */
  get(reader: Reader, accountId: number): Promise<ShelvedAccount>
}

/**
 * Every write of what an account's products share raises the version in the same transaction (sweepAppend in
 * catalog/stale). The version is read before the inputs: should a write commit in between, the inputs are newer than
 * the version they are cached under. That version is never read again, and the sweep of that write resolves again what
 * was resolved from the mixture.
 */
export function openCompiledAccounts(): CompiledAccounts {
  const known = new LRUCache<number, { version: number; compiled: ShelvedAccount }>({
    max: LIMITS.compiledAccountsMax,
    maxSize: LIMITS.compiledRulesMax,
    // ten suppliers' paths take about as much memory as one rule
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
          'a newer release of Shelfwire is running on this database; upgrade this process',
        )
      }
      const found = known.get(accountId)
      if (found?.version === row.version) return found.compiled
      const hasGaps = row.resolver === RESOLVER_VERSION
      const compiled = { ...compileAccount(await readAccountInputs(reader, accountId)), hasGaps }
      known.set(accountId, { version: row.version, compiled })
      return compiled
    },
  }
}
