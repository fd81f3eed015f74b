import {
  CANCEL_OPERATION,
  GET_OPERATION,
  LIST_OPERATION_ERRORS,
  LIST_OPERATIONS,
} from '../../../../contract/routes/operations.ts'
import type { Reader } from '../../../db/sql.ts'
import { pageOfWeighed } from '../../../db/fragments/within-weight.sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { cancelOperation } from '../../../operations/operations.ts'
import {
  operationErrors,
  operationGet,
  operationsAfter,
  type OperationRow,
} from '../../../operations/operations.sql.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerWrite } from '../../writing/answer-write.ts'
import { answerData, answerHeavyPage } from '../answer-read.ts'
import { operationMembers } from './operation-members.ts'

/** /v1/account/operations: work that outlives its request. */
export const operationHandlers: Handlers = (app, context) => {
  handle(app, LIST_OPERATIONS, async (call) => {
    const { per_page: perPage, before = null } = call.query
    const rows = await operationsAfter(context.db, call.caller.accountId, before, perPage + 1)
    const page = rows.slice(0, perPage)
    const next = rows.length > perPage ? (page.at(-1)?.operationId ?? null) : null
    return answerData(call, page.map(operationMembers), { per_page: perPage, next_before: next })
  })
  handle(app, GET_OPERATION, async (call) =>
    answerData(call, operationMembers(await existing(context.db, call.caller.accountId, call.params.id))),
  )
  handle(app, LIST_OPERATION_ERRORS, async (call) => {
    const { per_page: perPage, after = -1 } = call.query
    const { accountId } = call.caller
    const { operationId } = await existing(context.db, accountId, call.params.id)
    return answerHeavyPage(context.largeAnswers, call, perPage, async () => ({
      ...pageOfWeighed(
        await operationErrors(context.db, accountId, operationId, after, perPage + 1),
        perPage,
        ({ row }) => row,
      ),
      represent: ({ row, faults }) => ({ row, errors: faults }),
      meta: (next) => ({ per_page: perPage, next_after: next }),
    }))
  })
  handle(app, CANCEL_OPERATION, ({ params, request, reply }) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      const { operationId } = await existing(tx, accountId, params.id)
      await cancelOperation(tx, accountId, operationId)
      return { status: 200, data: operationMembers(await existing(tx, accountId, operationId)) }
    }),
  )
}

async function existing(reader: Reader, accountId: number, operationId: number): Promise<OperationRow> {
  const row = await operationGet(reader, accountId, operationId)
  if (row === undefined)
    throw new ShelfwireError(
      'unknown-operation',
      'the account has no such operation, or it ended more than 30 days ago',
    )
  return row
}
