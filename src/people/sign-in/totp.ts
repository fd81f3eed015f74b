import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { LIMITS } from '../../platform/limits.ts'
import { secretHash } from '../secrets.ts'

// Codes of authenticator apps (RFC 6238: SHA-1, six digits, 30 seconds, which every app supports) and recovery codes.

const PERIOD_SECONDS = 30
/** Codes of one period before and after the present one are accepted, because clocks differ. */
const WINDOW = 1
const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const RECOVERY_CHARACTERS = 16

const totpOf = (base32: string, email = '') =>
  new TOTP({
    issuer: 'Shelfwire',
    label: email,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(base32),
  })

/** A new secret for an authenticator app: Base32, and the otpauth:// URI for a QR code. */
export function newTotp(email: string): { secret: string; uri: string } {
  const secret = new Secret({ size: 20 }).base32
  return { secret, uri: totpOf(secret, email).toString() }
}

/** The time step of a code; null if it is wrong, too old or too new. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW })
  return delta === null ? null : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta
}

/** New recovery codes. Each has nearly 80 random bits, so storing a fast hash is safe. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: LIMITS.recoveryCodes }, () => {
    let text = ''
    // bytes beyond the last multiple of the alphabet's length are skipped, so that all characters are equally likely
    const limit = 256 - (256 % RECOVERY_ALPHABET.length)
    while (text.length < RECOVERY_CHARACTERS)
      for (const byte of randomBytes(RECOVERY_CHARACTERS))
        if (byte < limit && text.length < RECOVERY_CHARACTERS)
          text += RECOVERY_ALPHABET[byte % RECOVERY_ALPHABET.length]
    return text.replaceAll(/(.{4})(?=.)/g, '$1-')
  })
}

/** The hash that is stored instead of a recovery code. Letter case and separators are ignored. Null: the text has not the form of one. */
export function recoveryCodeHash(text: string): Buffer | null {
  const plain = text.toLowerCase().replaceAll(/[\s-]/g, '')
  return plain.length === RECOVERY_CHARACTERS ? secretHash(plain) : null
}
