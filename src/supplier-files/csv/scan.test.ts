import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanRecord } from './scan.ts'

function scanAll(text: string, delimiter: string): string[][] | string {
  const records: string[][] = []
  for (let at = 0; at < text.length;) {
    const scan = scanRecord(text, at, { delimiter, quote: '"', fieldsMax: 100, fieldLengthMax: 1_000 }, true)
    if (typeof scan === 'string') return scan
    if (scan.next <= at) throw new Error(`no progress at ${at}`)
    records.push(scan.fields)
    at = scan.next
  }
  return records
}

function libraryAll(text: string, delimiter: string): string[][] | string {
  try {
    return parse(text, { delimiter, record_delimiter: ['\r\n', '\n'], relax_column_count: true, relax_quotes: true })
  } catch {
    return 'more'
  }
}

describe('scanRecord', () => {
  it('returns the same fields as csv-parse for any well-formed file', () => {
    const field = fc
      .array(fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', ' ', 'ż', '😀', "'"), { maxLength: 6 })
      .map((s) => s.join(''))
    const encode = (value: string, always: boolean) =>
      always || /[",;\n\r]|^ /.test(value) ? `"${value.replaceAll('"', '""')}"` : value
    const file = fc.record({
      rows: fc.array(fc.array(fc.tuple(field, fc.boolean()), { minLength: 1, maxLength: 5 }), {
        minLength: 1,
        maxLength: 6,
      }),
      end: fc.constantFrom('\n', '\r\n'),
      delimiter: fc.constantFrom(',', ';', '||'),
    })
    fc.assert(
      fc.property(file, ({ rows, end, delimiter }) => {
        const text = rows
          .map((row) => row.map(([value, always]) => encode(value, always)).join(delimiter) + end)
          .join('')
        expect(scanAll(text, delimiter)).toEqual(libraryAll(text, delimiter))
      }),
      { numRuns: 500 },
    )
  })

  it('terminates on any text, and agrees with csv-parse on text without spaces beside quotes', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '"', ',', '\n'), { maxLength: 24 }).map((s) => s.join(''))
    fc.assert(
      fc.property(text, (value) => {
        const own = scanAll(value, ',')
        if (own !== 'malformed') expect(own).toEqual(libraryAll(value, ','))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['a "b" c,d\n', ['a "b" c', 'd']],
    ['19" screen,d\n', ['19" screen', 'd']],
    ['"a" , "b,c"\n', ['a', 'b,c']],
    ['a, "b,c"\n', ['a', 'b,c']],
    ['a,\r\n', ['a', '']],
    ['"",""\r\n', ['', '']],
  ])('reads %j', (text, fields) => {
    expect(scanRecord(text, 0, { delimiter: ',', quote: '"', fieldsMax: 100, fieldLengthMax: 1_000 }, false)).toEqual({
      fields,
      next: text.length,
    })
  })

  it('asks for more text while the end of a record is not certain', () => {
    for (const text of ['a,b', 'a,"b', 'a,"b"', 'a,"b"\r', 'a,b\r']) {
      expect(
        scanRecord(text, 0, { delimiter: ',', quote: '"', fieldsMax: 100, fieldLengthMax: 1_000 }, false),
        text,
      ).toBe('more')
    }
  })
})
