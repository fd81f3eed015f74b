import { DELETE_ERASURE, GET_ERASURE, PUT_ERASURE } from '../../../contract/routes/provisioning.ts'
import { accountGet } from '../../accounts/accounts.sql.ts'
import { notifyOfSuspension } from '../../accounts/suspensions.ts'
import type { Reader } from '../../db/sql.ts'
import { erasureGet, type Erasure } from '../../erasure/erasures.sql.ts'
import { cancelErasure, requestErasure, stateOfErasure } from '../../erasure/request.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import { answerData } from '../account/answer-read.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'
import { answerOperatorWrite } from './write.ts'

const represent = (erasure: Erasure) => ({
  account_id: erasure.accountId,
  state: stateOfErasure(erasure),
  asked_at: formatTimestamp(erasure.askedAt),
  due_at: formatTimestamp(erasure.dueAt),
  reference: erasure.reference,
  erases_people: erasure.erasesPeople,
  started_at: timeOrNull(erasure.startedAt),
  finished_at: timeOrNull(erasure.finishedAt),
  checked_at: timeOrNull(erasure.checkedAt),
  rows: erasure.rows,
  people: erasure.people,
  pictures: erasure.pictures,
  files: erasure.files,
})

async function read(reader: Reader, accountId: number) {
  const erasure = await erasureGet(reader, accountId)
  if (erasure === undefined)
    throw new ShelfwireError('unknown-reference', `account ${accountId} is not to be erased, and was not`)
  return represent(erasure)
}

/** Requests for erasures; the loop of the `work` role carries them out. */
export const operatorErasureHandlers: Handlers = (app, context) => {
  handle(app, GET_ERASURE, async (call) => answerData(call, await read(context.db, call.params.account_id)))
  handle(app, PUT_ERASURE, async ({ params: { account_id: accountId }, body, request, reply }) => {
    const answered = await answerOperatorWrite(context, request, reply, accountId, async (tx) => {
      const account = await accountGet(tx, accountId)
      if (account !== undefined && body.confirm !== account.name) {
        const reason = `must be the name of account ${accountId}`
        throw new ShelfwireError('invalid-input', `erasure: confirm ${reason}`, {
          faults: [{ name: 'confirm', reason }],
        })
      }
      await requestErasure(tx, accountId, {
        days: body.after_days ?? 0,
        reference: body.reference ?? null,
        erasesPeople: body.people ?? false,
      })
      return { status: 202, data: await read(tx, accountId) }
    })
    notifyOfSuspension(context.wake, accountId)
    return answered
  })
  handle(app, DELETE_ERASURE, ({ params: { account_id: accountId }, request, reply }) =>
    answerOperatorWrite(context, request, reply, accountId, async (tx) => {
      await cancelErasure(tx, accountId)
      return { status: 204 }
    }),
  )
}
