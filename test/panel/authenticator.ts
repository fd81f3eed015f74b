import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** Faults of a software authenticator, for tests of refusals. */
export interface Faults {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** Signs without user verification. */
  isUnverified?: true
  /** The signature counter to send instead of the next one. */
  counter?: number
  /** Signs with another key. */
  isForged?: true
}

/** A passkey in software with a P-256 key, in place of a browser and a security key. */
export interface SoftwareAuthenticator {
  credentialId: string
  counter: number
  register(options: RegistrationOptions, origin: string, faults?: Faults): object
  authenticate(options: { challenge: string; rpId?: string }, origin: string, faults?: Faults): object
}

interface RegistrationOptions {
  challenge: string
  rp: { id?: string }
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export function openAuthenticator(counts = true): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const forger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const id = randomBytes(32)
  const authenticator: SoftwareAuthenticator = {
    credentialId: id.toString('base64url'),
    counter: 0,
    register(options, origin, faults = {}) {
      const clientData = clientDataOf(faults.type ?? 'webauthn.create', options.challenge, origin, faults)
      const data = Buffer.concat([
        authenticatorData(options.rp.id, HAS_CREDENTIAL, next(faults), faults),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(publicKey),
      ])
      return credential(id, {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: cbor(
          new Map<string, Cbor>([
            ['fmt', 'none'],
            ['attStmt', new Map()],
            ['authData', data],
          ]),
        ).toString('base64url'),
        transports: ['internal'],
      })
    },
    authenticate(options, origin, faults = {}) {
      const clientData = clientDataOf(faults.type ?? 'webauthn.get', options.challenge, origin, faults)
      const data = authenticatorData(options.rpId, 0, next(faults), faults)
      const signed = Buffer.concat([data, sha256(clientData)])
      return credential(id, {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, faults.isForged === true ? forger : privateKey).toString('base64url'),
      })
    },
  }
  const next = ({ counter }: Faults) => counter ?? (counts ? ++authenticator.counter : 0)
  return authenticator
}

const credential = (id: Buffer, response: object) => ({
  id: id.toString('base64url'),
  rawId: id.toString('base64url'),
  type: 'public-key',
  clientExtensionResults: {},
  authenticatorAttachment: 'platform',
  response,
})

const clientDataOf = (type: string, challenge: string, origin: string, faults: Faults) =>
  Buffer.from(
    JSON.stringify({
      type,
      challenge: faults.challenge ?? challenge,
      origin: faults.origin ?? origin,
      crossOrigin: false,
    }),
  )

function authenticatorData(rpId: string | undefined, flags: number, counter: number, faults: Faults): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const verified = faults.isUnverified === true ? 0 : USER_VERIFIED
  return Buffer.concat([
    sha256(Buffer.from(faults.rpId ?? rpId ?? '')),
    Buffer.from([USER_PRESENT | verified | flags]),
    count,
  ])
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** The public key in COSE format: EC2, ES256, P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>

/** Encodes the subset of CBOR (RFC 8949) that authenticators need. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length])
    if (length < 256) return Buffer.from([(major << 5) | 24, length])
    return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  }
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, entry]) => [cbor(key), cbor(entry)])])
}
