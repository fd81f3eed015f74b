import { expect, test } from 'vitest'
import {
  CommitUnknown,
  ConnectionLost,
  databaseProblem,
  failureOf,
  isServerError,
  rethrowAfterWrite,
} from './connection-errors.ts'

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code })

test.for([
  ['08006', 'connection'],
  ['08P01', 'connection'],
  // a password that was changed or has expired, a role that may not sign in, a database that does not exist
  ['28P01', 'connection'],
  ['28000', 'connection'],
  ['3D000', 'connection'],
  ['57P01', 'connection'],
  ['57P02', 'connection'],
  ['57P03', 'connection'],
  ['57P05', 'connection'],
  ['53300', 'connection'],
  ['25P03', 'connection'],
  ['ECONNREFUSED', 'connection'],
  ['ECONNRESET', 'connection'],
  ['EHOSTUNREACH', 'connection'],
  ['25006', 'read-only'],
  ['53100', 'disk-full'],
  ['53200', 'shortage'],
  ['57014', 'cancelled'],
  ['55P03', 'cancelled'],
  ['23505', null],
  ['42601', null],
  ['40001', null],
  ['XX000', null],
] as const)('%s is %s', ([code, failure]) => {
  expect(failureOf(withCode(code))).toBe(failure)
})

test.for([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
])('"%s" of the client is a lost connection', (message) => {
  expect(failureOf(new Error(message))).toBe('connection')
})

test('a client is told what is known of its write, and when to try again', () => {
  const problem = (error: Error, isRead = false) => databaseProblem(error, isRead)
  expect(problem(new ConnectionLost('gone'))).toMatchObject({ code: 'database-unavailable', retryAfterSeconds: 1 })
  expect(problem(new ConnectionLost('gone'))?.message).toMatch(/may or may not have been made.*Idempotency-Key/)
  expect(problem(new ConnectionLost('gone'), true)?.message).not.toMatch(/write|Idempotency/)
  expect(problem(new CommitUnknown('gone'))?.message).toMatch(/may have been made or may be lost/)
  expect(problem(withCode('25006'))).toMatchObject({ code: 'writes-unavailable', retryAfterSeconds: 10 })
  expect(problem(withCode('25006'))?.message).toMatch(/nothing was written/)
  expect(problem(withCode('57014'))).toMatchObject({ code: 'database-unavailable', retryAfterSeconds: 1 })
  expect(problem(withCode('23505'))).toBe(null)
  // errors after a commit
  expect(() => rethrowAfterWrite(withCode('25006'))).toThrow(/^it was written/)
  expect(() => rethrowAfterWrite(withCode('23505', 'own'))).toThrow('own')
})

test('work is repeated without limit for errors of the server, and not for its own', () => {
  for (const code of ['08006', '57P01', '25006', '53100', '40P01', '58030'])
    expect(isServerError(withCode(code)), code).toBe(true)
  for (const code of ['23505', '22P02', '57014', 'ENOENT']) expect(isServerError(withCode(code)), code).toBe(false)
})
