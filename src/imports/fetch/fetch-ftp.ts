import { Writable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { isIP } from 'node:net'
import { Client, FTPError } from 'basic-ftp'
import type { Outbound } from '../../outbound/client.ts'
import { describeFailure } from '../../outbound/failures.ts'
import { asError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { connectionError } from './connection-error.ts'
import { FetchError, type Download } from './fetched.ts'
import { addListing } from './ftp-listing.ts'
import { openIncomingFile } from './incoming-file.ts'
import { missing, NewestFile, type ListedFile } from './newest-file.ts'
import { changing, connect, downloadOf, isKnownFile, pathIn, type ServerRequest } from './server-file.ts'

/**
 * Fetches a file by FTP, with TLS where the URL says so. Both connections go to one checked address: of a server's
 * answer to PASV only the port is used.
 * @returns the file; null when it is the known one.
 * @throws FetchError; the reason of `signal`
 */
export async function fetchFtp(outbound: Outbound, request: ServerRequest): Promise<Download | null> {
  const { bounds, signal } = request
  const client = new Client(bounds.paceMs, {
    allowSeparateTransferHost: false,
    maxListingBytes: LIMITS.sourceListingBytesMax,
  })
  const socket = await connect(outbound, request)
  let refusal: FetchError | null = null
  const close = () => client.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    await login(client, socket, outbound, request)
    return await read(client, request, (error) => (refusal ??= error))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw refusal ?? (error instanceof FetchError ? error : ftpError(asError(error)))
  } finally {
    signal.removeEventListener('abort', close)
    client.close()
    socket.destroy()
  }
}

async function login(
  client: Client,
  socket: Awaited<ReturnType<typeof connect>>,
  outbound: Outbound,
  { address, credentials }: ServerRequest,
): Promise<void> {
  const tls = {
    ...(outbound.ca === undefined ? {} : { ca: outbound.ca }),
    host: address.host,
    ...(isIP(address.host) === 0 ? { servername: address.host } : {}),
  }
  if (address.protocol === 'ftps') {
    client.ftp.socket = connectTls({ ...tls, socket })
    client.ftp.tlsOptions = tls
  } else client.ftp.socket = socket
  await client.ftp.handle(undefined, (answer, task) => {
    if (answer instanceof Error) task.reject(answer)
    else if (answer.code >= 200 && answer.code < 300) task.resolve(answer)
    else task.reject(new FTPError(answer))
  })
  if (address.protocol === 'ftpes') await client.useTLS(tls)
  const { username, password } =
    credentials?.kind === 'password' ? credentials : { username: 'anonymous', password: 'anonymous@' }
  await client.login(username, password)
  await client.useDefaultSettings()
}

async function read(
  client: Client,
  request: ServerRequest,
  onRefusal: (error: FetchError) => void,
): Promise<Download | null> {
  const { bounds, signal } = request
  const { directory, file } = request.address
  const pathOf = (name: string) => pathIn(request.address, name)
  const found = file.includes('*')
    ? await newestOf(client, directory, file, signal)
    : await statOf(client, pathOf(file), file)
  if (isKnownFile(found, request.known)) return null
  await using incoming = await openIncomingFile(request.unfinished, bounds, request.onBytes)
  const target = new Writable({
    write(part: Buffer, _encoding, done) {
      incoming
        .write(part)
        .then(() => {
          if (!incoming.isFull()) return done()
          // the rest is not needed, and only closing the connection stops the server from sending it
          client.close()
          done()
        })
        .catch((error: unknown) => {
          if (error instanceof FetchError) onRefusal(error)
          client.close()
          done(asError(error))
        })
    },
  })
  await client.downloadTo(target, pathOf(found.name)).catch((error: unknown) => {
    if (!incoming.isFull()) throw error
  })
  signal.throwIfAborted()
  const isCut = incoming.isFull()
  if (!isCut) {
    const after = await statOf(client, pathOf(found.name), found.name)
    if (after.bytes >= 0 && after.bytes !== incoming.bytes()) throw changing(found.name)
    if (after.modifiedMs !== found.modifiedMs && !file.includes('*')) throw changing(found.name)
  }
  return downloadOf(found, await incoming.end(), isCut)
}

/**
 * Size (-1 if the server does not say) and time of modification (0 if it does not say). @throws FetchError if the
 * server says that there is no such file
 */
async function statOf(client: Client, path: string, name: string): Promise<ListedFile> {
  const ask = async <T>(question: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await question
    } catch (error) {
      if (!(error instanceof FTPError)) throw error
      if (error.code === 550) throw missing(name)
      return otherwise
    }
  }
  const bytes = await ask(client.size(path), -1)
  const modified = await ask<Date | null>(client.lastMod(path), null)
  return { name, bytes, modifiedMs: modified?.getTime() ?? 0 }
}

async function newestOf(client: Client, directory: string, pattern: string, signal: AbortSignal): Promise<ListedFile> {
  const newest = new NewestFile(pattern)
  let listing = ''
  // otherwise the FTP client would parse the whole listing at once, which blocks the event loop
  client.parseList = (text) => {
    listing = text
    return []
  }
  await client.list(directory)
  await addListing(newest, listing, signal)
  return newest.get()
}

function ftpError(error: Error): FetchError {
  if (error instanceof FTPError) {
    if (error.code === 530 || error.code === 430 || error.code === 332)
      return new FetchError(
        'auth',
        `the server does not accept user and password (${error.code}): check the credentials of the source`,
        { isForGood: true },
      )
    if (error.code === 421)
      return new FetchError('ftp_421', 'the server takes no more connections now (421); it is tried again')
    if (error.code === 550)
      return new FetchError(
        'not_found',
        'there is no such file, or the user may not read it (550): check the path with the supplier',
        { isForGood: true },
      )
    return new FetchError(`ftp_${error.code}`, `the server answers ${error.code}: the supplier can say why`)
  }
  if (/PASV returned another host/.test(error.message))
    return new FetchError(
      'other_host',
      'the server wants to send the file from another host, which is not allowed: ask the supplier for SFTP or HTTPS',
      { isForGood: true },
    )
  if (error.message.includes('Maximum bytes exceeded'))
    return new FetchError(
      'too_many_files',
      `the listing of the directory has more than ${LIMITS.sourceListingBytesMax} bytes: name the file without *, or use another directory`,
    )
  const { fault, detail } = describeFailure(error)
  if (fault !== 'local') return connectionError(fault, detail)
  if (/timeout/i.test(error.message)) return new FetchError('timeout', 'the server did not answer in time')
  return new FetchError('reset', 'the connection was closed before the file was complete; no part of it was imported')
}
