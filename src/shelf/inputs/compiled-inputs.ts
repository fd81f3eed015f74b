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
   * The account as of this statement, for what writes payloads. Reads only the version when the entry in the cache is current.
   * @throws ShelfwireError unknown-account; newer-release when a newer resolver is in use, whose payloads must not be
   *   overwritten.
   */
  get(reader: Reader, accountId: number): Promise<ShelvedAccount>
  /** The same for what only reads. @throws ShelfwireError unknown-account. */
  read(reader: Reader, accountId: number): Promise<ShelvedAccount>
  /** What was last compiled of an account; another version may be current. */
  known(accountId: number): ShelvedAccount | undefined
  /** What is known of the terms that are stored. */
  terms: KnownTerms
}

interface Entry {
  /** null: something was written while it was read, so it matches no version; its lists are right all the same. */
  version: number | null
  lists: AccountLists
  compiled: ShelvedAccount
}

/** By pool, not by Db: what answers requests (`forRequests`) and what shelves have two Dbs of one pool. */
const caches = new WeakMap<Db['pool'], CompiledAccounts>()

/** The cache of a pool: all work on the same accounts in one process shares what was compiled. */
export function compiledAccounts({ pool }: Pick<Db, 'pool'>): CompiledAccounts {
  const cache = caches.get(pool) ?? openCompiledAccounts()
  caches.set(pool, cache)
  return cache
}

/**
 * Every write of what an account's products share raises the version in the same transaction (sweepAppend in
 * catalog/stale). The version is read before the inputs and after them: an entry is kept under a version only when it
 * was the same, so that it is exactly that version for every later reader, also in an older snapshot. Should a write
 * commit in between, its sweep resolves again what was resolved from the mixture.
 *
 * Kept by what its lists of values take in memory, the least recently used given up first. A write changes one list:
 * the others are taken over from the version before, with what was made of them. Workers of one account wait for the
 * first of them that compiles it.
 */
export function openCompiledAccounts(): CompiledAccounts {
  const known = new LRUCache<number, Entry>({
    max: LIMITS.compiledAccountsMax,
    maxSize: LIMITS.compiledBytesMax,
    // one that is larger than all may be is kept alone, and not compiled for each batch
    sizeCalculation: (entry) => Math.min(weightOf(entry), LIMITS.compiledBytesMax),
  })
  const underWay = new Map<number, { version: number; entry: Promise<Entry> }>()

  async function compile(reader: Reader, accountId: number, version: number, hasGaps: boolean): Promise<Entry> {
    const before = known.peek(accountId)
    const { inputs, lists } = await readAccountInputs(reader, accountId, before?.lists)
    const compiled = { ...(await compileInTurns(inputs)), hasGaps }
    const after = await inputsVersion(reader, accountId)
    const entry: Entry = { version: after?.version === version ? version : null, lists, compiled }
    // one that read an older snapshot leaves the newer one in its place
    const latest = known.peek(accountId)?.version ?? null
    if (latest === null || latest <= version) known.set(accountId, entry)
    return entry
  }

  async function current(reader: Reader, accountId: number, row: InputsVersion): Promise<ShelvedAccount> {
    const found = known.get(accountId)
    if (found?.version === row.version) return found.compiled
    for (let other = underWay.get(accountId); other?.version === row.version; other = underWay.get(accountId)) {
      const mine = other
      // its connection may break, which is no reason for this one to fail
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

/** Compiles with turns for others. */
export const compileInTurns = (inputs: AccountInputs): Promise<CompiledAccount> => inTurns(compilingAccount(inputs))

/** Names of categories by language, as texts and as the paths that are made of them. */
function namesBytes(categories: AccountInputs['categories']): number {
  let bytes = 0
  for (const { names } of categories) for (const name of Object.values(names)) bytes += 100 + 4 * name.length
  return bytes
}

/** What an account takes in memory, roughly. */
function weightOf({ lists, compiled: { account, attributeBytes } }: Entry): number {
  const { rules, exclusionRules, assortmentRules, categories, stores, groups, taxClasses, priceLists } = account
  return (
    10_000 +
    2_000 * (rules.length + exclusionRules.length + assortmentRules.length + categories.length) +
    attributeBytes +
    taxClasses.reduce((bytes, { rates }) => bytes + 2_000 + 200 * rates.length, 0) +
    1_000 * priceLists.length * (1 + stores.length) +
    // which of the rules are tried in each store and group
    Math.ceil((stores.length * groups.length * rules.length) / 8) +
    bytesOf(lists.rules) +
    bytesOf(lists.exclusionRules) +
    bytesOf(lists.assortmentRules) +
    bytesOf(lists.categories) +
    namesBytes(categories)
  )
}
