import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db, Tx } from '../db/sql.ts'
import { accountTablesList } from '../erasure/account-tables.sql.ts'
import type { ImageType } from '../images/inspect/image-type.ts'
import { storedName, type ImageStore } from '../images/store/image-store.ts'
import { pipeInto } from '../objects/pipe-into.ts'
import { CountedBytes } from '../platform/files/counted-bytes.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { packageVersion } from '../platform/process/package.ts'
import { ARCHIVE_MANIFEST } from './files.ts'
import { EXPORTED_TABLES, LEFT_OUT_TABLES } from './kinds.ts'
import { FORMAT, type ArchivedFile, type ArchiveManifest } from './manifest.ts'
import { openPlace, type ArchivePlace } from './place.ts'
import { accountAt, peopleTexts, pictureTexts, rowTexts, schemaVersion } from './rows.sql.ts'

// An archive of an account: rows of its tables in one snapshot, and its pictures. docs/account-archive.md describes it.

/** Called during the export with the number of rows or pictures so far, and what they are of; the export waits for the returned promise. */
export type OnProgress = (done: number, of: string) => void | PromiseLike<unknown>

/**
 * Writes an archive of an account. Rows are from one snapshot; pictures, whose bytes never change, are read afterwards.
 * @param target a directory to create, or a file that ends with .tar, .tar.gz or .tgz; it gets this name when it is complete
 * @throws ShelfwireError invalid-input for the target; unknown-account; conflict when the database has a table that this release does not know
 */
export async function exportAccount(
  { db, imageStore }: { db: Db; imageStore: ImageStore },
  accountId: number,
  target: string,
  onProgress: OnProgress,
): Promise<ArchiveManifest> {
  requireKnown((await accountTablesList(db)).map(({ name }) => name))
  const place = await openPlace(target, new Date())
  try {
    // the list of pictures to copy afterwards is a file, because a million pictures would need much memory
    const list = place.scratchOf('pictures')
    const snapshot = await db.begin('isolation level repeatable read read only', async (tx) => {
      await tx.allowLongStatements()
      await tx.unsafe('set local idle_in_transaction_session_timeout = 0')
      return readSnapshot(tx, accountId, place, list, onProgress)
    })
    const pictures = await keepPictures(place, imageStore, list, onProgress)
    const manifest: ArchiveManifest = {
      format: FORMAT,
      shelfwire: packageVersion(),
      ...snapshot,
      files: [...snapshot.files, pictures.file],
      pictures: { count: pictures.count, bytes: pictures.bytes },
      left_out: leftOut(),
    }
    await keepFile(place, ARCHIVE_MANIFEST, once([`${JSON.stringify(manifest, null, 2)}\n`]))
    await place.finish()
    return manifest
  } catch (error) {
    await place.abandon()
    throw error
  }
}

/**
 * Refuses a table that is neither exported nor left out on purpose, which would otherwise be forgotten without notice. @throws ShelfwireError
 * conflict
 */
function requireKnown(tables: readonly string[]): void {
  const unknown = tables.filter((name) => !(name in EXPORTED_TABLES) && !(name in LEFT_OUT_TABLES))
  if (unknown.length > 0)
    throw new ShelfwireError(
      'conflict',
      `the database has tables of accounts that this release does not know: ${unknown.join(', ')}; use the release that made them`,
    )
}

async function readSnapshot(tx: Tx, accountId: number, place: ArchivePlace, list: string, onProgress: OnProgress) {
  const account = await accountAt(tx, accountId)
  if (account === undefined) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
  const files: ArchivedFile[] = []
  for (const [name, table] of Object.entries(EXPORTED_TABLES)) {
    const texts = rowTexts(tx, accountId, name, table)
    files.push(await keepFile(place, `${name}.ndjson`, texts, (rows) => onProgress(rows, name)))
  }
  files.push(await keepFile(place, 'people.ndjson', peopleTexts(tx, accountId)))
  await pipeline(Readable.from(lines(pictureTexts(tx, accountId))), createWriteStream(list, { mode: 0o600 }))
  return {
    schema: await schemaVersion(tx),
    account: { account_id: accountId, name: account.name },
    exported_at: account.at.toISOString(),
    last_change_id: account.lastChangeId,
    owners: account.owners,
    files,
  }
}

async function* once(texts: string[]): AsyncGenerator<string[]> {
  yield texts
}

async function* lines(pages: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((text) => `${text}\n`).join('')
}

/** Writes a file of lines and adds it to the archive. */
async function keepFile(
  place: ArchivePlace,
  path: string,
  pages: AsyncIterable<string[]>,
  onRows: (rows: number) => void | PromiseLike<unknown> = () => {},
): Promise<ArchivedFile> {
  let rows = 0
  const texts = async function* () {
    for await (const page of pages) {
      await onRows((rows += page.length))
      yield Buffer.from(page.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join(''))
    }
  }
  const counted = new CountedBytes()
  await pipeline(
    Readable.from(texts(), { objectMode: false }),
    counted,
    createWriteStream(await place.draftOf(path), { mode: 0o600 }),
  )
  const { bytes } = counted
  await place.keep(path, bytes)
  return { path, rows, bytes, sha256: counted.sha256() }
}

/** Copies the pictures of a list, and writes pictures.ndjson, which has the path of each, or null if its bytes are missing. */
async function keepPictures(place: ArchivePlace, store: ImageStore, list: string, onProgress: OnProgress) {
  let count = 0
  let bytes = 0
  const names = place.scratchOf('copied')
  const copied = async function* () {
    for await (const line of createInterface({ input: createReadStream(list) })) {
      const picture = JSON.parse(line) as { hash: string; type: ImageType }
      const size = await keepPicture(place, store, picture)
      if (size !== null) {
        count += 1
        bytes += size
      }
      await onProgress(count, 'pictures')
      const path = size === null ? null : `pictures/${storedName(picture.hash, picture.type)}`
      yield `${JSON.stringify({ ...picture, bytes: size, path })}\n`
    }
  }
  await pipeline(Readable.from(copied()), createWriteStream(names, { mode: 0o600 }))
  const file = await keepFile(place, 'pictures.ndjson', textsOf(names))
  return { file, count, bytes }
}

async function* textsOf(file: string): AsyncGenerator<string[]> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield [line]
}

/** @returns the bytes of the picture; null if the store does not have them, or has different ones */
async function keepPicture(
  place: ArchivePlace,
  store: ImageStore,
  { hash, type }: { hash: string; type: ImageType },
): Promise<number | null> {
  const path = `pictures/${storedName(hash, type)}`
  const found = await store.read(hash, undefined, type)
  if (found === undefined) return null
  const counted = new CountedBytes()
  let draft = ''
  const openDraft = async () => createWriteStream((draft = await place.draftOf(path)), { mode: 0o600 })
  await pipeInto(found.stream, openDraft, [counted])
  if (counted.sha256() !== hash) {
    await rm(draft)
    return null
  }
  await place.keep(path, counted.bytes)
  return counted.bytes
}

function leftOut(): ArchiveManifest['left_out'] {
  return {
    tables: Object.entries(LEFT_OUT_TABLES).map(([table, why]) => ({ table, ...why })),
    columns: Object.entries(EXPORTED_TABLES).flatMap(([table, { without = {} }]) =>
      Object.entries(without).map(([column, why]) => ({ table, column, ...why })),
    ),
  }
}
