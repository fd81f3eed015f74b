import { LRUCache } from 'lru-cache'
import type { Db, Reader } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { inTurns } from '../../platform/turns/yielding.ts'
import { compilingAccount, type CompiledAccount } from '../../resolve/compile.ts'
import type { AccountInputs } from '../../resolve/inputs.ts'
import { RESOLVER_VERSION } from '../../resolve/resolve.ts'
import { readAccountInputs, type AccountLists } from './read-inputs.ts'
import { inputsVersion, type InputsVersion } from './inputs.sql.ts'
import { bytesOf } from './shared-lists.ts'
import { openKnownTerms, type KnownTerms } from '../search/search-terms.ts'

/** A compiled account as shelving uses it. */
export interface ShelvedAccount extends CompiledAccount {
  /**
   * Whether gaps are written. False until the account is at this resolver version: processes of an older release still shelve it until then,
   * and would remove payloads without adjusting the gap counts.
   */
  hasGaps: boolean
}

/** A cache of compiled accounts. An entry is valid until one of its inputs is written. */
export interface CompiledAccounts {
  /**
   * The account as of this statement, for writers of payloads. Reads only the version if the cached entry is current.
   * @throws ShelfwireError unknown-account; newer-release if a newer resolver is in use, whose payloads must not be overwritten.
   */
  get(reader: Reader, accountId: number): Promise<ShelvedAccount>
  /** The same for readers. @throws ShelfwireError unknown-account. */
  read(reader: Reader, accountId: number): Promise<ShelvedAccount>
  /** The account as last compiled, without a query; it may be outdated. */
  known(accountId: number): ShelvedAccount | undefined
  /** Search terms known to be stored. */
  terms: KnownTerms
}

interface Entry {
  /** null: an input was written while it was read, so the entry matches no version; its lists can still be reused. */
  version: number | null
  lists: AccountLists
  compiled: ShelvedAccount
}

/** By pool, not by Db: requests (`forRequests`) and shelving have two Dbs of one pool. */
const caches = new WeakMap<Db['pool'], CompiledAccounts>()

/** The cache of a pool, which all work of this process on the same accounts shares. */
export function compiledAccounts({ pool }: Pick<Db, 'pool'>): CompiledAccounts {
  const cache = caches.get(pool) ?? openCompiledAccounts()
  caches.set(pool, cache)
  return cache
}

/**
 * Every write of inputs that an account's products share raises the version in the same transaction (sweepAppend in catalog/stale). The version
 * is read before and after the inputs, and an entry is cached under a version only if both are the same; it is then right for every reader of
 * that version, also in an older snapshot. If a write commits in between, its sweep resolves again what was resolved from the mixture.
 * Entries are weighed by the memory of their lists, and the least recently used are dropped. A write changes one list; the others are taken
 * over from the version before, together with what was compiled from them. Workers of one account wait for the first that compiles it.
 */
export function openCompiledAccounts(): CompiledAccounts {
  const known = new LRUCache<number, Entry>({
    max: LIMITS.compiledAccountsMax,
    maxSize: LIMITS.compiledBytesMax,
    // an entry beyond the limit is kept alone instead of being compiled for each batch
    sizeCalculation: (entry) => Math.min(weightOf(entry), LIMITS.compiledBytesMax),
  })
  const underWay = new Map<number, { version: number; entry: Promise<Entry> }>()

  async function compile(reader: Reader, accountId: number, version: number, hasGaps: boolean): Promise<Entry> {
    const before = known.peek(accountId)
    const { inputs, lists } = await readAccountInputs(reader, accountId, before?.lists)
    const compiled = { ...(await compileInTurns(inputs)), hasGaps }
    const after = await inputsVersion(reader, accountId)
    const entry: Entry = { version: after?.version === version ? version : null, lists, compiled }
    // an entry read in an older snapshot must not replace a newer one
    const latest = known.peek(accountId)?.version ?? null
    if (latest === null || latest <= version) known.set(accountId, entry)
    return entry
  }

  async function current(reader: Reader, accountId: number, row: InputsVersion): Promise<ShelvedAccount> {
    const found = known.get(accountId)
    if (found?.version === row.version) return found.compiled
    for (let other = underWay.get(accountId); other?.version === row.version; other = underWay.get(accountId)) {
      const mine = other
      // the other caller's connection may break; this one then compiles itself
      const made = await mine.entry.catch(() => undefined)
      if (made?.version === row.version) return made.compiled
      if (underWay.get(accountId) === mine) underWay.delete(accountId)
    }
    const mine = {
      version: row.version,
      entry: compile(reader, accountId, row.version, row.resolver === RESOLVER_VERSION),
    }
    underWay.set(accountId, mine)
    try {
      return (await mine.entry).compiled
    } finally {
      if (underWay.get(accountId) === mine) underWay.delete(accountId)
    }
  }

  const versionOf = async (reader: Reader, accountId: number) => {
    const row = await inputsVersion(reader, accountId)
    if (row === undefined) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
    return row
  }

  return {
    terms: openKnownTerms(),
    known: (accountId) => known.peek(accountId)?.compiled,
    async get(reader, accountId) {
      const row = await versionOf(reader, accountId)
      if (row.resolver > RESOLVER_VERSION) {
        throw new ShelfwireError(
          'newer-release',
          'a newer release of Shelfwire is running on this database; upgrade this process',
        )
      }
      return current(reader, accountId, row)
    },
    read: async (reader, accountId) => current(reader, accountId, await versionOf(reader, accountId)),
  }
}

/** Compiles an account in parts, with other work in between. */
export const compileInTurns = (inputs: AccountInputs): Promise<CompiledAccount> => inTurns(compilingAccount(inputs))

/** Memory of category names: the texts by language, and the paths made of them. */
function namesBytes(categories: AccountInputs['categories']): number {
  let bytes = 0
  for (const { names } of categories) for (const name of Object.values(names)) bytes += 100 + 4 * name.length
  return bytes
}

/** Rough memory use of an account in bytes. */
function weightOf({ lists, compiled: { account, attributeBytes } }: Entry): number {
  const { rules, exclusionRules, assortmentRules, categories, stores, groups, taxClasses, priceLists } = account
  return (
    10_000 +
    2_000 * (rules.length + exclusionRules.length + assortmentRules.length + categories.length) +
    attributeBytes +
    taxClasses.reduce((bytes, { rates }) => bytes + 2_000 + 200 * rates.length, 0) +
    1_000 * priceLists.length * (1 + stores.length) +
    // one bit per store, group and rule: which rules are tried
    Math.ceil((stores.length * groups.length * rules.length) / 8) +
    bytesOf(lists.rules) +
    bytesOf(lists.exclusionRules) +
    bytesOf(lists.assortmentRules) +
    bytesOf(lists.categories) +
    namesBytes(categories)
  )
}
