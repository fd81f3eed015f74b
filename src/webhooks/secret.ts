/** The context that signing secrets are sealed with, so that a secret of one account cannot be opened as another's. */
export function sealContext(accountId: number): string {
  return `whsec:${accountId}`
}

/** An endpoint's secrets as stored (sealed), and the times of its last rotation by the database's clock. */
export interface Secrets {
  /** The latest secret. */
  secret: string
  /** The secret before it, which signs until `previousUntil`. */
  previousSecret: string | null
  previousUntil: Date | null
  /** When `secret` begins to sign X-Service-Signature; null: it already does. */
  switchAt: Date | null
}

/** Which secret signs which header of one delivery; at most one of `next` and `previous` is not null. */
export interface SigningSecrets {
  /** X-Service-Signature */
  main: string
  /** X-Service-Signature-Next */
  next: string | null
  /** X-Service-Signature-Previous */
  previous: string | null
}

/**
 * Until the switch, the old secret keeps the main header, for receivers that know nothing else; afterwards it signs in the other
 * header, for those that were not configured in time. The time alone decides, so that no process has to write anything at the
 * switch.
 */
export function signingSecretsAt(
  { secret, previousSecret, previousUntil, switchAt }: Secrets,
  now: Date,
): SigningSecrets {
  if (previousSecret === null || previousUntil === null || previousUntil <= now)
    return { main: secret, next: null, previous: null }
  if (switchAt !== null && switchAt > now) return { main: previousSecret, next: secret, previous: null }
  return { main: secret, next: null, previous: previousSecret }
}
