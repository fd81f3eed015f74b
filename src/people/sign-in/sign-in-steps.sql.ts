import type { Reader, Tx } from '../../db/sql.ts'
import { LIMITS } from '../../platform/limits.ts'

// The state between two requests of a sign-in, under the hash of a ticket that the client holds.

export type StepKind =
  | 'code'
  | 'passkey-sign-in'
  | 'passkey-add'
  | 'passkey-confirm'
  | 'provider-sign-in'
  | 'provider-logout'
  | 'provider-link'

export interface StepRow {
  /** Null: the answer of a passkey or a provider will identify the person. */
  personId: number | null
  /**
   * For passkeys the challenge in base64url; for a provider the secret of the sign-in; for a code how the sign-in began (`encodeWay`); for a logout
   * `SECONDS SUBJECT SID`: its time, subject and provider session, each URI-encoded, and empty if the token does not name it.
   */
  challenge: string | null
}

/** Stores a step under the hash of its ticket, for so many minutes. */
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

/** A logout at a provider: whom or which session, and when. */
interface LogoutStep {
  subject: string | null
  sid: string | null
  issuedAtSeconds: number
}

const written = (name: string | null) => encodeURIComponent(name ?? '')

/** Records a logout, which is accepted once. @returns false if it was recorded before */
export async function logoutInsert(
  tx: Tx,
  usedHash: Buffer,
  { subject, sid, issuedAtSeconds }: LogoutStep,
  minutes: number,
): Promise<boolean> {
  const rows = await tx`
    insert into sign_in_step (ticket_hash, kind, challenge, expires_at)
    values (${usedHash}, 'provider-logout', ${`${issuedAtSeconds} ${written(subject)} ${written(sid)}`},
      now() + make_interval(mins => ${minutes}))
    on conflict (ticket_hash) do nothing returning 1 as noted`
  return rows.length > 0
}

/** Whether the provider has reported a logout of this person or session that is later than the claims of this sign-in. */
export async function isLoggedOutSince(
  reader: Reader,
  { subject, sid, issuedAtSeconds }: LogoutStep & { subject: string },
): Promise<boolean> {
  const rows = await reader<{ challenge: string }[]>`
    select challenge from sign_in_step
    where kind = 'provider-logout' and expires_at > now() and split_part(challenge, ' ', 2) in ('', ${written(subject)})`
  return rows.some(({ challenge }) => {
    const [at = '', who = '', session = ''] = challenge.split(' ')
    const isMeant = session === '' || session === written(sid) || (sid === null && who !== '')
    return isMeant && Number(at) > issuedAtSeconds
  })
}

/** The people who still have to give a code in a sign-in that this session of a provider has begun. */
export function peopleAwaitingCode(reader: Reader, sid: string) {
  return reader<{ personId: number }[]>`
    select distinct person_id as "personId" from sign_in_step
    where kind = 'code' and person_id is not null and split_part(challenge, ' ', 1) = 'provider'
      and split_part(challenge, ' ', 3) = ${written(sid)}`
}

/** Ends sign-ins at a provider that still wait for a code, selected as by `providerSessionsDelete`. */
export function providerStepsDelete(
  tx: Tx,
  { personIds, sid, isUnnamedMeant }: { personIds: readonly number[]; sid: string | null; isUnnamedMeant: boolean },
) {
  const session = sid === null ? null : written(sid)
  return tx`
    delete from sign_in_step
    where person_id = any(${personIds}::bigint[]) and kind = 'code' and split_part(challenge, ' ', 1) = 'provider'
      and (${session}::text is null or split_part(challenge, ' ', 3) = ${session}::text
        or (${isUnnamedMeant}::boolean and split_part(challenge, ' ', 3) = ''))`
}

/** Counts a try of a code. @returns the step; undefined if it has ended or has been tried too often. */
export async function stepTry(tx: Tx, ticketHash: Buffer): Promise<StepRow | undefined> {
  const [row] = await tx<StepRow[]>`
    update sign_in_step set tries = tries + 1
    where ticket_hash = ${ticketHash} and kind = 'code' and expires_at > now() and tries < ${LIMITS.signInCodesMax}
    returning person_id as "personId", challenge`
  return row
}

/** Uses a step up. @returns the step; undefined if it has ended. */
export async function stepTake(tx: Tx, kind: StepKind, ticketHash: Buffer): Promise<StepRow | undefined> {
  const [row] = await tx<StepRow[]>`
    delete from sign_in_step where ticket_hash = ${ticketHash} and kind = ${kind} and expires_at > now()
    returning person_id as "personId", challenge`
  return row
}

/** Ends all unfinished steps of a person. */
export function stepsDelete(tx: Tx, personId: number) {
  return tx`delete from sign_in_step where person_id = ${personId}`
}
