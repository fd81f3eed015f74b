import { expect, test } from 'vitest'
import { conditionalHeaders, validatorsOf } from './conditional.ts'

test('a request has the headers of what is known of the file', () => {
  expect(conditionalHeaders(null)).toEqual({})
  expect(conditionalHeaders({ etag: null, lastModified: null })).toEqual({})
  expect(conditionalHeaders({ etag: '"1"', lastModified: null })).toEqual({ 'if-none-match': '"1"' })
  expect(conditionalHeaders({ etag: 'W/"1"', lastModified: 'Mon, 02 Nov 2026 10:00:00 GMT' })).toEqual({
    'if-none-match': 'W/"1"',
    'if-modified-since': 'Mon, 02 Nov 2026 10:00:00 GMT',
  })
})

test.for([
  ['"1"', '"1"'],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), null],
  ['', null],
  ['"ü"', null],
  ['"1"\r\nhost: b.example', null],
  [null, null],
] as const)('of a header %j is kept %j', ([sent, kept]) => {
  expect(validatorsOf({ etag: sent, lastModified: null })).toEqual({ etag: kept, lastModified: null })
  expect(validatorsOf({ etag: null, lastModified: sent })).toEqual({ etag: null, lastModified: kept })
})
