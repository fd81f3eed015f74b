import {
  ADD_PASSKEY,
  CONFIRM,
  LIST_PASSKEYS,
  PASSKEY_CONFIRM,
  PASSKEY_CONFIRM_OPTIONS,
  PASSKEY_OPTIONS,
  REMOVE_PASSKEY,
} from '../../../contract/panel/factors.ts'
import { beginPasskeyConfirm, confirmByPasskey, confirmByPassword } from '../../people/sign-in/confirm.ts'
import { addPasskey, beginPasskey, removePasskey } from '../../people/sign-in/passkeys.ts'
import { passkeysList, type PasskeyRow } from '../../people/sign-in/passkeys.sql.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { pageOriginOf } from './session.ts'

export const representPasskey = (row: PasskeyRow) => ({
  id: row.passkeyId,
  name: row.name,
  created_at: formatTimestamp(row.createdAt),
  used_at: timeOrNull(row.usedAt),
})

/** The person's own passkeys, and confirming by a passkey or the password that it is still the same person. */
export function passkeyHandlers(app: PanelApp, { db, people, publicUrl }: ServeContext): void {
  app.handle(LIST_PASSKEYS, async ({ session }) => ({
    data: (await passkeysList(db, session.personId)).map(representPasskey),
  }))
  app.handle(PASSKEY_OPTIONS, async ({ session, body, request }) => ({
    data: await beginPasskey(people, session, body.password, pageOriginOf(request, publicUrl())),
  }))
  app.handle(ADD_PASSKEY, async ({ session, body, request, from }) => ({
    data: representPasskey(await addPasskey(people, session, body, pageOriginOf(request, publicUrl()), from)),
  }))
  app.handle(REMOVE_PASSKEY, async ({ session, params, from }) => {
    await removePasskey(people, session, params.passkey_id, from)
    return undefined
  })
  app.handle(CONFIRM, async ({ session, body }) => {
    await confirmByPassword(people, session, body.password)
    return undefined
  })
  app.handle(PASSKEY_CONFIRM_OPTIONS, async ({ session, request }) => ({
    data: await beginPasskeyConfirm(people, session, pageOriginOf(request, publicUrl())),
  }))
  app.handle(PASSKEY_CONFIRM, async ({ session, body, request }) => {
    await confirmByPasskey(people, session, body, pageOriginOf(request, publicUrl()))
    return undefined
  })
}
