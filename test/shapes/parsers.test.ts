import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { MAPPING_SHAPES, workbookOf, zipOf, type FileShape } from './file-shapes.ts'
import { trial, type MODES } from './trial.ts'

// The fast part of parsers.full.test.ts: each limit that is checked while a file is read, with its message.

const shape = (content: string | Buffer, mapping: unknown = { fields: { sku: { constant: 'A' } } }): FileShape => ({
  name: '',
  bytes: () => Buffer.from(content),
  mapping,
})
const times = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i))
const mapped = (name: string) => MAPPING_SHAPES.find((one) => one.name === name) ?? shape('')
const deep = '<a>'.repeat(64_000)
const wide = `${times(4_990, (i) => `einkaufspreis ${i}`).join(',')}\n${`${'12,50;'.repeat(2_000)}\n`.repeat(5)}`

it.each<[string, FileShape, readonly (keyof typeof MODES)[], RegExp]>([
  ['nested elements', shape(gzipSync(deep)), ['detect', 'run'], /elements are nested more than 64 deep/],
  ['nested lists', shape('['.repeat(100_000)), ['detect', 'run'], /values are nested more than 64 deep/],
  ['nested objects in a line', shape(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}\n{"a":1}\n`), ['run'], /^read$/],
  [
    'members',
    shape(`[{${times(6_000, (i) => `"k${i}":1`).join(',')}}]`),
    ['detect', 'preview', 'run'],
    /an object has more than 5000 members/,
  ],
  [
    'attributes',
    shape(`<l><p ${times(6_000, (i) => `a${i}="1"`).join(' ')}/></l>`),
    ['detect', 'preview', 'run'],
    /line 1: an element has more than 5000 attributes/,
  ],
  [
    'values of a record',
    shape(`[{"a":[${'1,'.repeat(60_000)}1]}]`),
    ['detect', 'run'],
    /the next element has more than 50000 values/,
  ],
  ['elements of a record', shape(`<l><p>${'<e/>'.repeat(60_000)}</p></l>`), ['run'], /more than 50000 elements/],
  [
    'columns',
    shape(`${'a,'.repeat(6_000)}\n`),
    ['detect', 'preview', 'run'],
    /line 1: the file has more than 5000 columns/,
  ],
  ['many columns', shape(wide), ['detect'], /no rows from which a mapping could be proposed|no column has/],
  ['a text', shape(`[{"a":"${'x'.repeat(1_100_000)}"}]`), ['run'], /a text is longer than 1048576 characters/],
  ['a text of an element', shape(`<l><p>${'x'.repeat(1_100_000)}</p></l>`), ['run'], /<p> is longer than 1048576/],
  ['an archive of line ends', shape(zipOf({ 'a.csv': Buffer.alloc(16_000_000, '\n') })), ['run'], /no header row/],
  [
    'columns of a sheet',
    shape(workbookOf('<worksheet><sheetData><row><c r="XFD1"><v>1</v></c></row></sheetData></worksheet>')),
    ['run'],
    /line 1: the sheet has more than 5000 columns/,
  ],
  ['replacements', mapped('replacements that grow 16,000 times each'), ['preview', 'run'], /^read$/],
  ['expressions', mapped('alternatives of classes, repeated'), ['preview', 'run'], /capture .*repeats too much/],
  ['joins', mapped('one cell joined 1,900 times'), ['run'], /^read$/],
  ['comments before the root', shape('<!---->'.repeat(9_000)), ['run'], /not well-formed XML/],
])('%s: the limit holds in every mode, with turns for others', async (_name, file, modes, message) => {
  for (const mode of modes) {
    const { longestMs, totalMs, outcome } = await trial(file, mode)
    expect(outcome).toMatch(message)
    expect(longestMs, mode).toBeLessThan(500)
    expect(totalMs, mode).toBeLessThan(4_000)
  }
})
