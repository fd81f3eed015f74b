import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The purpose of a secret of the panel. It decides the prefix, by which secret scanners and people recognize it. */
export type SecretKind = 'session' | 'ticket' | 'link' | 'endpoint' | 'device'

const PREFIX: Readonly<Record<SecretKind, string>> = {
  session: 'sws_',
  ticket: 'swt_',
  link: 'swl_',
  endpoint: 'swe_',
  device: 'swd_',
}

/** A new secret: its prefix and 256 random bits in base64url. Only its hash is stored. */
export function newSecret(kind: SecretKind): string {
  return `${PREFIX[kind]}${randomBytes(32).toString('base64url')}`
}

/** Whether a text has the form of a secret of this kind. Any other text can be refused without a look-up. */
export function isSecretForm(kind: SecretKind, text: string): boolean {
  return text.startsWith(PREFIX[kind]) && /^[\w-]{47}$/.test(text)
}

/** The hash that is stored instead of a secret: SHA-256. A fast hash is enough for random bits. */
export function secretHash(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/**
 * The token that a session's pages send with every write. It is derived from the session's secret, so nothing needs to be stored,
 * and does not reveal it.
 */
export function csrfTokenOf(sessionSecret: string): string {
  return hash('sha256', `csrf ${sessionSecret}`, 'base64url')
}

/** Compares in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer')]
  return timingSafeEqual(a, b)
}
