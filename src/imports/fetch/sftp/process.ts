/**
 * The program of a process that opens one private key, or fetches one file by SFTP, and then ends. src/imports/ssh/ssh-process.ts starts it, and
 * kills it if it takes too long. It has no network connection: it sends and receives through a pipe to the service, which holds the connection.
 */
import { flushCompileCache } from 'node:module'
import { Socket } from 'node:net'
import { constants } from 'node:os'
import process from 'node:process'
import { setInterval } from 'node:timers'
import { framed, framesOf, jsonOf, sendFrame } from '../../../file-readers/frames.ts'
import { asError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { lowerPriority } from '../../../platform/process/priority.ts'
import { SSH_FRAME, type FetchJob, type SshJob, type SshResult } from '../../ssh/messages.ts'
import { FetchError } from '../fetched.ts'
import { readFile } from './read-file.ts'
import { openKey, signIn, type OpenLogin } from './sign-in.ts'

const control = new Socket({ fd: 3, readable: true, writable: true })
// the service is gone, so nobody would read the result
control.on('error', () => process.exit())
control.on('close', () => process.exit())
const frames = framesOf(control, LIMITS.sshFrameBytesMax)
const send = (kind: number, value: unknown) => sendFrame(control, kind, framed(value))

// limits memory outside the heap: data that a server sends and this program does not read
setInterval(() => {
  if (process.memoryUsage.rss() <= LIMITS.sshMegabytesMax * 1_048_576) return
  process.stderr.write('it took too much memory')
  process.exit(1)
}, LIMITS.sshWatchMs).unref()

const DONE = { ok: true, fault: null, isKnown: false } as const

async function fetch(job: FetchJob): Promise<SshResult> {
  const login = openLogin(job)
  if ('reason' in login) return { ...DONE, fault: login.reason }
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {})
  // answering requests is more urgent than work that a server causes; opening the key is limited in time already
  lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  await send(SSH_FRAME.started, null)
  const transport = new Socket({ fd: 4, readable: true, writable: true })
  let trusted: Buffer | undefined
  const isTrusted = async (key: Buffer) => {
    // the server shows its key at every key exchange, and servers start new ones within large files
    if (trusted !== undefined) return trusted.equals(key)
    await sendFrame(control, SSH_FRAME.hostKey, key)
    const { done } = await frames.next()
    if (done === true) process.exit()
    // the service kills this process if it does not trust the key; if the service is gone, this process ends itself
    void frames.next().then(() => process.exit())
    trusted = Buffer.from(key)
    return true
  }
  const work = async (): Promise<SshResult> => {
    const { sftp } = await signIn(transport, login, job.connectMs, isTrusted, ended.reject)
    await send(SSH_FRAME.signedIn, null)
    const isNew = await readFile(await sftp(), job, {
      found: (file) => send(SSH_FRAME.found, file),
      part: (bytes) => sendFrame(control, SSH_FRAME.data, bytes),
    })
    return { ...DONE, isKnown: !isNew }
  }
  return Promise.race([work(), ended.promise])
}

function openLogin({ login }: FetchJob): OpenLogin | { reason: string } {
  if ('password' in login) return login
  const key = openKey(login.privateKey, login.passphrase)
  return 'reason' in key ? key : { username: login.username, key }
}

async function perform(job: SshJob): Promise<SshResult> {
  if (job.kind === 'fetch') return fetch(job)
  const key = openKey(job.privateKey, job.passphrase)
  return 'reason' in key ? { ...DONE, fault: key.reason } : DONE
}

await send(SSH_FRAME.ready, null)
const first = await frames.next()
if (first.done === true) process.exit()
const job = jsonOf(first.value) as SshJob
Object.assign(LIMITS, job.limits)
const result = await perform(job).catch((error: unknown): SshResult => ({
  ok: false,
  failure: error instanceof FetchError ? error.failure : { detail: asError(error).stack },
}))
// Node writes its cache of compiled code when a process exits normally, but this one is killed
flushCompileCache()
await send(SSH_FRAME.result, result)
