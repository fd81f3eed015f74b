import Type from 'typebox'
import { PathId } from '../parameters.ts'
import { closed, Id, Text } from '../values.ts'
import { Data, List, panelRoute, Time, TimeOrNull } from './route.ts'
import { CeremonyOptions, CeremonyResponse, Session, Ticket } from './session.ts'

// The person's second factor, codes and passkeys, and the confirmation with the password or a passkey that it is still the same
// person.

const Themselves = Type.Object(
  {
    password: Type.Optional(
      Type.String({
        description:
          'Password of the person. People who sign in at the identity provider leave it out; they must have confirmed their identity in the last ten minutes.',
      }),
    ),
  },
  closed,
)

export const BEGIN_TOTP = panelRoute({
  id: 'beginTotp',
  method: 'post',
  path: '/panel/api/totp',
  panelAccess: 'person',
  summary: 'Begin to set up an authenticator app; its codes are required once one has been confirmed',
  body: { noun: 'setup', schema: Themselves },
  status: 200,
  answer: Data(
    Type.Object({
      secret: Type.String({ description: 'Secret for typing into the app, Base32; shown only once.' }),
      uri: Type.String({ description: 'otpauth:// URI for a QR code.' }),
    }),
  ),
  problems: ['sign-in-failed', 'conflict', 'confirmation-required', 'local-sign-in-off'],
})

const RecoveryCodeList = Type.Array(Text, {
  description: 'Recovery codes, each of which replaces a code of the app once; shown only once.',
})
const RecoveryCodes = Data(Type.Object({ recovery_codes: RecoveryCodeList }))

export const CONFIRM_TOTP = panelRoute({
  id: 'confirmTotp',
  method: 'put',
  path: '/panel/api/totp',
  panelAccess: 'person',
  summary: 'Confirm the setup with a code; ends all other sessions and gives this one a new cookie and csrf_token',
  body: { noun: 'setup', schema: Type.Object({ code: Text }, closed) },
  status: 200,
  answer: Data(Type.Object({ recovery_codes: RecoveryCodeList, session: Session })),
  problems: ['sign-in-failed', 'conflict'],
})

export const RENEW_RECOVERY_CODES = panelRoute({
  id: 'renewRecoveryCodes',
  method: 'post',
  path: '/panel/api/totp/recovery-codes',
  panelAccess: 'person',
  summary: 'Replace the recovery codes',
  body: { noun: 'request', schema: Themselves },
  status: 200,
  answer: RecoveryCodes,
  problems: ['sign-in-failed', 'conflict', 'confirmation-required', 'local-sign-in-off'],
})

export const REMOVE_TOTP = panelRoute({
  id: 'removeTotp',
  method: 'post',
  path: '/panel/api/totp/remove',
  panelAccess: 'person',
  summary: 'Remove the authenticator app, so that sign-in needs no codes',
  body: { noun: 'request', schema: Themselves },
  status: 200,
  answer: Data(Session),
  problems: ['sign-in-failed', 'conflict', 'confirmation-required', 'local-sign-in-off'],
})

/** A passkey as its person sees it. */
export const Passkey = Type.Object({
  id: Id,
  name: Text,
  created_at: Time('When the passkey was added.'),
  used_at: TimeOrNull('When the passkey was last used to sign in; null: never.'),
})

export const LIST_PASSKEYS = panelRoute({
  id: 'listPasskeys',
  method: 'get',
  path: '/panel/api/passkeys',
  panelAccess: 'person',
  summary: 'List the person’s passkeys',
  status: 200,
  answer: List(Passkey),
})

export const PASSKEY_OPTIONS = panelRoute({
  id: 'passkeyOptions',
  method: 'post',
  path: '/panel/api/passkeys/options',
  panelAccess: 'person',
  summary: 'Begin to add a passkey',
  body: { noun: 'request', schema: Themselves },
  status: 200,
  answer: CeremonyOptions,
  problems: ['sign-in-failed', 'conflict', 'confirmation-required', 'local-sign-in-off'],
})

export const ADD_PASSKEY = panelRoute({
  id: 'addPasskey',
  method: 'post',
  path: '/panel/api/passkeys',
  panelAccess: 'person',
  summary: 'Add a passkey',
  body: {
    noun: 'passkey',
    schema: Type.Object({ ticket: Ticket, name: Text, response: CeremonyResponse }, closed),
  },
  status: 201,
  answer: Data(Passkey),
  problems: ['sign-in-failed', 'conflict'],
})

export const REMOVE_PASSKEY = panelRoute({
  id: 'removePasskey',
  method: 'delete',
  path: '/panel/api/passkeys/{passkey_id}',
  panelAccess: 'person',
  needsConfirmation: true,
  summary: 'Remove a passkey',
  params: { passkey_id: PathId('The passkey.') },
  status: 204,
  problems: ['unknown-reference'],
})

export const CONFIRM = panelRoute({
  id: 'confirm',
  method: 'post',
  path: '/panel/api/session/confirm',
  panelAccess: 'person',
  summary:
    'Confirm the person’s identity with the password; for ten minutes, actions that outlive the session need no further confirmation',
  body: { noun: 'confirmation', schema: Type.Object({ password: Text }, closed) },
  status: 204,
  problems: ['sign-in-failed', 'local-sign-in-off'],
})

export const PASSKEY_CONFIRM_OPTIONS = panelRoute({
  id: 'passkeyConfirmOptions',
  method: 'post',
  path: '/panel/api/session/confirm/passkey/options',
  panelAccess: 'person',
  summary: 'Begin to confirm the person’s identity with a passkey',
  status: 200,
  answer: CeremonyOptions,
  problems: ['local-sign-in-off'],
})

export const PASSKEY_CONFIRM = panelRoute({
  id: 'passkeyConfirm',
  method: 'post',
  path: '/panel/api/session/confirm/passkey',
  panelAccess: 'person',
  summary: 'Confirm the person’s identity with a passkey',
  body: { noun: 'confirmation', schema: Type.Object({ ticket: Ticket, response: CeremonyResponse }, closed) },
  status: 204,
  problems: ['sign-in-failed', 'local-sign-in-off'],
})

export const FACTOR_ROUTES = [
  BEGIN_TOTP,
  CONFIRM_TOTP,
  RENEW_RECOVERY_CODES,
  REMOVE_TOTP,
  LIST_PASSKEYS,
  PASSKEY_OPTIONS,
  ADD_PASSKEY,
  REMOVE_PASSKEY,
  CONFIRM,
  PASSKEY_CONFIRM_OPTIONS,
  PASSKEY_CONFIRM,
] as const
