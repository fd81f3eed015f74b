import { expect, test } from 'vitest'
import { CATALOG_ROUTES } from '../../contract/routes/catalog.ts'
import type { Route } from '../../contract/route.ts'
import { CONFLICTS, QUERIES, readQuery } from '../../client/src/testing/parameters.ts'
import { Problem } from '../../client/src/testing/problem.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'
import { must } from '../../src/platform/must.ts'
import { namesOf, queryReader } from '../../src/serve/parameters.ts'
import { BAD_MOMENTS, GOOD_MOMENTS } from '../api/moment-values.ts'
import { NO_NUMBER, OVER_INT64, TOO_LOW } from '../api/number-texts.ts'

// The fake's table of parameters equals the contract's, route by route. It is a copy, because the package of the client has no
// dependencies. A parameter that it lacks would be ignored, and a connector's test would pass with the first page alone.

const TABLES: Readonly<Record<string, keyof typeof QUERIES>> = {
  listProducts: 'products',
  getProduct: 'product',
  listPrices: 'prices',
  getPrices: 'pricesOfOne',
  listStores: 'none',
  listCustomerGroups: 'none',
  listVariantGroups: 'groups',
  getVariantGroup: 'group',
  listCategories: 'categories',
  listChanges: 'changes',
  exportProducts: 'export',
  listDigests: 'digest',
  listProductTags: 'tags',
  listMirrorChecks: 'none',
}

/** Texts of all kinds; each is given to each parameter. */
const TEXTS = [
  ...'0 1 7 007 25 26 200 201 1000 1001 2048 2049 5000 5001 9007199254740993 9223372036854775807 01 1,2 2,1,2 1,,2'.split(
    ' ',
  ),
  ...'all ALL products content price id title,stock stock,title,stock titel a A,ä a, x 4006381333931 true now'.split(
    ' ',
  ),
  ...'12345678901234 123456789012345'.split(' '),
  ' 40-06 ',
  ' 1 ',
  'nul\0',
  'x'.repeat(200),
  'x'.repeat(201),
  ...[1, 0].map((more) => Array.from({ length: 200 + more }, (_, i) => i + 1).join()),
  ...[...NO_NUMBER, ...OVER_INT64, ...TOO_LOW, ...GOOD_MOMENTS, ...BAD_MOMENTS].flatMap(
    (text) => new URLSearchParams(`x=${text}`).get('x') ?? [],
  ),
]

/** For each parameter a value that every route with it accepts. */
const SAMPLES: Readonly<Record<string, string>> = {
  store: 'de',
  ids: '1,2',
  sku: 'A',
  ean: '123',
  slug: 'a,b',
  fields: 'title',
  locales: 'all',
  half: 'price',
  since: '2026-11-20T10:00:00Z',
  expand: 'products',
}

/** The result of parsing a query, in a form that both have. */
type Outcome = { values: object } | { faults: object }
const plainValue = (value: unknown) =>
  value instanceof Date ? value.getTime() / 1_000 : value instanceof Set ? [...value] : value
const plainValues = (values: object): Outcome => ({
  values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainValue(value)])),
})

function ofService(read: (raw: unknown) => object, query: readonly (readonly [string, string])[]): Outcome {
  const given: Record<string, string | string[]> = {}
  for (const [name, text] of query) given[name] = given[name] === undefined ? text : [given[name], text].flat()
  try {
    return plainValues(read(given))
  } catch (error) {
    if (error instanceof ShelfwireError) return { faults: [...(error.faults ?? [])].sort(byName) }
    throw error
  }
}

function ofFake(table: keyof typeof QUERIES, query: readonly (readonly [string, string])[]): Outcome {
  try {
    return plainValues(readQuery(new URLSearchParams(query.map(([...pair]) => pair)), QUERIES[table], CONFLICTS[table]))
  } catch (error) {
    if (error instanceof Problem)
      return { faults: JSON.parse(String(error.reply('').body)).errors.sort(byName) as object }
    throw error
  }
}
const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

test('every route that stores read has its table, and every table its route', () => {
  expect(CATALOG_ROUTES.map(({ id }) => id as string).sort()).toEqual(Object.keys(TABLES).sort())
  expect(new Set(Object.values(TABLES))).toEqual(new Set(Object.keys(QUERIES)))
})

for (const route of CATALOG_ROUTES as readonly Route[]) {
  const table = must(TABLES[route.id])
  const names = Object.keys(route.query)
  const read = queryReader(route)
  const expectEqual = (...query: readonly (readonly [string, string])[]) =>
    expect([query, ofFake(table, query)]).toEqual([query, ofService(read, query)])

  test(`${route.path}: the fake has its parameters, with the names that mean them`, () => {
    expect(
      Object.fromEntries(
        Object.entries(QUERIES[table]).map(([name, parameter]) => [name, 'also' in parameter ? parameter.also : []]),
      ),
    ).toEqual(namesOf(route.query))
    expectEqual()
    for (const others of Object.values(namesOf(route.query)))
      for (const other of others) if (!names.includes(other)) expectEqual([other, '1'])
  })

  test(`${route.path}: the fake reads each text as the service does, and refuses it in the same words`, () => {
    for (const name of names) {
      for (const text of TEXTS) expectEqual([name, text])
      expectEqual([name, '1'], [name, '1'])
    }
  })

  test(`${route.path}: the fake refuses the same pairs and triples`, () => {
    const sample = (name: string) => [name, SAMPLES[name] ?? '1'] as const
    for (const one of names)
      for (const other of names) {
        if (one === other) continue
        expectEqual(sample(one), sample(other))
        for (const third of names) if (third !== one && third !== other) expectEqual(...[one, other, third].map(sample))
      }
    if (names.includes('expand')) expectEqual(['expand', 'products'], ['limit', '201'])
    if (names.includes('since')) expectEqual(['since', 'now'], ['since_id', '7'])
  })
}
