import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RIGHTS, rightsTable } from '../../contract/panel/roles.ts'
import { PANEL_ROUTES } from '../../contract/panel/routes.ts'
import { ROUTES } from '../../contract/routes.ts'

// The permissions of roles are defined once: the documentation has the same table, and the routes enforce it.

test('docs/panel.md has the table of the contract', () => {
  expect(readFileSync('docs/panel.md', 'utf8')).toContain(`\n${rightsTable()}\n`)
})

test('every route that it names is for those whom it names, and every route of owners alone is in it', () => {
  const accessOf = new Map(PANEL_ROUTES.map((route) => [route.id, route.panelAccess]))
  for (const { routes, access } of RIGHTS) for (const id of routes) expect([id, accessOf.get(id)]).toEqual([id, access])
  const named = new Set(RIGHTS.flatMap(({ routes }) => routes))
  const ofOwners = PANEL_ROUTES.filter(({ panelAccess }) => panelAccess === 'owner').map(({ id }) => id)
  expect(ofOwners.filter((id) => !named.has(id))).toEqual([])
})

/** Writes that need no confirmation: they end something, change the session itself, or change the catalog, which can be undone. */
const HARMLESS = [
  'revokeToken',
  'withdrawInvitation',
  'revokeEndpointLink',
  'signOut',
  'endSession',
  'endSessions',
  'patchPerson',
  'revokeMade',
  'confirm',
  'passkeyConfirmOptions',
  'passkeyConfirm',
]

test('every write about people, tokens, links and the own sign-in asks for the password or a passkey again, or says why not', () => {
  const isAbout = (path: string) =>
    /\/(?:members|invitations|tokens|links|session|sessions|person|email|password|totp|passkeys|sign-in-rules)\b/.test(
      path,
    )
  const kinds = PANEL_ROUTES.filter(
    ({ method, path, panelAccess }) => method !== 'get' && isAbout(path) && !['visitor', 'link'].includes(panelAccess),
  ).map(({ id, body, needsConfirmation }) => {
    const { properties = {} } = (body?.schema ?? {}) as { properties?: object }
    const takesPassword = ['password', 'current'].some((name) => name in properties)
    return [
      id,
      needsConfirmation ? 'asks' : HARMLESS.includes(id) ? 'harmless' : takesPassword ? 'password' : 'nothing',
    ]
  })
  // second steps of a passkey ceremony, a provider's redirect or a setup of codes, whose first step needed the password or a confirmation
  const begun = kinds.filter(([, kind]) => kind === 'nothing').map(([id]) => id)
  expect(begun).toEqual(['linkProvider', 'confirmTotp', 'addPasskey'])
  expect(kinds.filter(([, kind]) => kind === 'asks').map(([id]) => id)).toEqual([
    'removePasskey',
    'putSignInRules',
    'patchMember',
    'removeMember',
    'invite',
    'createToken',
    'rotateToken',
    'createEndpointLink',
  ])
})

test('a session is asked again before it gets the address of a channel file, which opens the catalog without it', () => {
  expect(ROUTES.filter(({ needsConfirmation }) => needsConfirmation === true).map(({ id }) => id)).toEqual([
    'createChannel',
    'rotateChannel',
  ])
})
