import type { Reader, Tx } from '../db/sql.ts'
import { endsInsert } from './sign-in/sessions.sql.ts'

// Sign-ins and links that a restored backup has made valid again, in all accounts: the backup does not know what was ended after it was taken.

/** How many of each kind are valid. */
export interface Restored {
  sessions: number
  tokens: number
  /** Invitations, and links that set a new password or address. */
  links: number
  endpoint_links: number
  recovery_codes: number
  passkeys: number
  members: number
}

export async function restoredCount(reader: Reader): Promise<Restored> {
  // one relation per statement: on Citus some are reference tables, and members are distributed
  const count = async (rows: PromiseLike<{ n: number }[]>) => {
    const [row] = await rows
    if (row === undefined) throw new Error('a count has no row')
    return row.n
  }
  return {
    sessions: await count(reader<{ n: number }[]>`select count(*)::int as n from session where expires_at > now()`),
    tokens: await count(
      reader<{ n: number }[]>`
        select count(*)::int as n from token where revoked_at is null and (expires_at is null or expires_at > now())`,
    ),
    links: await count(reader<{ n: number }[]>`select count(*)::int as n from one_time_link where expires_at > now()`),
    endpoint_links: await count(
      reader<{ n: number }[]>`select count(*)::int as n from endpoint_link where expires_at > now()`,
    ),
    recovery_codes: await count(reader<{ n: number }[]>`select count(*)::int as n from recovery_code`),
    passkeys: await count(reader<{ n: number }[]>`select count(*)::int as n from passkey`),
    members: await count(
      reader<{ n: number }[]>`select count(*)::int as n from account a join member m on m.account_id = a.account_id`,
    ),
  }
}

/** Ends all sessions and unfinished sign-ins, and forgets all known browsers. */
export async function sessionsEnd(tx: Tx): Promise<void> {
  await tx`delete from sign_in_step`
  const ended = await tx<{ tokenHash: Buffer }[]>`delete from session returning token_hash as "tokenHash"`
  await endsInsert(tx, ended, 'operator')
  await tx`delete from known_device`
}

export function tokensRevoke(tx: Tx) {
  return tx`update token set revoked_at = now() where revoked_at is null`
}

/** Ends invitations, links for passwords and e-mail addresses, and links to endpoints. */
export async function linksEnd(tx: Tx): Promise<void> {
  await tx`delete from one_time_link`
  await tx`delete from endpoint_link`
}

export function recoveryCodesEnd(tx: Tx) {
  return tx`delete from recovery_code`
}
