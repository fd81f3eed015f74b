import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Attribute, VariantGroup } from '../../../contract/product-parts.ts'
import { CONTENT_MEMBERS } from '../../../contract/schemas.ts'
import { chosenMembers } from './chosen-members.ts'

const SEED = { seed: Number(process.env['SEED'] ?? 27), numRuns: 2_000 }

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  // what ends texts and values, in any order and number
  fc
    .array(fc.constantFrom('"', '\\', ',', ':', '{', '}', '[', ']', 'title', ' ', '\n', '🪣'))
    .map((parts) => parts.join('')),
)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members) as unknown),
  ),
})).value

test(`each choice is the members themselves, in their order, whatever they hold (SEED=${SEED.seed})`, () => {
  const names = ['id', 'sku', 'title', 'images', 'attributes', 'group', 'prices', 'stock']
  fc.assert(
    fc.property(
      fc.subarray(names).chain((present) => fc.tuple(...present.map((name) => fc.tuple(fc.constant(name), json)))),
      fc.subarray(names, { minLength: 1 }),
      (members, chosen) => {
        const written = members.map(([name, value]) => [name, `"${name}":${JSON.stringify(value)}`] as const)
        const product = `{${written.map(([, member]) => member).join()}}`
        const wanted = written.flatMap(([name, member]) => (chosen.includes(name) ? [member] : []))
        expect(chosenMembers(product, new Set(chosen))).toBe(`{${wanted.join()}}`)
      },
    ),
    SEED,
  )
})

test('no member within another has the names between which PostgreSQL cuts descriptions out', () => {
  const names = Object.keys(CONTENT_MEMBERS)
  expect(names[names.indexOf('description') + 1]).toBe('manufacturer')
  const within = (schema: object): string[] =>
    Object.entries(schema).flatMap(([key, value]) =>
      typeof value !== 'object' || value === null
        ? []
        : [...(key === 'properties' ? Object.keys(value) : []), ...within(value as object)],
    )
  const nested = within({ ...CONTENT_MEMBERS, Attribute, VariantGroup })
  expect(nested).toContain('label')
  for (const name of ['description', 'manufacturer']) expect(nested).not.toContain(name)
})

test('a quote within a text does not end it', () => {
  const text = 'a","stock":"b'
  const member = `"title":${JSON.stringify(text)}`
  const chosen = () => chosenMembers(`{"id":7,${member},"stock":3}`, new Set(['title', 'stock']))
  expect(chosen).not.toThrow()
  expect(chosen()).toBe(`{${member},"stock":3}`)
})

test('amounts stay as they are written, and what is no product is not taken for one', () => {
  const product = '{"id":7,"prices":[{"base_cost":12345678901234567.10}],"stock":3}'
  expect(chosenMembers(product, new Set(['prices']))).toBe('{"prices":[{"base_cost":12345678901234567.10}]}')
  for (const broken of ['{"id', '{"id":', '{"id":"7', '{"id":"7\\"}', '{"id":[7,8}', '{"id":{"a":1'])
    expect(() => chosenMembers(broken, new Set(['stock'])), broken).toThrow('not a whole JSON object')
})

test('a description of nothing but quotes takes time in proportion to its length', { retry: 2 }, () => {
  const took = (length: number) => {
    const product = `{"id":7,"description":${JSON.stringify('"\\'.repeat(length))},"stock":3}`
    const began = performance.now()
    expect(chosenMembers(product, new Set(['id', 'stock']))).toBe('{"id":7,"stock":3}')
    return performance.now() - began
  }
  took(100_000)
  // 200,000 characters, the longest there are; quadratic it would take minutes
  expect(took(100_000)).toBeLessThan(500)
})
