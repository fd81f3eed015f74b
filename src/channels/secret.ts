import { hash, randomInt } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 40

/** A new secret part of an address: `swf_` and 40 base62 characters (238 bits). */
export function newChannelSecret(): string {
  let secret = 'swf_'
  for (let i = 0; i < RANDOM_CHARACTERS; i++) secret += ALPHABET[randomInt(ALPHABET.length)]
  return secret
}

/** The hash of a secret as it is stored. A fast hash suffices: 238 random bits need no stretching. */
export function channelSecretHash(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
