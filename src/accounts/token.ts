import { hash, randomInt } from 'node:crypto'

/** `connector`: read only; `full`: read and write. */
export type Access = 'connector' | 'full'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 32
const CHECKSUM_CHARACTERS = 6
const FORM = /^sw_[cf][0-9A-Za-z]{38}$/

/**
 * A new token: `sw_`, a letter for its access, 32 base62 characters (190 bits) and a checksum, by which secret
 * scanners and the service recognize a token without a look-up.
 */
export function newToken(access: Access): string {
  let random = ''
  for (let i = 0; i < RANDOM_CHARACTERS; i++) random += ALPHABET[randomInt(ALPHABET.length)]
  const body = `sw_${access === 'full' ? 'f' : 'c'}${random}`
  return body + checksum(body)
}

/** Whether the text has the form of a token and a valid checksum; it may still be unknown or revoked. */
export function isTokenForm(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS)
}

/** The hash that is stored instead of a token. A fast hash is enough: 190 random bits need no key stretching. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** tokenHash in hexadecimal digits: four times as fast as converting the bytes. */
export function tokenHashHex(token: string): string {
  return hash('sha256', token, 'hex')
}

function checksum(body: string): string {
  let value = hash('sha256', body, 'buffer').readUInt32BE(0)
  let text = ''
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    text = (ALPHABET[value % ALPHABET.length] ?? '0') + text
    value = Math.floor(value / ALPHABET.length)
  }
  return text
}
