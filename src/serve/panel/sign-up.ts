import { GET_OWN_ACCOUNTS, OPEN_ACCOUNT, SIGN_UP_FIRST_OWNER } from '../../../contract/panel/sign-up.ts'
import { accountsStillAllowed, openOwnAccount, type OwnAccount } from '../../sign-up/own-account.ts'
import { signUpFirstOwner } from '../../sign-up/first-owner.ts'
import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { sessionBody } from './session-body.ts'
import { openSignInAnswers } from './sign-in.ts'

/** Opening accounts in the panel: the first one of an installation, and further ones of a person. */
export function signUpHandlers(app: PanelApp, context: ServeContext): void {
  const { db, people, accountsPerPerson } = context
  const answerSignIn = openSignInAnswers(context)
  const read = (body: { name: string; currency: string; locale: string; time_zone?: string }): OwnAccount => ({
    name: body.name,
    currency: body.currency,
    locale: body.locale,
    timeZone: body.time_zone,
  })

  app.handle(SIGN_UP_FIRST_OWNER, async (call) => {
    const { token, email, password, account } = call.body
    return answerSignIn(
      call,
      await signUpFirstOwner(people, { token, email, password, account: read(account) }, call.from),
    )
  })
  app.handle(GET_OWN_ACCOUNTS, async ({ session }) => ({
    data: { left: await accountsStillAllowed(db, session.personId, accountsPerPerson) },
  }))
  app.handle(OPEN_ACCOUNT, async ({ session, body, from }) => {
    const accountId = await openOwnAccount(people, session, read(body), accountsPerPerson, from)
    return { data: { account_id: accountId, session: await sessionBody(db, session) } }
  })
}
