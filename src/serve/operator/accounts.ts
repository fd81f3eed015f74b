import { ADDITIONAL_MEMBER_NAMES } from '../../../contract/additional-members.ts'
import {
  CREATE_OPERATOR_ACCOUNT,
  CREATE_OPERATOR_OWNER,
  DELETE_SUSPENSION,
  GET_OPERATOR_ACCOUNT,
  LIST_OPERATOR_ACCOUNTS,
  PATCH_OPERATOR_ACCOUNT,
  PUT_SUSPENSION,
} from '../../../contract/routes/provisioning.ts'
import { accountsPage, listedAccount, type ListedAccount } from '../../accounts/accounts.sql.ts'
import { suspend, notifyOfSuspension } from '../../accounts/suspensions.ts'
import type { Reader } from '../../db/sql.ts'
import { resumeAccount } from '../../erasure/request.ts'
import { linkAddress } from '../../people/mails/link-address.ts'
import { makeMember } from '../../people/links.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { timeOrNull } from '../../platform/time/timestamp.ts'
import { editAccount, openAccount } from '../../shelf/account.ts'
import { answerData } from '../account/answer-read.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'
import { waitFor } from '../writing/answer-write.ts'
import { answerCreation, answerOperatorWrite } from './write.ts'

const pathOf = (accountId: number) => `/v1/operator/accounts/${accountId}`

/** An account as the operator sees it: settings and suspension, none of its data. */
const represent = ({ accountId, name, currency, locale, timeZone, suspendedAt, suspensionReason }: ListedAccount) => ({
  id: accountId,
  name,
  currency,
  locale,
  time_zone: timeZone,
  is_suspended: suspendedAt !== null,
  suspended_at: timeOrNull(suspendedAt),
  suspension_reason: suspensionReason,
})

async function read(reader: Reader, accountId: number) {
  const row = await listedAccount(reader, accountId)
  if (row === undefined) throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
  return represent(row)
}

/** Accounts, their suspension and their owners, by the functions that `shelfwire account` and `shelfwire member` call. */
export const operatorAccountHandlers: Handlers = (app, context) => {
  const { db, wake } = context
  handle(app, LIST_OPERATOR_ACCOUNTS, async (call) => {
    const { per_page: perPage, after = 0 } = call.query
    const found = await accountsPage(db, after, perPage + 1)
    const rows = found.slice(0, perPage)
    const next = found.length > perPage ? (rows.at(-1)?.accountId ?? null) : null
    return answerData(call, rows.map(represent), { per_page: perPage, next_after: next })
  })
  handle(app, GET_OPERATOR_ACCOUNT, async (call) => answerData(call, await read(db, call.params.account_id)))
  handle(app, CREATE_OPERATOR_ACCOUNT, ({ body, request, reply }) => {
    const { name, currency, locale, store = {} } = body
    return answerCreation(context, request, reply, async (tx) => {
      const { accountId } = await openAccount(tx, {
        name,
        currency,
        locale,
        timeZone: body.time_zone ?? 'UTC',
        store: {
          slug: store.slug ?? 'main',
          name: store.name ?? name,
          locale: store.locale ?? locale,
          currency: store.currency ?? currency,
        },
        group: body.group ?? 'Retail',
        markupPercent: body.markup ?? '25',
        additionalMembers: body.additional_members ?? ADDITIONAL_MEMBER_NAMES,
      })
      return { accountId, value: { status: 201, data: await read(tx, accountId), location: pathOf(accountId) } }
    })
  })
  handle(app, PATCH_OPERATOR_ACCOUNT, ({ params: { account_id: accountId }, body, request, reply }) =>
    answerOperatorWrite(context, request, reply, accountId, async (tx) => {
      const written = await editAccount(tx, accountId, { name: body.name })
      return { ...waitFor(written), status: 200, data: await read(tx, accountId) }
    }),
  )
  handle(app, PUT_SUSPENSION, async ({ params: { account_id: accountId }, body, request, reply }) => {
    const answered = await answerOperatorWrite(context, request, reply, accountId, async (tx) => {
      await suspend(tx, accountId, body.reason ?? null)
      return { status: 200, data: await read(tx, accountId) }
    })
    notifyOfSuspension(wake, accountId)
    return answered
  })
  handle(app, DELETE_SUSPENSION, async ({ params: { account_id: accountId }, request, reply }) => {
    const answered = await answerOperatorWrite(context, request, reply, accountId, async (tx) => {
      await resumeAccount(tx, accountId)
      return { status: 204 }
    })
    notifyOfSuspension(wake, accountId)
    return answered
  })
  handle(app, CREATE_OPERATOR_OWNER, ({ params: { account_id: accountId }, body: { email }, request, reply }) =>
    answerOperatorWrite(context, request, reply, accountId, async (tx) => {
      const { memberId, token } = await makeMember(tx, accountId, { email, role: 'owner' })
      return {
        status: 201,
        data: { account_id: accountId, member_id: memberId, email, role: 'owner' },
        once: { link: linkAddress(context.publicUrl(), token) },
        location: pathOf(accountId),
      }
    }),
  )
}
