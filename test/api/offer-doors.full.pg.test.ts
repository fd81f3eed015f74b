import { forEachField, isTextField, NAME_FIELDS, TEXT_FIELDS } from '../../contract/product-fields.ts'
import { expect, test } from 'vitest'
import { dropAbsentOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { runImport, type ImportMode } from '../../src/imports/run.ts'
import { parseMapping } from '../../src/supplier-files/mapping/mapping.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'
import { account, database, send, service, setUp } from './full-access-account.ts'
import { expectAudited } from '../harness/account.ts'
import { valuesOfName } from '../harness/field-values.ts'

setUp()

// One rule for every way of writing an offer: an absent field is unchanged, null clears it, and a deleted offer leaves nothing
// behind. Every field is tried through every way, with each earlier state of the offer.

type Members = Record<string, unknown>

/** The fields of an offer that states nothing; its supplier's currency is EUR. */
const NOTHING = {
  cost: null,
  currency: 'EUR',
  quantity: 0,
  eans: [] as string[],
  ...forEachField(NAME_FIELDS, () => null),
  attributes: [] as object[],
  images: [] as string[],
  ...forEachField(TEXT_FIELDS, () => null),
}
type Field = keyof typeof NOTHING
const BEFORE: Record<Field, unknown> = {
  cost: '10',
  currency: 'USD',
  quantity: 5,
  // of the range that joins nothing, so that each offer has a product of its own
  eans: ['2000000000008'],
  ...forEachField(NAME_FIELDS, (field) => valuesOfName(field)[0]),
  attributes: [{ key: 'size', value: 'L' }],
  images: ['https://i.example/1.jpg'],
  ...forEachField(TEXT_FIELDS, (field) => `A ${field}`),
}
const AFTER: Record<Field, unknown> = {
  cost: '12.5',
  currency: 'PLN',
  quantity: 7,
  eans: ['2000000000015'],
  ...forEachField(NAME_FIELDS, (field) => valuesOfName(field)[1]),
  attributes: [{ key: 'size', value: 'M' }],
  images: ['https://i.example/2.jpg', 'https://i.example/3.jpg'],
  ...forEachField(TEXT_FIELDS, (field) => `Another ${field}`),
}
const FIELDS = Object.keys(NOTHING) as Field[]
const PRICE_FIELDS: readonly Field[] = ['cost', 'currency', 'quantity']

const STATES = ['none', 'alive', 'deleted', 'dropped'] as const
const INPUTS = ['absent', 'null', 'value'] as const

interface Case {
  sku: string
  field: Field
  state: (typeof STATES)[number]
  input: (typeof INPUTS)[number]
}
const CASES: readonly Case[] = STATES.flatMap((state) =>
  INPUTS.flatMap((input) => FIELDS.map((field) => ({ sku: `${state}-${input}-${field}`, field, state, input }))),
)

/** Members of a body or a row that give these fields. */
function bodyOf(fields: Partial<Record<Field, unknown>>): Members {
  const given = Object.entries(fields)
  const texts = Object.fromEntries(given.filter(([name]) => isTextField(name)))
  const others = Object.fromEntries(given.filter(([name]) => !isTextField(name)))
  return { ...others, ...(Object.keys(texts).length === 0 ? {} : { texts: { en: texts } }) }
}

/** The one field that a case states, if any. */
function givenBy({ field, input }: Case): Partial<Record<Field, unknown>> {
  return input === 'absent' ? {} : { [field]: input === 'null' ? null : AFTER[field] }
}

const bodyGivenBy = (entry: Case) => bodyOf(givenBy(entry))
const offerPath = ({ sku }: Case) => `/suppliers/north/offers/${sku}`

async function bulk(kind: 'offers' | 'prices', cases: readonly Case[], body: (entry: Case) => Members) {
  const rows = cases.map((entry) => ({ supplier: 'north', sku: entry.sku, ...body(entry) }))
  const { status, body: answer } = await send('POST', `/bulk/${kind}`, { rows })
  expect(status).toBe(200)
  return (answer.data as { status: string }[]).map((row) => row.status)
}

/** The same as a row of a file: each list is one cell, joined by `|`. */
function cellsGivenBy(entry: Case): Members {
  const { eans, images, attributes, ...others } = givenBy(entry) as Record<string, unknown>
  const joined = (list: unknown) => (list === null ? null : (list as string[]).join('|'))
  return {
    sku: entry.sku,
    ...others,
    ...(eans === undefined ? {} : { eans: joined(eans) }),
    ...(images === undefined ? {} : { images: joined(images) }),
    ...(attributes === undefined ? {} : { size: (attributes as { value: string }[] | null)?.[0]?.value ?? null }),
  }
}

const MAPPING = {
  format: 'ndjson',
  locale: 'en',
  fields: {
    sku: 'sku',
    cost: 'cost',
    currency: 'currency',
    quantity: 'quantity',
    ean: { column: 'eans', split: '|' },
    ...forEachField(NAME_FIELDS, (field) => field),
    attributes: [{ key: 'size', column: 'size' }],
    images: { column: 'images', split: '|' },
    ...forEachField(TEXT_FIELDS, (field) => field),
  },
}

async function bring(mode: ImportMode, cases: readonly Case[]) {
  async function* file() {
    yield Buffer.from(cases.map((entry) => `${JSON.stringify(cellsGivenBy(entry))}\n`).join(''))
  }
  const { db, wake, shelf } = service.runtime
  const request = { accountId: account.accountId, supplier: account.suppliers[0]!, mode, isConfirmed: true }
  const report = await runImport(db, wake, request, readOfferPages(file(), parseMapping(MAPPING)))
  expect(report).toMatchObject({ refusedTotal: 0, zeroed: 0 })
  await shelf.drain(account.accountId)
  return report
}

/**
 * Each way of writing offers: `write` writes all cases. `knownAlone`: an offer that does not exist is not created.
 * `replaces`: absent members are cleared. `fields`: the fields that it can write, if not all.
 */
const DOORS: Record<
  string,
  { write: (cases: readonly Case[]) => Promise<unknown>; knownAlone?: true; replaces?: true; fields?: readonly Field[] }
> = {
  PUT: {
    replaces: true,
    async write(cases) {
      for (const entry of cases) {
        const { status } = await send('PUT', offerPath(entry), bodyGivenBy(entry))
        expect([entry.sku, status]).toEqual([entry.sku, entry.state === 'alive' ? 200 : 201])
      }
    },
  },
  PATCH: {
    knownAlone: true,
    async write(cases) {
      for (const entry of cases) {
        const { status } = await send('PATCH', offerPath(entry), bodyGivenBy(entry))
        expect([entry.sku, status]).toEqual([entry.sku, entry.state === 'alive' ? 200 : 404])
      }
    },
  },
  'bulk offers': {
    async write(cases) {
      expect(await bulk('offers', cases, bodyGivenBy)).toEqual(
        cases.map(({ state, input }) => (state !== 'alive' ? 'created' : input === 'absent' ? 'unchanged' : 'changed')),
      )
    },
  },
  'bulk prices': {
    knownAlone: true,
    fields: PRICE_FIELDS,
    async write(cases) {
      // a row must state something, here the value that is already stored
      const body = (entry: Case) =>
        entry.input !== 'absent' ? bodyGivenBy(entry) : entry.field === 'cost' ? { quantity: 5 } : { cost: '10' }
      expect(await bulk('prices', cases, body)).toEqual(
        cases.map(({ state, input }) => (state !== 'alive' ? 'failed' : input === 'absent' ? 'unchanged' : 'changed')),
      )
    },
  },
  'import, full': {
    async write(cases) {
      const count = (isCreated: boolean) => cases.filter(({ state }) => (state !== 'alive') === isCreated).length
      expect(await bring('full', cases)).toMatchObject({ created: count(true) })
    },
  },
  'import, delta': { write: (cases) => bring('delta', cases) },
}

async function prepare(cases: readonly Case[]): Promise<Map<string, number>> {
  const known = cases.filter(({ state }) => state !== 'none')
  await bulk('offers', known, () => bodyOf(BEFORE))
  const productOf = new Map([...(await stored())].map(([sku, offer]) => [sku, offer['product_id'] as number]))
  for (const entry of known)
    if (entry.state === 'deleted') expect((await send('DELETE', offerPath(entry))).status).toBe(204)
  const { accountId } = account
  await database.db`
    update offer set absent_since = now() - interval '40 days', quantity = 0
    where account_id = ${accountId} and supplier_sku like 'dropped-%'`
  await inTransaction(database.db, (tx) => dropAbsentOffers(tx, accountId))
  expect((await stored()).size).toBe(cases.filter(({ state }) => state === 'alive').length)
  return productOf
}

/** Offers as the API returns them, by SKU. */
async function stored(): Promise<Map<string, Members>> {
  const found = new Map<string, Members>()
  for (let after = ''; ;) {
    const { body } = await send('GET', `/suppliers/north/offers?per_page=200&after=${after}`)
    for (const offer of body.data as Members[]) found.set(offer['sku'] as string, offer)
    if (body.meta.next_after === null) return found
    after = encodeURIComponent(body.meta.next_after as string)
  }
}

function fieldsOf(offer: Members): Record<string, unknown> {
  const texts = (offer['texts'] as Record<string, Members>)['en'] ?? {}
  return Object.fromEntries(
    Object.entries({ ...offer, ...forEachField(TEXT_FIELDS, (field) => texts[field] ?? null) }).filter(([name]) =>
      (FIELDS as string[]).includes(name),
    ),
  )
}

test.for(Object.entries(DOORS))(
  '%s: each field stays when it is absent, is cleared by null, and begins anew with a deleted offer',
  async ([, { write, knownAlone = false, replaces = false, fields = FIELDS }]) => {
    const cases = CASES.filter(({ field }) => fields.includes(field))
    const productOf = await prepare(cases)
    await write(cases)
    const found = await stored()
    for (const { sku, field, state, input } of cases) {
      const offer = found.get(sku)
      if (knownAlone && state !== 'alive') {
        expect([sku, offer]).toEqual([sku, undefined])
        continue
      }
      const base = state === 'alive' && !replaces ? BEFORE : NOTHING
      const expected =
        input === 'absent' ? base : { ...base, [field]: input === 'null' ? NOTHING[field] : AFTER[field] }
      expect([sku, fieldsOf(offer ?? { texts: {} })]).toEqual([sku, expected])
      // the offer still belongs to the same product
      if (state !== 'none') expect([sku, offer?.['product_id']]).toEqual([sku, productOf.get(sku)])
      expect(offer?.['absent_since']).toBeNull()
    }
    await service.runtime.shelf.drain(account.accountId)
    await expectAudited(database.db, account.accountId)
  },
)

test('an offer that is written again after its deletion has the price of what is written alone', async () => {
  const path = '/suppliers/north/offers/A'
  await send('PUT', path, { cost: '10', currency: 'USD', quantity: 1 })
  const id = (await send('GET', path)).body.data.product_id as number
  expect((await send('DELETE', path)).status).toBe(204)
  await send('POST', '/bulk/offers', { rows: [{ supplier: 'north', sku: 'A', cost: '10', quantity: 1 }] })
  expect((await send('GET', path)).body.data).toMatchObject({ product_id: id, cost: '10', currency: 'EUR' })
  const { body } = await send('GET', `/products/${id}`)
  expect(body.data.id).toBe(id)
})

test('texts are cleared as a whole, by locale and by field', async () => {
  const path = '/suppliers/north/offers/T'
  const texts = { en: { title: 'A', description: 'B' }, de: { title: 'C' } }
  const textsAfter = async (patch: unknown, isBulk: boolean) => {
    await send('PUT', path, { texts })
    if (isBulk) await send('POST', '/bulk/offers', { rows: [{ supplier: 'north', sku: 'T', texts: patch }] })
    else await send('PATCH', path, { texts: patch })
    return (await send('GET', path)).body.data.texts as unknown
  }
  for (const isBulk of [false, true]) {
    expect(await textsAfter(null, isBulk)).toEqual({})
    expect(await textsAfter({ en: null }, isBulk)).toEqual({ de: { title: 'C' } })
    expect(await textsAfter({ en: { title: null } }, isBulk)).toEqual({ en: { description: 'B' }, de: { title: 'C' } })
    expect(await textsAfter({}, isBulk)).toEqual(texts)
  }
})
