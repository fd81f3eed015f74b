import type { Tx } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

// What is between two requests of a sign-in, under the hash of a ticket that the client holds.

export type StepKind =
  | 'code'
  | 'passkey-sign-in'
  | 'passkey-add'
  | 'passkey-confirm'
  | 'provider-sign-in'
  | 'provider-logout'

export interface StepRow {
  /** Null: a passkey will say who it is. */
  personId: number | null
  /** For passkeys, base64url; for a provider the secret of the sign-in; for a code how it began. */
  challenge: string | null
}

export async function stepInsert(
  tx: Tx,
  kind: StepKind,
  ticketHash: Buffer,
  step: StepRow,
  minutes: number = LIMITS.signInStepMinutes,
): Promise<void> {
  await tx`
    insert into sign_in_step (ticket_hash, kind, person_id, challenge, expires_at)
    values (${ticketHash}, ${kind}, ${step.personId}, ${step.challenge}, now() + make_interval(mins => ${minutes}))`
}

/** Notes that something is used that counts once. @returns false when it was used before */
export async function stepOnce(tx: Tx, kind: StepKind, usedHash: Buffer, minutes: number): Promise<boolean> {
  const rows = await tx`
    insert into sign_in_step (ticket_hash, kind, expires_at)
    values (${usedHash}, ${kind}, now() + make_interval(mins => ${minutes}))
    on conflict (ticket_hash) do nothing returning 1 as noted`
  return rows.length > 0
}

/** Counts a try of a code. @returns the step; undefined when it has ended or was tried too often. */
export async function stepTry(tx: Tx, ticketHash: Buffer): Promise<StepRow | undefined> {
  const [row] = await tx<StepRow[]>`
    update sign_in_step set tries = tries + 1
    where ticket_hash = ${ticketHash} and kind = 'code' and expires_at > now() and tries < ${LIMITS.signInCodesMax}
    returning person_id as "personId", challenge`
  return row
}

/** Ends a step, so that it is used once. @returns it; undefined when it had ended. */
export async function stepTake(tx: Tx, kind: StepKind, ticketHash: Buffer): Promise<StepRow | undefined> {
  const [row] = await tx<StepRow[]>`
    delete from sign_in_step where ticket_hash = ${ticketHash} and kind = ${kind} and expires_at > now()
    returning person_id as "personId", challenge`
  return row
}

/** Ends everything that a person has begun. */
export function stepsDelete(tx: Tx, personId: number) {
  return tx`delete from sign_in_step where person_id = ${personId}`
}
