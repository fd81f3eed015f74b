import { once } from 'node:events'
import type { Socket } from 'node:net'
import ssh2, {
  type Algorithms,
  type AuthMethod,
  type ParsedKey,
  type PublicKeyAuthMethod,
  type SFTPWrapper,
} from 'ssh2'
import { FetchError } from '../fetched.ts'

/**
 * What is offered to servers. Only key exchanges with fixed groups: where the server chooses the prime of a Diffie-Hellman group, Node first tests
 * whether it is prime, which takes 2 seconds with 2,048 bits and minutes with 8,192, and this before the server has shown its key. No compression:
 * the received bytes would not limit the unpacked ones.
 */
const ALGORITHMS = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
    'diffie-hellman-group15-sha512',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group17-sha512',
    'diffie-hellman-group18-sha512',
  ],
  compress: ['none'],
} satisfies Algorithms

/** A login whose private key has been decrypted. */
export type OpenLogin = { username: string } & ({ password: string } | { key: ParsedKey })

/** Decrypts a private key. @returns the key, or a `reason` for the user: what is wrong with it */
export function openKey(privateKey: string, passphrase: string | null): ParsedKey | { reason: string } {
  const parsed = ssh2.utils.parseKey(privateKey, passphrase ?? undefined)
  const [key] = Array.isArray(parsed) ? parsed : [parsed]
  if (key === undefined) return { reason: 'is not a private key' }
  if (key instanceof Error) {
    return /encrypted|passphrase|bad|integrity/i.test(key.message)
      ? { reason: 'cannot be opened: it is encrypted, and the passphrase is missing or wrong' }
      : { reason: 'is not a private key in the form of OpenSSH or PEM' }
  }
  return key.isPrivateKey() ? key : { reason: 'is a public key; the private one is needed' }
}

/**
 * Signs in to a server. @param isTrusted decides about the key that the server shows
 * @param onEnd called when the connection ends, before or after this function has returned
 * @throws FetchError
 */
export async function signIn(
  transport: Socket,
  login: OpenLogin,
  readyTimeout: number,
  isTrusted: (key: Buffer) => Promise<boolean>,
  onEnd: (error: FetchError) => void,
): Promise<{ sftp: () => Promise<SFTPWrapper> }> {
  const client = new ssh2.Client()
  client.on('error', (error) => onEnd(sshError(error)))
  client.on('close', () =>
    onEnd(new FetchError('reset', 'the server closed the connection before the file was complete')),
  )
  const ready = once(client, 'ready')
  // onEnd reports this error
  ready.catch(() => {})
  const { username } = login
  client.connect({
    sock: transport,
    readyTimeout,
    algorithms: ALGORITHMS,
    hostVerifier: (key: Buffer, done: (isAccepted: boolean) => void) =>
      void isTrusted(key).then(done, () => done(false)),
    username,
    ...('key' in login ? { authHandler: methodsFor(username, login.key) } : { password: login.password }),
  })
  await ready
  return {
    sftp: () =>
      new Promise<SFTPWrapper>((resolve, reject) =>
        client.sftp((error, opened) => (error === undefined ? resolve(opened) : reject(error))),
      ).catch(() => {
        throw new FetchError('protocol', 'the server allows no SFTP to this user', { isForGood: true })
      }),
  }
}

/** The methods of authentication with a key, in order: `none` first, to ask which methods the server allows. */
const methodsFor = (username: string, key: ParsedKey): AuthMethod[] => {
  const withKey: PublicKeyAuthMethod = { type: 'publickey', username, key }
  return [{ type: 'none', username }, withKey]
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
  if (error.level === 'client-socket' || error.code !== undefined)
    return new FetchError('reset', 'the server closed the connection before the file was complete')
  return new FetchError(
    'protocol',
    'the server is no SFTP server, or none that can be spoken to: no common protocol was found',
  )
}
