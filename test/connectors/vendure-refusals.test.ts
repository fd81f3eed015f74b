import { expect, test } from 'vitest'
import { isLost, refusalOf } from '../../connectors/vendure/src/shop/refusals.ts'

const withCode = (code: string, message = 'of a test') => Object.assign(new Error(message), { code })

test('a refusal of Vendure, its database that has gone, and everything else are told apart', () => {
  const refusals = [
    Object.assign(new Error('error.entity-with-id-not-found'), {
      extensions: { code: 'ENTITY_NOT_FOUND' },
      variables: { entityName: 'Product', id: 7 },
    }),
    withCode('23505', 'duplicate key'),
    withCode('40P01', 'deadlock detected'),
  ]
  expect(refusals.map(refusalOf)).toEqual([
    'entity with id not found: Product, 7',
    'duplicate key',
    'deadlock detected',
  ])
  const lost = [
    withCode('08006'),
    withCode('57P01'),
    withCode('ECONNRESET'),
    new Error('Connection terminated unexpectedly'),
    new Error('Client has encountered a connection error and is not queryable'),
    new DOMException('ended', 'AbortError'),
  ]
  expect(lost.filter((error) => !isLost(error) || refusalOf(error) !== null)).toEqual([])
  const others = [
    // more values than a statement may have
    withCode('08P01', 'bind message has 4464 parameter formats but 0 parameters'),
    withCode('42703', 'column "code" does not exist'),
    new TypeError("Cannot read properties of undefined (reading 'translations')"),
    new Error('this version of Vendure keeps options otherwise than @shelfwire/vendure knows'),
    'a text',
  ]
  expect(others.filter((error) => isLost(error) || refusalOf(error) !== null)).toEqual([])
})
