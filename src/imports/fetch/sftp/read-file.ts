import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2'
import { shownName } from '../../files/shown-name.ts'
import { FetchError } from '../fetched.ts'
import { missing, NewestFile, type ListedFile } from '../newest-file.ts'
import { changing, isKnownFile, pathIn } from '../server-file.ts'

/** The number of bytes that every server sends in one answer. */
const READ_BYTES = 32_768
const READS_AT_ONCE = 32
/** A status code of SFTP. */
const END_OF_FILE = 1

/** The file to read. */
interface Wanted {
  directory: string
  /** A name, or a pattern: the newest file that matches it is read. */
  file: string
  known: string | null
}

/** Receives the file. */
interface Reading {
  /** Called before the first part. */
  found(file: ListedFile): Promise<void>
  part(bytes: Buffer): Promise<void>
}

/** Reads a file. @returns false if it is the known one. @throws FetchError */
export async function readFile(sftp: SFTPWrapper, wanted: Wanted, reading: Reading): Promise<boolean> {
  const { directory, file } = wanted
  const pathOf = (name: string) => pathIn(wanted, name)
  const found = file.includes('*') ? await newestOf(sftp, directory, file) : await statOf(sftp, pathOf(file), file)
  if (isKnownFile(found, wanted.known)) return false
  await reading.found(found)
  let bytes = 0
  try {
    for await (const part of partsOf(sftp, pathOf(found.name))) {
      await reading.part(part)
      bytes += part.length
    }
  } catch (error) {
    if (error instanceof FetchError) throw error
    throw new FetchError('reset', `the file could not be read to its end: ${statusOf(error)}`)
  }
  const after = await statOf(sftp, pathOf(found.name), found.name)
  if ((after.bytes >= 0 && after.bytes !== bytes) || after.modifiedMs !== found.modifiedMs) throw changing(found.name)
  return true
}

/**
 * Yields the parts of a file in order. Several are requested at once: one after the other, each would wait for a round trip, which limits a server 30
 * ms away to 1 MB per second.
 */
async function* partsOf(sftp: SFTPWrapper, path: string): AsyncGenerator<Buffer> {
  const handle = await new Promise<Buffer>((resolve, reject) =>
    sftp.open(path, 'r', (error, opened) => (error === undefined ? resolve(opened) : reject(error))),
  )
  const ask = (offset: number) => {
    const part = readFully(sftp, handle, offset)
    // its error is thrown when its turn comes
    part.catch(() => {})
    return part
  }
  const asked: Promise<Buffer>[] = []
  let offset = 0
  for (;;) {
    for (; asked.length < READS_AT_ONCE; offset += READ_BYTES) asked.push(ask(offset))
    const part = (await asked.shift()) ?? Buffer.alloc(0)
    if (part.length > 0) yield part
    if (part.length < READ_BYTES) return
  }
}

/** Reads READ_BYTES from an offset; fewer only at the end of the file. */
async function readFully(sftp: SFTPWrapper, handle: Buffer, offset: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  let filled = 0
  while (filled < READ_BYTES) {
    const count = await new Promise<number>((resolve, reject) =>
      sftp.read(handle, buffer, filled, READ_BYTES - filled, offset + filled, (error, bytesRead) => {
        if (error === undefined || error === null) resolve(bytesRead)
        else if ((error as { code?: unknown }).code === END_OF_FILE) resolve(0)
        else reject(error)
      }),
    )
    if (count === 0) break
    filled += count
  }
  return buffer.subarray(0, filled)
}

async function newestOf(sftp: SFTPWrapper, directory: string, pattern: string): Promise<ListedFile> {
  const newest = new NewestFile(pattern)
  const path = directory === '' ? '.' : directory
  const handle = await new Promise<Buffer>((resolve, reject) =>
    sftp.opendir(path, (error, opened) => (error === undefined ? resolve(opened) : reject(error))),
  ).catch((error: unknown) => {
    throw accessError(error, path)
  })
  for (;;) {
    const entries = await new Promise<FileEntryWithStats[] | null>((resolve, reject) =>
      sftp.readdir(handle, (error, list) => {
        if (error === undefined) resolve(list)
        // the end of the list
        else if ((error as { code?: unknown }).code === END_OF_FILE) resolve(null)
        else reject(error)
      }),
    ).catch((error: unknown) => {
      throw accessError(error, path)
    })
    // a server that sends empty lists would do so for ever
    if (entries === null || entries.length === 0) return newest.get()
    for (const { filename, attrs } of entries) if (!attrs.isDirectory()) newest.add(listed(filename, attrs))
  }
}

async function statOf(sftp: SFTPWrapper, path: string, name: string): Promise<ListedFile> {
  const attrs = await new Promise<Stats>((resolve, reject) =>
    sftp.stat(path, (error, stats) => (error === undefined ? resolve(stats) : reject(error))),
  ).catch((error: unknown) => {
    throw accessError(error, name)
  })
  if (attrs.isDirectory())
    throw new FetchError('not_found', `${JSON.stringify(shownName(name))} is a directory: name a file in it`, {
      isForGood: true,
    })
  return listed(name, attrs)
}

/** Despite their types, attributes are undefined if the server does not send them, as the protocol allows. */
const listed = (name: string, { size, mtime }: Partial<Stats>): ListedFile => ({
  name,
  bytes: size ?? -1,
  modifiedMs: (mtime ?? 0) * 1_000,
})

/** Converts an error of SFTP. Status 2: no such file; 3: permission denied. */
function accessError(error: unknown, name: string): FetchError {
  const status = (error as { code?: unknown }).code
  if (status === 2) return missing(name)
  if (status === 3)
    return new FetchError(
      'denied',
      `the user may not read ${JSON.stringify(shownName(name))}: ask the supplier to allow it`,
      { isForGood: true },
    )
  return new FetchError(
    'protocol',
    `the server could not say what ${JSON.stringify(shownName(name))} is: ${statusOf(error)}`,
  )
}

function statusOf(error: unknown): string {
  const status = (error as { code?: unknown }).code
  return typeof status === 'number' ? `status ${status}` : 'the connection was lost'
}
