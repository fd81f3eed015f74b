import { countUseIn } from '../accounts/limits/use.ts'
import { accountInputsInsert } from '../catalog/settings/days.sql.ts'
import { sweepAppend } from '../catalog/stale/sweeps.sql.ts'
import { productIdBlocksAbandon, productCreatorsLock } from '../catalog/products/products.sql.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import { budgetOf } from '../../contract/account-limits.ts'
import { accountLimits } from '../overview/account-limits.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { faultPoint } from '../platform/process/fault-point.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import type { Seal } from '../platform/secrets/seal.ts'
import { RESOLVER_VERSION } from '../resolve/resolve.ts'
import { checkArchive, PassedBody, type CheckedArchive } from './check.ts'
import { kindOfFile } from './files.ts'
import { emptyToSet, IMPORTED_TABLES, LEFT_IN_ARCHIVE, type RowContext, type ToSet } from './imported.ts'
import { endpointStatesInsert, fencedCounterInsert, idsTake, lacking } from './import-rows.sql.ts'
import { NewIds } from './new-ids.ts'
import { picturesImport, picturesRestore, type PictureRooms } from './import-pictures.ts'
import { archiveRefusal } from './refused.ts'
import { schemaVersion } from './rows.sql.ts'
import { openSource, type ArchiveSource } from './source.ts'
import { writeTable } from './write-table.ts'

// Creates a new account from an archive. docs/decisions/169-an-account-is-imported-whole.md says why this is one transaction, and how people and
// secrets are treated.

export interface ImportedAccount {
  accountId: number
  name: string
  /** The account in the archive. */
  from: { accountId: number; name: string; exportedAt: string; shelfwire: string }
  /** How many products have to be shelved after the import. */
  products: number
  rows: number
  pictures: { stored: number; missing: number }
  /** Why it could not be checked after the import that all pictures are stored; null: they are. */
  picturesFault: Error | null
  toSet: ToSet
}

export interface ImportRooms extends PictureRooms {
  db: Db
  seal: Seal
}

/** Called during the import with the number done, their total (null: unknown), and what they are. */
export type OnImport = (done: number, total: number | null, of: string) => void

/**
 * Checks an archive and creates an account from it, with new ids. One transaction writes all rows, so the account exists completely or not at all.
 * Its products are shelved afterwards, like those of any account whose inputs changed.
 * @param path a directory or a tar file
 * @param name of the account; null: as in the archive
 * @throws ShelfwireError invalid-input for an archive that is incomplete or not one; newer-release; quota-exceeded; conflict if there is no room for
 * its pictures
 */
export async function importAccount(
  rooms: ImportRooms,
  path: string,
  name: string | null,
  onProgress: OnImport,
): Promise<ImportedAccount> {
  const { db } = rooms
  const source = await openSource(path)
  const checked = await checkArchive(source, await schemaVersion(db), (files) =>
    onProgress(files, null, 'files checked'),
  )
  const stored = await picturesImport(rooms, source, checked, onProgress)
  const written = await inTransaction(db, async (tx) => {
    await tx.allowLongStatements()
    await tx.unsafe('set local idle_in_transaction_session_timeout = 0')
    await tx.unsafe(`set local time zone 'UTC'`)
    const account = await writeAccount(tx, rooms, source, checked, name, onProgress)
    faultPoint('archive:before-commit')
    return account
  })
  // not thrown: the account exists by now, and a second import would create another one
  const picturesFault = await picturesRestore(rooms, source, written.accountId).then(() => null, asError)
  const { manifest, missing } = checked
  return {
    ...written,
    from: {
      accountId: manifest.account.account_id,
      name: manifest.account.name,
      exportedAt: manifest.exported_at,
      shelfwire: manifest.shelfwire,
    },
    pictures: { stored, missing: missing.size },
    picturesFault,
    products: manifest.files.find(({ path: file }) => file === 'product.ndjson')?.rows ?? 0,
  }
}

async function writeAccount(
  tx: Tx,
  { seal }: ImportRooms,
  source: ArchiveSource,
  { manifest, missing, isOfThisSchema }: CheckedArchive,
  name: string | null,
  onProgress: OnImport,
) {
  const accountId = must((await idsTake(tx, 'account', 'account_id', 1))[0])
  const ids = new NewIds(tx)
  await ids.open()
  // above every number that clients of the other installation can know, so that their cursors are refused
  const head = Math.max(LIMITS.fenceJump, manifest.last_change_id + 1)
  const context: RowContext = {
    accountId,
    name,
    ids,
    seal,
    head,
    missing,
    now: new Date(),
    suppliers: new Map(),
    states: [],
    toSet: emptyToSet(),
  }
  let rows = 0
  const total = manifest.files.reduce((sum, file) => sum + file.rows, 0)
  const stated = new Map(manifest.files.map((file) => [file.path, file]))
  for await (const file of source.files()) {
    if (kindOfFile(file.path) !== 'table') continue
    const table = file.path.replace('.ndjson', '')
    if (table in LEFT_IN_ARCHIVE && !(table in IMPORTED_TABLES)) continue
    const body = new PassedBody(file)
    rows += await writeTable(tx, context, table, isOfThisSchema, body, (done) => onProgress(rows + done, total, 'rows'))
    // the archive was checked before, but somebody may have written to it since
    if ((await body.end()).sha256 !== stated.get(file.path)?.sha256)
      throw archiveRefusal(file.path, 'was changed while it was imported')
    if (table !== 'account') continue
    await accountInputsInsert(tx, accountId, RESOLVER_VERSION)
  }
  await fencedCounterInsert(tx, accountId, head)
  await endpointStatesInsert(tx, accountId, head, context.states)
  // so that the next new product begins a block of ids of its own
  await productCreatorsLock(tx, accountId)
  await productIdBlocksAbandon(tx, accountId)
  const lacks = await lacking(tx, accountId)
  if (lacks.length > 0)
    throw archiveRefusal('the archive', `has no account that could work: it lacks ${lacks.join(', ')}`)
  await countUseIn(tx, accountId)
  await requireLimits(tx, accountId)
  await sweepAppend(tx, accountId, 'account imported')
  return { accountId, name: name ?? manifest.account.name, rows, toSet: context.toSet }
}

/** @throws ShelfwireError quota-exceeded if the account has more than its limits allow */
async function requireLimits(tx: Tx, accountId: number): Promise<void> {
  for (const { budget, used, limit } of await accountLimits(tx, accountId, 0))
    if (budgetOf(budget).kind === 'stock' && limit !== null && used > limit)
      throw new ShelfwireError(
        'quota-exceeded',
        `the archive has ${used} of ${budget}, and an account may have ${limit} here: set ACCOUNT_LIMITS=${budget}=${used} for the import`,
        { faults: [{ name: budget, reason: `${used} of ${limit} would be used` }] },
      )
}
