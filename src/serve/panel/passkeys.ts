import { ADD_PASSKEY, LIST_PASSKEYS, PASSKEY_OPTIONS, REMOVE_PASSKEY } from '../../../contract/panel/session.ts'
import { addPasskey, beginPasskey, removePasskey } from '../../people/passkeys.ts'
import { passkeysList, type PasskeyRow } from '../../people/passkeys.sql.ts'
import { formatTimestamp } from '../../platform/timestamp.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { timeOrNull } from './represent.ts'
import { pageOriginOf } from './session.ts'

const represent = (row: PasskeyRow) => ({
  id: row.passkeyId,
  name: row.name,
  created_at: formatTimestamp(row.createdAt),
  used_at: timeOrNull(row.usedAt),
})

/** The own passkeys. */
export function passkeyHandlers(app: PanelApp, { db, people, publicUrl }: ServeContext): void {
  app.handle(LIST_PASSKEYS, async ({ session }) => ({
    data: (await passkeysList(db, session.personId)).map(represent),
  }))
  app.handle(PASSKEY_OPTIONS, async ({ session, body, request }) => ({
    data: await beginPasskey(people, session.personId, body.password, pageOriginOf(request, publicUrl())),
  }))
  app.handle(ADD_PASSKEY, async ({ session, body, request, from }) => ({
    data: represent(await addPasskey(people, session, body, pageOriginOf(request, publicUrl()), from)),
  }))
  app.handle(REMOVE_PASSKEY, async ({ session, params, from }) => {
    await removePasskey(people, session.personId, params.passkey_id, from)
    return undefined
  })
}
