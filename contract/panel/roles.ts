import type { PanelAccess } from './route.ts'

/** One action in the panel and who may do it. */
interface Right {
  what: string
  /** Routes of the panel that do it. Empty: routes of /v1, which every member may call. */
  routes: readonly string[]
  access: PanelAccess
  /** What a member may do although the routes require an owner. */
  member?: string
}

/** Who may do what. docs/panel.md contains this table, and a test compares it with the declarations of the routes. */
export const RIGHTS: readonly Right[] = [
  { what: 'read and write `/v1/account`, read the catalog', routes: [], access: 'member' },
  { what: 'tokens: list, requests with each', routes: ['listTokens', 'listTokenRequests'], access: 'member' },
  { what: 'tokens: create, rotate, revoke', routes: ['createToken', 'rotateToken', 'revokeToken'], access: 'owner' },
  { what: 'people: list', routes: ['listMembers', 'listInvitations'], access: 'member' },
  {
    what: 'people: invite, change a role, remove',
    routes: ['invite', 'withdrawInvitation', 'patchMember'],
    access: 'owner',
    member: 'only leave',
  },
  {
    what: 'endpoints: create, edit, rotate, delete, links',
    routes: ['createEndpoint', 'patchEndpoint', 'rotateSecret', 'deleteEndpoint', 'createEndpointLink'],
    access: 'member',
  },
  { what: 'one endpoint: state, log, test, send again', routes: ['getLinkedEndpoint'], access: 'link' },
  {
    what: 'rules: preview, check over everything, put in order',
    routes: ['previewRules', 'startPreview', 'orderRules'],
    access: 'member',
  },
  { what: 'who changed one product', routes: ['getProductHistory'], access: 'member' },
  { what: 'second factor and length of sessions', routes: ['getSignInRules', 'putSignInRules'], access: 'owner' },
  { what: 'audit trail', routes: ['listAudit'], access: 'owner' },
]

/** RIGHTS as a Markdown table. */
export function rightsTable(): string {
  const rows = RIGHTS.map(({ what, access, member }) => {
    const ofMember = access === 'owner' ? (member ?? '') : 'yes'
    return ['', ` ${what} `, ' yes ', ` ${ofMember} `, access === 'link' ? ' yes ' : ' ', '']
      .join('|')
      .replace('|  |', '| |')
  })
  return ['| | owner | member | link to an endpoint |', '|---|---|---|---|', ...rows].join('\n')
}
