import { ShelfwireError, type Fault } from '../../platform/errors.ts'
import type { Seal } from '../../platform/secrets/seal.ts'
import { isKeyWorthParsing, secretLengthMax, type CheckedKey } from '../ssh/keys.ts'
import type { CredentialsKind, SourceKind } from './sources.sql.ts'

/** Credentials in the form in which they are used. */
export type Credentials =
  | { kind: 'basic' | 'password'; username: string; password: string }
  | { kind: 'bearer'; token: string }
  | { kind: 'header'; name: string; value: string }
  | { kind: 'key'; username: string; privateKey: string; passphrase: string | null }

/** The member `credentials` of a request body. `kind` alone means the stored credentials. */
export interface GivenCredentials {
  kind: CredentialsKind
  username?: string
  password?: string
  token?: string
  name?: string
  value?: string
  private_key?: string
  passphrase?: string
}

/** The kinds of credentials that each kind of source may have. */
const KINDS: Readonly<Record<SourceKind, readonly CredentialsKind[]>> = {
  http: ['basic', 'bearer', 'header'],
  sftp: ['password', 'key'],
  ftp: ['password'],
  directory: [],
  upload: [],
}

/** The members of each kind; optional ones have a question mark. */
const MEMBERS: Readonly<Record<CredentialsKind, readonly string[]>> = {
  basic: ['username', 'password'],
  password: ['username', 'password'],
  bearer: ['token'],
  header: ['name', 'value'],
  key: ['username', 'private_key', 'passphrase?'],
}

/** Headers that the client sets itself, or that would change the meaning of the request. */
const OWN_HEADERS =
  /^(?:host|content-.*|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|accept-encoding|user-agent|range|if-.*|cookie2|proxy-.*)$/i

/** Whether only the kind was given: the stored credentials are kept. */
export function isOnlyKindGiven(given: GivenCredentials): boolean {
  return Object.keys(given).length === 1
}

/** Reads credentials; adds what is wrong to `faults`, without repeating a secret. @param tried the private key as prepareSource has tried it */
export function readCredentials(
  given: GivenCredentials,
  source: SourceKind,
  tried: CheckedKey | null,
  faults: Fault[],
): Credentials | null {
  const count = faults.length
  const fault = (name: string, reason: string) =>
    void faults.push({ name: name === '' ? 'credentials' : `credentials.${name}`, reason })
  const kinds = KINDS[source]
  if (!kinds.includes(given.kind)) {
    fault(
      kinds.length === 0 ? '' : 'kind',
      kinds.length === 0
        ? `must not be set: a source of the kind ${source} asks no server`
        : `must be ${kinds.join(' or ')} in a source of the kind ${source}`,
    )
    return null
  }
  const members = MEMBERS[given.kind]
  for (const member of members) {
    const name = member.replace('?', '') as keyof GivenCredentials
    const value = given[name]
    if (value === undefined) {
      if (name === member) fault(name, `is required with the kind ${given.kind}`)
    } else checkText(name, value, fault)
  }
  for (const name of Object.keys(given))
    if (name !== 'kind' && !members.some((member) => member.replace('?', '') === name))
      fault(name, `has no meaning with the kind ${given.kind}`)
  if (given.kind === 'basic' && given.username?.includes(':') === true) fault('username', 'must not contain a colon')
  if (given.kind === 'header' && given.name !== undefined) {
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(given.name))
      fault('name', 'must be the name of a header, such as X-Api-Key')
    else if (OWN_HEADERS.test(given.name)) fault('name', 'must not be a header that requests have anyway')
  }
  if (given.kind === 'key' && given.private_key !== undefined) {
    const reason = keyFault(given.private_key, given.passphrase ?? null, tried)
    if (reason !== null) fault('private_key', reason)
  }
  if (faults.length > count) return null
  const { username = '', password = '', token = '', name = '', value = '', private_key: privateKey = '' } = given
  if (given.kind === 'bearer') return { kind: 'bearer', token }
  if (given.kind === 'header') return { kind: 'header', name, value }
  if (given.kind === 'key') return { kind: 'key', username, privateKey, passphrase: given.passphrase ?? null }
  return { kind: given.kind, username, password }
}

function checkText(name: string, value: string, fault: (name: string, reason: string) => void): void {
  const max = secretLengthMax(name)
  if (value === '' && name !== 'password') fault(name, 'must not be empty')
  else if (value.length > max) fault(name, `must have at most ${max} characters`)
  // in a header or an FTP command, a control character could begin another one
  else if (name !== 'private_key' && /\p{Cc}/u.test(value)) fault(name, 'must not contain control characters')
  else if ((name === 'token' || name === 'value') && !/^[\x20-\x7e]*$/.test(value)) fault(name, 'must be ASCII')
}

/** @throws Error if the key was not tried before: that takes too long for a transaction */
function keyFault(privateKey: string, passphrase: string | null, tried: CheckedKey | null): string | null {
  if (!isKeyWorthParsing(privateKey, passphrase)) return null
  if (tried?.privateKey !== privateKey || tried.passphrase !== passphrase)
    throw new Error('a private key is tried before the transaction, by prepareSource')
  return tried.fault
}

/**
 * What sealed credentials are bound to: they cannot be unsealed for another source. docs/decisions/105-credentials-belong-to-an-origin.md says why.
 */
export const sourceSealContext = ({ accountId, supplierId, name }: CredentialsOwner) =>
  `source ${accountId}/${supplierId}/${name}`

/** The source that credentials belong to. */
export interface CredentialsOwner {
  accountId: number
  supplierId: number
  name: string
}

/** Seals credentials together with the only origin that they may be sent to. */
export function sealCredentials(seal: Seal, owner: CredentialsOwner, credentials: Credentials, origin: string): string {
  return seal.close(JSON.stringify({ origin, credentials }), sourceSealContext(owner))
}

/** Opens credentials for an origin. @throws ShelfwireError settings-invalid if the seal cannot open them, or if they are for another origin. */
export function openCredentials(seal: Seal, owner: CredentialsOwner, sealed: string, origin: string): Credentials {
  const text = seal.open(sealed, sourceSealContext(owner))
  const stored = JSON.parse(text) as { origin: string; credentials: Credentials }
  if (stored.origin !== origin)
    throw new ShelfwireError('settings-invalid', 'the stored credentials are for another server; send them again')
  return stored.credentials
}

/** The headers with which an HTTP server is asked. */
export function headerOf(credentials: Credentials): Readonly<Record<string, string>> {
  if (credentials.kind === 'bearer') return { authorization: `Bearer ${credentials.token}` }
  if (credentials.kind === 'header') return { [credentials.name.toLowerCase()]: credentials.value }
  if (credentials.kind !== 'basic') return {}
  const pair = Buffer.from(`${credentials.username}:${credentials.password}`, 'utf8').toString('base64')
  return { authorization: `Basic ${pair}` }
}
