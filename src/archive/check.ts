import { createHash } from 'node:crypto'
import { LIMITS } from '../platform/limits.ts'
import { readStoredName } from '../images/store/image-store.ts'
import { ARCHIVE_MANIFEST, kindOfFile, PICTURES_FILE, TABLE_FILES, type PictureLine } from './files.ts'
import { pagesOfLines } from './lines.ts'
import { readManifest, type ArchivedFile, type ReadManifest } from './manifest.ts'
import { inText, archiveRefusal } from './refused.ts'
import type { ArchiveSource } from './source.ts'
import type { ReadFile } from './tar-read.ts'

// An archive is read completely once before anything of it is written: to check which files it has, and that each is as it was written.

export interface CheckedArchive {
  manifest: ReadManifest
  /** Whether it has all tables and columns of this release. */
  isOfThisSchema: boolean
  /** Pictures that the account names but whose bytes are not in the archive, by hash. */
  missing: Set<string>
}

/**
 * @param schema number of the newest migration of this release
 * @param onFile called with the number of files read so far
 * @throws ShelfwireError invalid-input with the file and what is wrong with it; newer-release
 */
export async function checkArchive(
  source: ArchiveSource,
  schema: number,
  onFile: (files: number) => void,
): Promise<CheckedArchive> {
  const found = new Map<string, ArchivedFile>()
  const pictures = { count: 0, bytes: 0, last: '', names: createHash('sha256') }
  const listed = { missing: new Set<string>(), count: 0, names: createHash('sha256') }
  let manifest: ReadManifest | undefined
  let files = 0
  let place = -1
  for await (const file of source.files()) {
    const { path } = file
    const kind = kindOfFile(path)
    if (kind === undefined) throw archiveRefusal(inText(path), 'is no file of an archive')
    const next = kind === 'table' ? TABLE_FILES.indexOf(path) : TABLE_FILES.length + ORDER.indexOf(kind)
    const isAgain = kind === 'picture' ? path === pictures.last : next === place
    if (isAgain) throw archiveRefusal(path, 'is there twice')
    if (next < place || (kind === 'picture' && path < pictures.last))
      throw archiveRefusal(
        path,
        'is not in its place; a tar file that was packed anew is unpacked, and the directory imported',
      )
    place = next
    if (kind === 'manifest') manifest = readManifest(await textOf(file), schema)
    else if (kind === 'picture') {
      await checkPicture(file)
      pictures.last = path
      pictures.count += 1
      pictures.bytes += file.bytes
      pictures.names.update(`${path} ${file.bytes}\n`)
    } else {
      const body = new PassedBody(file)
      if (kind === 'pictures') await readPictures(body, listed)
      found.set(path, await body.end())
    }
    onFile((files += 1))
  }
  if (manifest === undefined)
    throw archiveRefusal(ARCHIVE_MANIFEST, 'is missing: the archive was cut off, or its export did not come to its end')
  compare(manifest, found)
  // an archive of an older release lacks tables that were added later
  const accounts = found.get('account.ndjson')?.rows ?? 0
  if (accounts !== 1) throw archiveRefusal('account.ndjson', `has ${accounts} rows, and an archive is of one account`)
  const isOfThisSchema = manifest.schema === schema
  if (isOfThisSchema)
    for (const path of [...TABLE_FILES, PICTURES_FILE]) if (!found.has(path)) throw archiveRefusal(path, 'is missing')
  if (pictures.count !== listed.count || pictures.names.digest('hex') !== listed.names.digest('hex'))
    throw archiveRefusal(
      PICTURES_FILE,
      `names ${listed.count} pictures with other names or sizes than the ${pictures.count} that are there`,
    )
  if (pictures.count !== manifest.pictures.count || pictures.bytes !== manifest.pictures.bytes)
    throw archiveRefusal(
      ARCHIVE_MANIFEST,
      `states other pictures than the ${pictures.count} with ${pictures.bytes} bytes that are there`,
    )
  return { manifest, isOfThisSchema, missing: listed.missing }
}

/** The kinds of files that follow the tables, in order. */
const ORDER = ['picture', 'pictures', 'manifest']

/** Passes a file's body on while hashing it and counting its bytes and rows. */
export class PassedBody implements AsyncIterable<Buffer> {
  readonly #file: ReadFile
  readonly #hash = createHash('sha256')
  readonly #body: AsyncIterator<Buffer>
  #bytes = 0
  #rows = 0
  #last = 0x0a

  constructor(file: ReadFile) {
    this.#file = file
    this.#body = file.body[Symbol.asyncIterator]()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const next = await this.#body.next()
      if (next.done === true) return
      const chunk = next.value
      this.#hash.update(chunk)
      this.#bytes += chunk.length
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) this.#rows += 1
      this.#last = chunk.at(-1) ?? this.#last
      yield chunk
    }
  }

  /** Reads the rest of the body. @returns the description of the whole file. */
  async end(): Promise<ArchivedFile> {
    for await (const _ of this);
    const { path } = this.#file
    if (this.#last !== 0x0a) throw archiveRefusal(path, 'is cut off: its last line has no end')
    return { path, rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}

async function textOf({ path, bytes, body }: ReadFile): Promise<string> {
  if (bytes > LIMITS.archiveManifestBytesMax)
    throw archiveRefusal(path, `has more than ${LIMITS.archiveManifestBytesMax} bytes`)
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

async function checkPicture({ path, bytes, body }: ReadFile): Promise<void> {
  if (bytes > LIMITS.imageBytesMax) throw archiveRefusal(path, `has more than ${LIMITS.imageBytesMax} bytes`)
  const hash = createHash('sha256')
  for await (const chunk of body) hash.update(chunk)
  if (hash.digest('hex') !== readStoredName(path.slice('pictures/'.length))?.hash)
    throw archiveRefusal(path, 'is altered: its name is not the SHA-256 of its bytes')
}

async function readPictures(
  body: AsyncIterable<Buffer>,
  listed: { missing: Set<string>; count: number; names: ReturnType<typeof createHash> },
): Promise<void> {
  let last = ''
  for await (const page of pagesOfLines(PICTURES_FILE, body))
    for (const { number, row } of page) {
      const { hash, path, bytes } = row as unknown as PictureLine
      const place = `${PICTURES_FILE}, line ${number}`
      if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
        throw archiveRefusal(place, 'names no picture by its hash')
      if (hash <= last)
        throw archiveRefusal(place, 'is not in its place: pictures are in the order of their hashes, each once')
      last = hash
      if (path === null) {
        listed.missing.add(hash)
        continue
      }
      if (kindOfFile(path) !== 'picture' || !path.includes(hash))
        throw archiveRefusal(place, `names ${inText(path)}, which is no picture of this hash`)
      listed.count += 1
      listed.names.update(`${path} ${bytes}\n`)
    }
}

/** Checks that the files are exactly those of the manifest, byte for byte. @throws ShelfwireError invalid-input */
function compare(manifest: ReadManifest, found: ReadonlyMap<string, ArchivedFile>): void {
  const stated = new Map(manifest.files.map((file) => [file.path, file]))
  if (stated.size !== manifest.files.length) throw archiveRefusal(ARCHIVE_MANIFEST, 'names a file twice')
  for (const path of stated.keys()) {
    const kind = kindOfFile(path)
    if (kind !== 'table' && kind !== 'pictures')
      throw archiveRefusal(ARCHIVE_MANIFEST, `names ${inText(path)}, which is no file of an archive`)
    if (!found.has(path)) throw archiveRefusal(path, 'is missing')
  }
  for (const [path, file] of found) {
    const expected = stated.get(path)
    if (expected === undefined) throw archiveRefusal(path, `is not named by ${ARCHIVE_MANIFEST}`)
    if (file.bytes !== expected.bytes)
      throw archiveRefusal(path, `has ${file.bytes} bytes, and ${ARCHIVE_MANIFEST} states ${expected.bytes}`)
    if (file.sha256 !== expected.sha256)
      throw archiveRefusal(path, 'is altered: its SHA-256 is not that of the manifest')
    if (file.rows !== expected.rows)
      throw archiveRefusal(path, `has ${file.rows} rows, and ${ARCHIVE_MANIFEST} states ${expected.rows}`)
  }
}
