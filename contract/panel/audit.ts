import Type, { type Static } from 'typebox'
import { Clamped, PathId } from '../parameters.ts'
import { Id, Null, Text } from '../values.ts'
import { Page, panelRoute, Time } from './route.ts'

// The audit trail of an account: who changed what in the panel, when, and from which address.

/** One request that changed something, with who made it. */
export const AuditEntry = Type.Object({
  id: Id,
  at: Time('When the request was made.'),
  actor: Type.Object({
    person_id: Type.Union([Id, Null], {
      description:
        'ID of the person; null: somebody with a link to an endpoint, or the European Central Bank, whose exchange rate was taken over.',
    }),
    name: Type.String({ description: 'Name and e-mail address of the person at that time, or name of the link.' }),
  }),
  address: Type.String({ description: 'IP address of the client.' }),
  user_agent: Type.String({ description: 'User agent of the client. Untrusted: show it as plain text only.' }),
  action: Type.String({
    description:
      'ID of the operation: of the panel, such as createToken or patchMember, or of the API, such as patchAccount or putOffer.',
  }),
  target: Type.String({ description: 'Path of what was changed.' }),
  details: Type.Record(Text, Type.Unknown(), {
    description: 'Members of the request without secrets; {"bytes": n} for a large request.',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

export const LIST_AUDIT = panelRoute({
  id: 'listAudit',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/audit',
  panelAccess: 'owner',
  summary: 'List the audit trail, newest first',
  params: { account_id: PathId('The account.') },
  query: {
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Value of meta.next_before of the previous page; by default the first page.',
      }),
    ),
    per_page: Clamped(1, 200, 50, 'Page size'),
    person_id: Type.Optional(Type.Integer({ minimum: 1, description: 'Only requests of the person with this ID.' })),
    action: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{1,100}$', description: 'Only requests of this operation.' }),
    ),
  },
  status: 200,
  answer: Page(AuditEntry),
})

export const AUDIT_ROUTES = [LIST_AUDIT] as const
