import { hash } from 'node:crypto'
import { once } from 'node:events'
import type { ConnectConfig, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2'
import type { Outbound } from '../../outbound/client.ts'
import { describeFailure } from '../../outbound/failures.ts'
import { shownName } from '../files/shown-name.ts'
import type { Credentials } from '../sources/credentials.ts'
import { connectionError } from './connection-error.ts'
import { FetchError, type Download } from './fetched.ts'
import { openIncomingFile, type IncomingFile } from './incoming-file.ts'
import { missing, NewestFile, type ListedFile } from './newest-file.ts'
import { changing, connect, downloadOf, isKnown, pathIn, type ServerRequest } from './server-file.ts'

export interface SftpRequest extends ServerRequest {
  /** Fingerprint that the server's key must have; null: it is the first contact. */
  hostKey: string | null
  /** Keeps the key of a first contact. @returns false when another one is kept meanwhile: then the server is refused. */
  onFirstKey: (fingerprint: string) => Promise<boolean>
}

/** What every server sends in one answer. */
const READ_BYTES = 32_768
const READS_AT_ONCE = 32
/** A status of SFTP. */
const END_OF_FILE = 1

/**
 * Fetches a file by SFTP, over a connection that keeps the rules of all outbound ones.
 * @returns the file; null when it is the known one.
 * @throws FetchError; the reason of `signal`
 */
export async function fetchSftp(outbound: Outbound, request: SftpRequest): Promise<Download | null> {
  const { signal, bounds } = request
  const ssh2 = (await import('ssh2')).default
  const socket = await connect(outbound, request)
  const client = new ssh2.Client()
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => {})
  const abort = () => broken.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    const checking: KeyCheck = { shown: null, refusal: null }
    client.on('error', (error) => broken.reject(checking.refusal ?? sshError(error)))
    client.on('close', () =>
      broken.reject(
        checking.refusal ?? new FetchError('reset', 'the server closed the connection before the file was complete'),
      ),
    )
    const ready = once(client, 'ready')
    ready.catch(() => {})
    client.connect({
      sock: socket,
      readyTimeout: bounds.connectMs,
      hostVerifier: (key: Buffer, done: (isAccepted: boolean) => void) =>
        void checkKey(request, key, checking).then(done, (error: unknown) => {
          broken.reject(error)
          done(false)
        }),
      ...loginOf(request.credentials),
    })
    await Promise.race([ready, broken.promise])
    const sftp = await Promise.race([
      new Promise<SFTPWrapper>((resolve, reject) =>
        client.sftp((error, opened) => (error === undefined ? resolve(opened) : reject(error))),
      ).catch(() => {
        throw new FetchError('protocol', 'the server allows no SFTP to this user', { isForGood: true })
      }),
      broken.promise,
    ])
    // opened here: reading would not end when the connection breaks
    await using incoming = await openIncomingFile(request.unfinished, bounds, request.onBytes)
    const found = await Promise.race([read(sftp, request, incoming), broken.promise])
    if (found === null) return null
    const isCut = incoming.isFull()
    return downloadOf(found, await incoming.end(), isCut)
  } finally {
    signal.removeEventListener('abort', abort)
    client.on('error', () => {})
    client.destroy()
    socket.destroy()
  }
}

/** What became of the check of the server's key. */
interface KeyCheck {
  shown: string | null
  refusal: FetchError | null
}

/** The key is checked before anything is sent that the server could keep, such as a password. */
async function checkKey({ hostKey, onFirstKey }: SftpRequest, key: Buffer, check: KeyCheck): Promise<boolean> {
  check.shown = `SHA256:${hash('sha256', key, 'base64').replace(/=+$/, '')}`
  const isKnown = hostKey === null ? await onFirstKey(check.shown) : hostKey === check.shown
  if (!isKnown)
    check.refusal = new FetchError(
      'host_key_changed',
      `the server shows another key than before (${check.shown}): ask the supplier whether it was changed, and only then set host_key to it, or to null`,
      { isForGood: true },
    )
  return isKnown
}

function loginOf(
  credentials: Credentials | null,
): Pick<ConnectConfig, 'username' | 'password' | 'privateKey' | 'passphrase'> {
  if (credentials?.kind === 'password') return { username: credentials.username, password: credentials.password }
  if (credentials?.kind !== 'key')
    throw new FetchError(
      'auth',
      'an SFTP server needs credentials: add a user with a password or a private key to the source',
      {
        isForGood: true,
      },
    )
  const { username, privateKey, passphrase } = credentials
  return { username, privateKey, ...(passphrase === null ? {} : { passphrase }) }
}

function sshError(error: Error & { level?: string; code?: string }): FetchError {
  if (error.level === 'client-authentication')
    return new FetchError(
      'auth',
      'the server does not accept user and password or key: check the credentials of the source',
      {
        isForGood: true,
      },
    )
  if (error.level === 'client-timeout')
    return new FetchError('timeout', 'the server did not answer as an SFTP server in time')
  if (error.level === 'client-socket' || error.code !== undefined) {
    const { fault, detail } = describeFailure(error)
    return connectionError(
      fault === 'local' ? 'reset' : fault,
      fault === 'local' ? 'the connection was closed' : detail,
    )
  }
  return new FetchError(
    'protocol',
    'the server is no SFTP server, or none that can be spoken to: no common protocol was found',
  )
}

/** Reads the file into `incoming`. @returns its entry in the directory; null for the known one. */
async function read(sftp: SFTPWrapper, request: SftpRequest, incoming: IncomingFile): Promise<ListedFile | null> {
  const { directory, file } = request.address
  const pathOf = (name: string) => pathIn(request.address, name)
  const found = file.includes('*') ? await newestOf(sftp, directory, file) : await statOf(sftp, pathOf(file), file)
  if (isKnown(found, request.known)) return null
  if (found.bytes > request.bounds.bytesMax && !request.bounds.isBeginning)
    await incoming.write(new Uint8Array(request.bounds.bytesMax + 1))
  try {
    for await (const part of partsOf(sftp, pathOf(found.name))) {
      request.signal.throwIfAborted()
      await incoming.write(part)
      if (incoming.isFull()) break
    }
  } catch (error) {
    if (error instanceof FetchError || request.signal.aborted) throw error
    throw new FetchError('reset', `the file could not be read to its end: ${statusOf(error)}`)
  }
  const isCut = incoming.isFull()
  const after = isCut ? found : await statOf(sftp, pathOf(found.name), found.name)
  if (!isCut && (after.bytes !== incoming.bytes() || after.modifiedMs !== found.modifiedMs)) throw changing(found.name)
  return found
}

/**
 * The parts of a file in their order. Several are asked for at once: one after the other, each would wait for the way there and back,
 * which makes 1 MB in a second of a server that is 30 ms away.
 */
async function* partsOf(sftp: SFTPWrapper, path: string): AsyncGenerator<Buffer> {
  const handle = await new Promise<Buffer>((resolve, reject) =>
    sftp.open(path, 'r', (error, opened) => (error === undefined ? resolve(opened) : reject(error))),
  )
  const ask = (offset: number) => {
    const part = readFully(sftp, handle, offset)
    // it is waited for in its turn
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

/** Reads READ_BYTES from an offset; fewer at the end of the file only. */
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
    // an empty list would come for ever
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

const listed = (name: string, { size, mtime }: Stats): ListedFile => ({ name, bytes: size, modifiedMs: mtime * 1_000 })

/** Status 2 of SFTP: no such file; 3: permission denied. */
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
