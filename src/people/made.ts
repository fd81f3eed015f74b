import { inTransaction } from '../db/sql.ts'
import { auditInsert } from './audit.sql.ts'
import { endpointLinksMadeDelete, invitationsMadeDelete, tokensMadeRevoke } from './made.sql.ts'
import type { PeopleContext } from './people.ts'
import type { From } from './persons.sql.ts'
import type { SignedIn } from './sign-in/sessions.ts'

export interface Made {
  tokens: readonly number[]
  invitations: readonly number[]
  endpointLinks: readonly number[]
}

/**
 * Ends things that a person has made, even in accounts that the person has left. Those that are not the person's or have ended are ignored.
 * @returns the ids of accounts in which something was ended
 */
export async function revokeMade(
  { db }: Pick<PeopleContext, 'db'>,
  { personId, name, email }: SignedIn,
  made: Made,
  from: From,
): Promise<Set<number>> {
  const actor = { personId, name: `${name} <${email}>`, ...from }
  return inTransaction(db, async (tx) => {
    const ended = [
      { action: 'revokeToken', of: 'tokens', rows: await tokensMadeRevoke(tx, personId, made.tokens) },
      {
        action: 'withdrawInvitation',
        of: 'invitations',
        rows: await invitationsMadeDelete(tx, personId, made.invitations),
      },
      {
        action: 'revokeEndpointLink',
        of: 'links',
        rows: await endpointLinksMadeDelete(tx, personId, made.endpointLinks),
      },
    ]
    for (const { action, of, rows } of ended)
      for (const { id, accountId } of rows)
        await auditInsert(tx, accountId, actor, {
          action,
          target: `/panel/api/accounts/${accountId}/${of}/${id}`,
          details: {},
        })
    return new Set(ended.flatMap(({ rows }) => rows.map(({ accountId }) => accountId)))
  })
}
