import { requireRoom } from '../../accounts/limits/limits.ts'
import { isDeepStrictEqual } from 'node:util'
import { accountGet } from '../../accounts/accounts.sql.ts'
import { settingsLock } from '../../accounts/settings-lock.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { Check } from '../../input/check.ts'
import { isTimeZone } from '../../input/time-zone.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Seal } from '../../platform/secrets/seal.ts'
import type { MappingOrigin } from '../../supplier-files/mapping/mapping.ts'
import { readMappingDocument, tooLargeMapping } from '../../supplier-files/mapping-document.ts'
import type { Keys } from '../ssh/keys.ts'
import { readAddress, readPath } from './address.ts'
import { isOnlyKindGiven, readCredentials, sealCredentials, type GivenCredentials } from './credentials.ts'
import type { PreparedSource } from './prepare-source.ts'
import { cronFault, nextRunAt } from './schedule.ts'
import {
  clockNow,
  sourceDelete,
  sourceInsert,
  sourceLock,
  sourcesCount,
  sourceNamesOf,
  sourceUpdate,
  type SourceKind,
  type SourceMode,
  type SourceRow,
  type SourceSettings,
} from './sources.sql.ts'

// How owners create, edit and delete sources.

/** What the validation of a source needs. */
export interface SourceRules {
  seal: Seal
  /** For prepareSource, which runs before the transaction. */
  keys: Keys
  /** Whether a host may be reached: false for an address that is not public. A name is checked only when it is connected to. */
  isAllowed: (host: string) => boolean
  /** IMPORT_DIR; null: there are no directory sources. */
  importDir: string | null
}

/** The members of a source that an owner sets. */
export interface NewSource {
  name: string
  kind: SourceKind
  url: string | null
  path: string | null
  /** `kind` alone, or undefined, keeps the stored credentials. */
  credentials?: GivenCredentials | null
  hostKey: string | null
  mapping: Record<string, unknown>
  mode: SourceMode
  cron: string | null
  /** null: the account's time zone. */
  timeZone: string | null
  everyMinutes: number | null
  isActive: boolean
}

const UNPREPARED: PreparedSource = { key: null }

export type SourceChanges = Partial<Omit<NewSource, 'name' | 'kind'>>

/**
 * Creates a source; it is fetched for the first time when its schedule says so. @param prepared by prepareSource; may be left out if no private key
 * is given
 * @returns its id.
 * @throws ShelfwireError invalid-input; conflict: too many, the name, a second active full source
 */
export async function createSource(
  tx: Tx,
  accountId: number,
  supplierId: number,
  input: NewSource,
  rules: SourceRules,
  prepared: PreparedSource = UNPREPARED,
): Promise<number> {
  await settingsLock(tx, accountId)
  const { settings, nextAt } = await checked(tx, { accountId, supplierId }, input, null, { ...rules, ...prepared })
  if ((await sourceNamesOf(tx, accountId, supplierId)).length >= LIMITS.sourcesPerSupplierMax)
    throw new ShelfwireError('conflict', `a supplier has at most ${LIMITS.sourcesPerSupplierMax} sources`)
  await requireRoom(tx, accountId, 'sources', await sourcesCount(tx, accountId))
  return sourceInsert(tx, accountId, { ...settings, supplierId, name: input.name, kind: input.kind, nextRunAt: nextAt })
}

/** A source, locked until the transaction ends. @throws ShelfwireError unknown-reference */
export async function lockedSource(tx: Tx, accountId: number, sourceId: number) {
  const source = await sourceLock(tx, accountId, sourceId)
  if (source === undefined) throw new ShelfwireError('unknown-reference', 'the account has no such source')
  return source
}

/**
 * Sets the given members. If the URL leads to another server, the stored credentials and the key of an SFTP server are deleted, unless new ones are
 * given.
 * @throws ShelfwireError invalid-input; unknown-reference; conflict: a second active full source
 */
export async function editSource(
  tx: Tx,
  accountId: number,
  { sourceId }: Pick<SourceRow, 'sourceId'>,
  changes: SourceChanges,
  rules: SourceRules,
  prepared: PreparedSource = UNPREPARED,
): Promise<void> {
  await settingsLock(tx, accountId)
  // read under its lock: members that are not given are written back, and another edit or a run may have changed them since the caller's read
  const row = await lockedSource(tx, accountId, sourceId)
  const { credentials: _sealed, ...known } = row
  const isElsewhere = changes.url !== undefined && originOf(row.kind, changes.url) !== originOf(row.kind, row.url)
  const input = { ...known, ...(isElsewhere ? { hostKey: null } : {}), ...changes }
  const { settings, nextAt } = await checked(tx, { accountId, supplierId: row.supplierId }, input, row, {
    ...rules,
    ...prepared,
  })
  const isOther =
    settings.url !== row.url ||
    settings.path !== row.path ||
    settings.mode !== row.mode ||
    JSON.stringify(settings.mapping) !== JSON.stringify(row.mapping)
  await sourceUpdate(tx, accountId, row, { ...settings, nextRunAt: nextAt }, isOther)
}

/** Deletes a source; imported offers stay. */
export async function deleteSource(tx: Tx, accountId: number, sourceId: number): Promise<void> {
  await settingsLock(tx, accountId)
  await sourceDelete(tx, accountId, sourceId)
}

/** Protocol, host and port of a URL; null if it cannot be read. */
function originOf(kind: SourceKind, url: string | null): string | null {
  if (url === null) return null
  try {
    return readAddress(kind, url).origin
  } catch {
    return null
  }
}

async function checked(
  tx: Tx,
  owner: { accountId: number; supplierId: number },
  input: NewSource,
  row: SourceRow | null,
  rules: SourceRules & PreparedSource,
): Promise<{ settings: SourceSettings; nextAt: Date | null }> {
  const check = new Check()
  const { kind, mapping, mode } = input
  check.slug('name', input.name)
  const origin = checkPlace(check, input, rules)
  const { sealed, sealedKind } = takeCredentials(check, owner, input, row, origin, rules)
  if (input.hostKey !== null) {
    check.that(kind === 'sftp', 'host_key', `has no meaning in a source of the kind ${kind}`)
    check.that(
      /^SHA256:[A-Za-z0-9+/]{43}$/.test(input.hostKey),
      'host_key',
      'must be a fingerprint as ssh-keygen -lf shows it: SHA256: and 43 characters',
    )
  }
  checkMapping(check, mapping, row !== null && isDeepStrictEqual(mapping, row.mapping) ? 'stored' : 'given')
  const timeZone = input.timeZone ?? (await accountGet(tx, owner.accountId))?.timeZone ?? 'UTC'
  const now = await clockNow(tx)
  const schedule = { cron: input.cron, timeZone, everyMinutes: input.everyMinutes }
  checkSchedule(check, kind, schedule)
  check.done('source')
  const isSame =
    row !== null &&
    row.cron === schedule.cron &&
    row.timeZone === timeZone &&
    row.everyMinutes === schedule.everyMinutes &&
    row.isActive === input.isActive
  return {
    settings: {
      url: input.url,
      path: input.path,
      credentials: sealed,
      credentialsKind: sealedKind,
      hostKey: input.hostKey,
      mapping,
      mode,
      ...schedule,
      isActive: input.isActive,
    },
    // other edits keep the next time, also that of a retry after a failure
    nextAt: isSame ? row.nextRunAt : input.isActive ? nextRunAt(schedule, now) : null,
  }
}

/** Checks the location of the file. @returns the origin for which credentials are sealed; null if there is no server. */
function checkPlace(check: Check, { kind, url, path }: NewSource, rules: SourceRules): string | null {
  const isServer = kind === 'http' || kind === 'sftp' || kind === 'ftp'
  check.that(isServer || url === null, 'url', `has no meaning in a source of the kind ${kind}`)
  check.that(kind === 'directory' || path === null, 'path', `has no meaning in a source of the kind ${kind}`)
  if (kind === 'directory') {
    check.that(path !== null, 'path', 'is required in a source of the kind directory')
    check.that(
      rules.importDir !== null,
      'kind',
      'directory needs the setting IMPORT_DIR of this server, which its operator has not set',
    )
    const read = path === null ? null : readPath(path)
    if (read !== null && 'reason' in read) check.that(false, 'path', read.reason)
  }
  if (!isServer) return null
  if (url === null) {
    check.that(false, 'url', `is required in a source of the kind ${kind}`)
    return null
  }
  try {
    const address = readAddress(kind, url)
    check.that(
      rules.isAllowed(address.host),
      'url',
      'must lead to a public address; other networks must be listed in the setting OUTBOUND_ALLOW',
    )
    return address.origin
  } catch (error) {
    if (!(error instanceof ShelfwireError) || error.code !== 'invalid-input') throw error
    check.faults.push(...error.faults)
    return null
  }
}

/** Decides which credentials are stored. */
function takeCredentials(
  check: Check,
  { accountId, supplierId }: { accountId: number; supplierId: number },
  { name, kind, credentials }: NewSource,
  row: SourceRow | null,
  origin: string | null,
  { seal, key }: SourceRules & PreparedSource,
): { sealed: string | null; sealedKind: SourceSettings['credentialsKind'] } {
  const none = { sealed: null, sealedKind: null }
  if (credentials === null) return none
  const isKept = row !== null && origin !== null && originOf(kind, row.url) === origin
  const kept = row === null ? none : { sealed: row.credentials, sealedKind: row.credentialsKind }
  if (credentials === undefined) return isKept ? kept : none
  if (isOnlyKindGiven(credentials) && row?.credentialsKind === credentials.kind) {
    // otherwise they would be sent to the owner of the new URL
    check.that(isKept, 'credentials', 'must be sent again in full: the URL leads to another server than before')
    return kept
  }
  const read = readCredentials(credentials, kind, key, check.faults)
  if (read === null || origin === null) return none
  return { sealed: sealCredentials(seal, { accountId, supplierId, name }, read, origin), sealedKind: read.kind }
}

function checkMapping(check: Check, mapping: Record<string, unknown>, origin: MappingOrigin): void {
  // earlier releases stored mappings without this limit
  const tooLarge = origin === 'given' ? tooLargeMapping(mapping) : null
  if (tooLarge !== null) {
    check.that(false, 'mapping', tooLarge)
    return
  }
  const text = JSON.stringify(mapping)
  // PostgreSQL stores neither in jsonb, in which runs keep mappings
  if (/\\u(?:0000|d[89a-f])/.test(text.replaceAll('\\\\', ''))) {
    check.that(false, 'mapping', 'must not contain NUL or half of a surrogate pair')
    return
  }
  try {
    readMappingDocument(mapping, origin)
  } catch (error) {
    if (!(error instanceof ShelfwireError) || error.code !== 'invalid-input') throw error
    const faults = error.faults.length > 0 ? error.faults : [{ name: 'preset', reason: error.message }]
    for (const fault of faults) check.that(false, fault.name === '' ? 'mapping' : `mapping.${fault.name}`, fault.reason)
  }
}

/** Validates a schedule; faults are named by the members in the API. */
export function checkSchedule(
  check: Check,
  kind: SourceKind,
  { cron, timeZone, everyMinutes }: { cron: string | null; timeZone: string; everyMinutes: number | null },
): void {
  const isZone = isTimeZone(timeZone)
  check.that(isZone, 'time_zone', 'must be an IANA time zone such as Europe/Warsaw')
  if (everyMinutes !== null)
    check.integer('every_minutes', everyMinutes, LIMITS.sourceEveryMinutesMin, LIMITS.sourceEveryMinutesMax)
  if (cron !== null && isZone) {
    const reason = cronFault(cron)
    if (reason !== null) check.that(false, 'cron', reason)
  }
  check.that(cron === null || everyMinutes === null, 'every_minutes', 'must not be set beside cron')
  if (kind !== 'upload') return
  check.that(cron === null, 'cron', 'has no meaning in a source of the kind upload, which is not fetched')
  check.that(
    everyMinutes === null,
    'every_minutes',
    'has no meaning in a source of the kind upload, which is not fetched',
  )
}
