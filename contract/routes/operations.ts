import Type from 'typebox'
import { Operation, OperationError } from '../operation-schemas.ts'
import { Clamped, PathId, PerPage } from '../parameters.ts'
import { listMeta, readRoute, writeRoute } from '../route.ts'
import { Id } from '../values.ts'

// Operations: work that outlives its request.

const operations = '/v1/account/operations'
const one = { params: { id: PathId('Operation ID.') }, tag: 'operations' } as const

export const LIST_OPERATIONS = readRoute({
  id: 'listOperations',
  path: operations,
  tag: 'operations',
  summary: 'List operations',
  description: 'Operations, newest first. Ended operations are kept for 30 days.',
  query: {
    per_page: PerPage,
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        format: 'int64',
        description: 'meta.next_before of the previous page; the first page if left out.',
      }),
    ),
  },
  answer: { list: Operation, meta: listMeta({ before: Id }) },
  returns: 'A page of operations.',
})

export const GET_OPERATION = readRoute({
  ...one,
  id: 'getOperation',
  path: `${operations}/{id}`,
  summary: 'Read an operation',
  description: 'State and progress of the operation.',
  answer: { data: Operation },
  returns: 'The operation as it is now.',
  problems: ['unknown-operation'],
})

export const LIST_OPERATION_ERRORS = readRoute({
  ...one,
  id: 'listOperationErrors',
  path: `${operations}/{id}/errors`,
  summary: 'List the refused rows of an operation',
  description: 'Refused rows with their errors, by row number ascending.',
  query: {
    per_page: Clamped(1, 1_000, 50, 'Page size'),
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: 'meta.next_after of the previous page; the first page if left out.' }),
    ),
  },
  answer: {
    list: OperationError,
    meta: listMeta({ after: Type.Integer({ minimum: 0, description: 'Row number.' }) }),
  },
  returns: 'A page of the refused rows.',
  problems: ['unknown-operation'],
})

export const CANCEL_OPERATION = writeRoute({
  ...one,
  id: 'cancelOperation',
  method: 'post',
  path: `${operations}/{id}/cancel`,
  summary: 'Cancel an operation',
  description:
    'Rows that are already written stay; the remaining rows are not written. What follows from a write (updating products, deletions) cannot be canceled.',
  answer: { data: Operation },
  returns: 'The operation as it is now.',
  problems: ['unknown-operation'],
  statuses: [200],
})

export const OPERATION_ROUTES = [LIST_OPERATIONS, GET_OPERATION, LIST_OPERATION_ERRORS, CANCEL_OPERATION] as const
