import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunked } from '../fixtures.ts'
import { parseMapping } from '../mapping/mapping.ts'
import { previewRows } from '../preview.ts'
import { readOfferPages } from '../read-offers.ts'
import type { ReadRow } from '../reading.ts'

// Properties of reading as a whole, for random files: a preview has the same rows as an import, whatever the chunks, and the order of rows
// does not matter where a mapping says so.

const cell = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'A',
    'B',
    'P1',
    'P2',
    '1',
    '1.234',
    '12,50',
    'in stock',
    'x "y"',
    'a;b',
    'ü€\u2028',
    'https://a.example/1.jpg',
  ),
  fc.string({ maxLength: 6 }),
)
const COLUMNS = ['product', 'parent', 'sku', 'title', 'cost', 'image']
const rows = fc.array(fc.array(cell, { minLength: COLUMNS.length, maxLength: COLUMNS.length }), { maxLength: 12 })
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
const fileOf = (table: readonly (readonly string[])[]) =>
  [COLUMNS, ...table].map((row) => `${row.map(quoted).join(';')}\n`).join('')

const fields = { sku: 'sku', title: 'title', cost: 'cost', images: 'image' }
const group = {
  by: 'product',
  anywhere: true,
  inherit: ['title'],
  collect: ['image'],
  offers: { column: 'sku', notIn: [''] },
}
const mappings = {
  plain: { format: 'csv', delimiter: ';', locale: 'en', fields },
  'rows of a product anywhere': { format: 'csv', delimiter: ';', locale: 'en', fields, group },
  'rows under a parent anywhere': {
    format: 'csv',
    delimiter: ';',
    locale: 'en',
    fields,
    group: { ...group, parent: 'parent' },
  },
  'rows of a product that follow each other': {
    format: 'csv',
    delimiter: ';',
    locale: 'en',
    fields,
    group: { ...group, anywhere: false },
  },
}

async function readAll(
  text: string,
  mapping: object,
  cuts: number,
): Promise<{ rows: ReadRow[]; warnings: string[] } | string> {
  const read: ReadRow[] = []
  const warnings: string[] = []
  try {
    const pages = readOfferPages(chunked(text, cuts), parseMapping(mapping), undefined, (warning) =>
      warnings.push(warning),
    )
    for await (const page of pages) read.push(...page)
  } catch (error) {
    return String(error)
  }
  return { rows: read, warnings }
}

describe('reading', () => {
  it.each(Object.entries(mappings))(
    'gives the same rows in a preview as in a run, in any chunks: %s',
    async (_, mapping) => {
      await fc.assert(
        fc.asyncProperty(rows, fc.integer({ min: 1, max: 200 }), async (table, cuts) => {
          const text = fileOf(table)
          const whole = await readAll(text, mapping, Infinity)
          expect(await readAll(text, mapping, cuts)).toEqual(whole)
          const warnings: string[] = []
          const previewed = await previewRows(chunked(text, cuts), parseMapping(mapping), 1_000, (warning) =>
            warnings.push(warning),
          ).catch(String)
          // where an import refuses a file whose numbers were mostly read by the wrong sign, a preview warns
          if (typeof whole === 'string')
            expect(
              [typeof previewed === 'string' ? previewed : 'rows', ...warnings].some((text) => whole.endsWith(text)),
            ).toBe(true)
          else expect(typeof previewed === 'string' ? previewed : previewed.map(({ read }) => read)).toEqual(whole.rows)
        }),
        { numRuns: 80 },
      )
    },
  )

  it.each(['rows of a product anywhere', 'rows under a parent anywhere'] as const)(
    'gives the same offers in any order of rows: %s',
    async (name) => {
      // parents and children with random names, some of them missing; collected values are in the order of the rows
      const member = fc.tuple(
        fc.constantFrom('P1', 'P2', 'P3'),
        fc.constantFrom('', 'P1', 'P2', 'gone'),
        fc.constantFrom('', 'x', 'y'),
        fc.constantFrom('', 'T1', 'T2'),
        fc.constantFrom('', '5'),
        fc.constantFrom('', 'https://a.example/1.jpg', 'https://a.example/2.jpg'),
      )
      const table = fc
        .array(member, { maxLength: 10 })
        // each product is once without a parent, and keys are unique, because otherwise the order decides which row counts
        .map((list) => {
          const parents = new Set<string>()
          return list.flatMap(([product, parent, sku, ...rest], i) => {
            if (name.includes('parent') && parent === '' && parents.size === parents.add(product).size) return []
            return [[product, parent, sku === '' ? '' : `${sku}${i}`, ...rest]]
          })
        })
      const offers = async (list: readonly (readonly string[])[]) => {
        const read = await readAll(fileOf(list), mappings[name], Infinity)
        if (typeof read === 'string') return read
        return read.rows
          .map((row) => ({ ...row, line: 0 }))
          .map((row) => ('offer' in row ? { ...row.offer, images: row.offer.images?.toSorted() } : row))
          .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      }
      await fc.assert(
        fc.asyncProperty(
          table.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
          async ([list, shuffled]) => {
            expect(await offers(shuffled)).toEqual(await offers(list))
          },
        ),
        { numRuns: 200 },
      )
    },
  )
})
