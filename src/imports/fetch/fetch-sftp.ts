import { hash } from 'node:crypto'
import { jsonOf } from '../../file-readers/frames.ts'
import type { Outbound } from '../../outbound/client.ts'
import { describeFailure } from '../../outbound/failures.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { Credentials } from '../sources/credentials.ts'
import { keyHeaderFault } from '../ssh/key-header.ts'
import { slowKey } from '../ssh/keys.ts'
import { SSH_FRAME, type SshLogin, type SshResult } from '../ssh/messages.ts'
import { SshProcessDied, startSsh } from '../ssh/ssh-process.ts'
import { connectionError } from './connection-error.ts'
import { FetchError, type Download, type FetchFailure } from './fetched.ts'
import { openIncomingFile, tooLarge } from './incoming-file.ts'
import type { ListedFile } from './newest-file.ts'
import { connect, downloadOf, type ServerRequest } from './server-file.ts'

export interface SftpRequest extends ServerRequest {
  /** The fingerprint that the server's key must have; null: this is the first contact. */
  hostKey: string | null
  /** Stores the fingerprint on the first contact. @returns false if another one has been stored meanwhile; the server is then refused. */
  onFirstKey: (fingerprint: string) => Promise<boolean>
}

/**
 * Fetches a file by SFTP, over a connection that follows the rules of all outbound ones. This process holds the connection; a process of its own
 * (sftp/process.ts) speaks the protocol over it.
 * @returns the file; null when it is the known one.
 * @throws FetchError; the reason of `signal`
 */
export async function fetchSftp(outbound: Outbound, request: SftpRequest, log: Log): Promise<Download | null> {
  const { signal, bounds, address, known } = request
  const { directory, file } = address
  const socket = await connect(outbound, request)
  try {
    const login = loginOf(request.credentials)
    const { connectMs } = bounds
    const job = { kind: 'fetch', login, directory, file, known, connectMs, limits: { ...LIMITS } } as const
    await using ssh = startSsh(log, job)
    const abort = () => ssh.kill(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    socket.on('error', (error) => ssh.kill(connectionLost(error)))
    socket.pipe(ssh.transport).pipe(socket)
    ssh.limit(LIMITS.sourceKeyMs, () => badKey(slowKey()))
    let found: ListedFile | null = null
    try {
      await using incoming = await openIncomingFile(request.unfinished, bounds, request.onBytes)
      for await (const answer of ssh.answers()) {
        switch (answer.kind) {
          case SSH_FRAME.started:
            ssh.limit(connectMs + LIMITS.sshGraceMs, noAnswer)
            break
          case SSH_FRAME.hostKey:
            await checkKey(request, answer.content)
            await ssh.send(SSH_FRAME.answer, true)
            break
          case SSH_FRAME.signedIn:
            // from now on, the pace at which the file arrives is the limit
            ssh.endLimit()
            break
          case SSH_FRAME.found:
            found = jsonOf(answer) as ListedFile
            if (found.bytes > bounds.bytesMax && !bounds.isBeginning) throw tooLarge(bounds)
            break
          case SSH_FRAME.data:
            await incoming.write(answer.content)
            if (incoming.isFull() && found !== null) return downloadOf(found, await incoming.end(), true)
            break
          case SSH_FRAME.result: {
            const result = jsonOf(answer) as SshResult
            if (!result.ok) throw failureOf(result.failure)
            if (result.fault !== null) throw badKey(result.fault)
            return result.isKnown || found === null ? null : downloadOf(found, await incoming.end(), false)
          }
        }
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw error instanceof SshProcessDied ? notUnderstood() : error
    } finally {
      signal.removeEventListener('abort', abort)
    }
    throw notUnderstood()
  } finally {
    socket.on('error', () => {})
    socket.destroy()
  }
}

/** Checks the server's key before anything is sent that the server could keep, such as a password. @throws FetchError */
async function checkKey({ hostKey, onFirstKey }: SftpRequest, key: Buffer): Promise<void> {
  const shown = `SHA256:${hash('sha256', key, 'base64').replace(/=+$/, '')}`
  const isKnown = hostKey === null ? await onFirstKey(shown) : hostKey === shown
  if (!isKnown)
    throw new FetchError(
      'host_key_changed',
      `the server shows another key than before (${shown}): ask the supplier whether it was changed, and only then set host_key to it, or to null`,
      { isForGood: true },
    )
}

/** @throws FetchError, also for a key that was stored before the number of its rounds was limited */
function loginOf(credentials: Credentials | null): SshLogin {
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
  const fault = keyHeaderFault(privateKey)
  if (fault !== null) throw badKey(fault)
  return { username, privateKey, passphrase }
}

const badKey = (fault: string) => new FetchError('auth', `the private key of the source ${fault}`, { isForGood: true })

const noAnswer = () => new FetchError('timeout', 'the server did not answer as an SFTP server in time')

const notUnderstood = () =>
  new FetchError('protocol', 'what the server sent could not be handled: ask the supplier whether it is an SFTP server')

function connectionLost(error: Error): FetchError {
  const { fault, detail } = describeFailure(error)
  return connectionError(fault === 'local' ? 'reset' : fault, fault === 'local' ? 'the connection was closed' : detail)
}

/** Converts a failure of the other process: a FetchError if it reported one, otherwise a bug in this program. */
function failureOf(failure: unknown): Error {
  const { fault, detail, ...options } = failure as FetchFailure | { fault?: undefined; detail: string }
  return fault === undefined ? new Error(`SFTP failed: ${detail}`) : new FetchError(fault, detail, options)
}
