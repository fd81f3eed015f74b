import Type, { type Static } from 'typebox'
import { Clamped, PathId } from '../parameters.ts'
import { Id, Null, Text } from '../values.ts'
import { Page, panelRoute, Time } from './route.ts'

// The audit trail of an account: who changed what in the panel, when, and from which address.

/** One request that changed something, with who made it. */
export const AuditEntry = Type.Object({
  id: Id,
  at: Time('When.'),
  actor: Type.Object({
    person_id: Type.Union([Id, Null], {
      description:
        'Null: somebody with a link to an endpoint, or the European Central Bank, whose rate was taken over.',
    }),
    name: Type.String({ description: 'Name and e-mail as they were then, or the name of the link.' }),
  }),
  address: Type.String({ description: 'Client address.' }),
  user_agent: Type.String({ description: 'Untrusted text.' }),
  action: Type.String({
    description:
      'The operation, by its id: createToken, patchMember ... of the panel, patchAccount, putOffer ... of the API.',
  }),
  target: Type.String({ description: 'Path of what it was done to.' }),
  details: Type.Record(Text, Type.Unknown(), {
    description: 'Members of the request, without secrets; {"bytes": n} where it was large.',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

export const LIST_AUDIT = panelRoute({
  id: 'listAudit',
  method: 'get',
  path: '/panel/api/accounts/{account_id}/audit',
  panelAccess: 'owner',
  summary: 'The audit trail, newest first',
  params: { account_id: PathId('The account.') },
  query: {
    before: Type.Optional(Type.Integer({ minimum: 1, description: 'meta.next_before of the page before.' })),
    per_page: Clamped(1, 200, 50, 'Page size'),
    person_id: Type.Optional(Type.Integer({ minimum: 1, description: 'Only what this person did.' })),
    action: Type.Optional(Type.String({ pattern: '^[A-Za-z]{1,100}$', description: 'Only this operation.' })),
  },
  status: 200,
  answer: Page(AuditEntry),
})

export const AUDIT_ROUTES = [LIST_AUDIT] as const
