import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { beforeAll, describe, expect, test } from 'vitest'
import { runImport } from '../../src/imports/run.ts'
import { exactText } from '../../src/input/decimal.ts'
import { actualValueSuffix } from '../../src/input/verdict.ts'
import { ShelfwireError } from '../../src/platform/errors.ts'
import { chunked } from '../../src/supplier-files/fixtures.ts'
import { parseMapping } from '../../src/supplier-files/mapping/mapping.ts'
import { readOfferPages } from '../../src/supplier-files/read-offers.ts'
import { AccountWriter } from '../api/account-writer.ts'
import { readDocument } from '../api/documented.ts'
import { inGate } from '../harness/gate.ts'

import { runCommand } from './command-door.ts'
import { DOORS, PRODUCT, RULES, type Door, type Line, type Rule } from './rules.ts'
import { worldOfFile } from '../harness/world.ts'

// Every line of the table is tried through every way of input that accepts its kind of value, with the same result and message.

/** The result of a value: stored, or refused with a message. */
type Outcome = { stored: unknown } | { fault: string }
/** Sends a value through one way of input. */
type Way = (given: unknown) => Promise<Outcome>

/** The seed of a gate's run; null where none is set. */
const SEED = process.env['SEED'] === undefined ? null : Number(process.env['SEED'])

const { database, service } = worldOfFile({ service: {} })
let writer: AccountWriter
let productId = 0
beforeAll(async () => {
  writer = await AccountWriter.open(service, await readDocument(service.url), 'doors')
  productId = (await writer.say('POST', '/products', { sku: 'P' })).id as number
  process.env['DATA_DIR'] ??= tmpdir()
})

// oxlint-disable-next-line typescript/no-explicit-any
type Data = any
type Pick = (data: Data) => unknown

/** Sends a request whose answer contains the stored value. */
const body = async (method: string, path: string, sent: unknown, pick: Pick): Promise<Outcome> => {
  const { status, body: answer } = await writer.send(method, path, sent)
  if (status < 300) return { stored: pick(answer.data) }
  expect([status, answer.code, answer.errors.length]).toEqual([422, 'invalid-input', 1])
  return { fault: answer.errors[0].reason }
}

/** Sends a bulk of one row; `read` returns the stored value. */
const row = async (kind: string, sent: unknown, read: (result: Data) => Promise<unknown>): Promise<Outcome> => {
  const [result] = await writer.say('POST', `/bulk/${kind}`, { rows: [sent] })
  if (result.status !== 'failed') return { stored: await read(result) }
  expect(result.errors).toHaveLength(1)
  return { fault: result.errors[0].reason }
}

const get = async (path: string, pick: Pick): Promise<unknown> => pick(await writer.say('GET', path))

const command = async (args: readonly string[], read: (printed: Data) => Promise<unknown>): Promise<Outcome> => {
  try {
    const account = ['--account', String(writer.account.accountId)]
    return { stored: await read(await runCommand(database.url, [...args, ...account])) }
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    expect([error.code, error.faults.length]).toEqual(['invalid-input', 1])
    return { fault: error.faults[0]?.reason ?? '' }
  }
}

let keys = 0
const offerKey = () => `K${keys++}`
const offers = '/suppliers/north/offers'

/** Imports a file of one row with one column besides the key. */
const file = async (format: 'csv' | 'ndjson', field: string, source: unknown, given: unknown, pick: Pick) => {
  const isSku = field === 'sku'
  const sku = isSku ? undefined : offerKey()
  const cell = Array.isArray(given) ? given.join('|') : String(given)
  const text =
    format === 'ndjson' ? JSON.stringify({ sku, x: given }) : `sku,x\n${sku ?? ''},"${cell.replaceAll('"', '""')}"\n`
  try {
    const mapping = parseMapping({ format, locale: 'en', fields: { sku: isSku ? 'x' : 'sku', [field]: source } })
    const [supplier] = writer.account.suppliers
    const report = await runImport(
      database.db,
      service.runtime.wake,
      { accountId: writer.account.accountId, supplier: supplier!, mode: 'delta' },
      readOfferPages(chunked(text), mapping),
    )
    const [refused] = report.refused
    // an unreadable value of an optional field is dropped with the same message; a list that is too long loses its end
    const [dropped] = report.dropped
    if (dropped !== undefined) return { fault: dropped.reason.replace(/; the first \d+ are taken$/, '') }
    if (refused === undefined)
      return { stored: await get(`${offers}/${encodeURIComponent(sku ?? String(given))}`, pick) }
    expect(refused.faults).toHaveLength(1)
    return { fault: refused.faults[0]?.reason ?? '' }
  } catch (error) {
    if (!(error instanceof ShelfwireError) || error.faults.length !== 1) throw error
    return { fault: error.faults[0]?.reason ?? '' }
  }
}

const files = (field: string, pick: Pick, source: unknown = 'x') => ({
  csv: (given: unknown) => file('csv', field, source, given, pick),
  ndjson: (given: unknown) => file('ndjson', field, source, given, pick),
})
const offerBody = (member: string, pick: Pick, wrap: (given: unknown) => unknown = (given) => given) => ({
  body: (given: unknown) => body('PUT', `${offers}/${offerKey()}`, { [member]: wrap(given) }, pick),
  bulk: (given: unknown) => {
    const sku = offerKey()
    return row('offers', { supplier: 'north', sku, [member]: wrap(given) }, () => get(`${offers}/${sku}`, pick))
  },
})
const plainRule = { name: 'R', action: 'markup', percent: '1' }
const ruleBody = (member: string, pick: Pick, wrap: (given: unknown) => unknown = (given) => given) => ({
  body: (given: unknown) => body('POST', '/pricing-rules', { ...plainRule, [member]: wrap(given) }, pick),
})
const ruleCommand = (option: string, pick: Pick, rest: readonly string[] = ['--markup', '1']) => ({
  command: (given: unknown) =>
    command(['rule', 'create', '--name', 'R', ...rest, `--${option}=${String(given)}`], (printed) =>
      get(`/pricing-rules/${printed.rule_id}`, pick),
    ),
})

const WAYS: Readonly<Record<string, Partial<Record<Door, Way>>>> = {
  Amount: {
    body: (cost) => body('PUT', `/products/${productId}/stock`, { quantity: 1, cost }, (data) => data.cost),
    bulk: (cost) =>
      row('stock', { product_id: productId, quantity: 1, cost }, () =>
        get(`/products/${productId}/stock`, (data) => data.cost),
      ),
    ...files('cost', (data) => data.cost),
    ...ruleCommand('fixed-price', (data) => data.fixed_price, []),
  },
  Rate: {
    body: (rate) => body('PUT', '/rates/CHF', { rate }, (data) => data.rate),
    command: (rate) => command(['rate', 'set', `CHF=${String(rate)}`], () => get('/rates/CHF', (data) => data.rate)),
  },
  Percentage: {
    ...ruleBody('percent', (data) => data.percent),
    ...ruleCommand('markup', (data) => data.percent, []),
  },
  Quantity: {
    body: (quantity) => body('PUT', `/products/${productId}/stock`, { quantity }, (data) => data.quantity),
    bulk: (quantity) =>
      row('stock', { product_id: productId, quantity }, () =>
        get(`/products/${productId}/stock`, (data) => data.quantity),
      ),
    ...files('quantity', (data) => data.quantity),
  },
  EAN: {
    body: (ean) => body('POST', '/products', { ean }, (data) => data.ean),
    bulk: offerBody(
      'eans',
      (data) => data.eans[0],
      (given) => [given],
    ).bulk,
    ...files('ean', (data) => data.eans[0]),
  },
  Images: {
    body: (images) => body('PATCH', `/products/${productId}`, { images }, (data) => data.images),
    bulk: offerBody('images', (data) => data.images).bulk,
    ...files('images', (data) => data.images, { column: 'x', split: '|' }),
  },
  Currency: {
    ...offerBody('currency', (data) => data.currency),
    ...files('currency', (data) => data.currency),
    command: (currency) =>
      command(['store', 'edit', '--store', String(writer.account.storeIds[1]), `--currency=${String(currency)}`], () =>
        get('/stores/de', (data) => data.currency),
      ),
  },
  Condition: {
    ...offerBody('condition', (data) => data.condition),
    ...files('condition', (data) => data.condition),
  },
  Country: {
    ...offerBody('country_of_origin', (data) => data.country_of_origin),
    ...files('country_of_origin', (data) => data.country_of_origin),
  },
  'Tariff number': {
    ...offerBody('hs_code', (data) => data.hs_code),
    ...files('hs_code', (data) => data.hs_code),
  },
  Weight: {
    ...offerBody('weight', (data) => data.weight),
    ...files('weight', (data) => data.weight),
  },
  'List price': {
    ...offerBody('list_price', (data) => data.list_price),
    ...files('list_price', (data) => data.list_price),
  },
  Content: {
    ...offerBody('net_content', (data) => data.net_content),
    ...files('net_content', (data) => data.net_content),
  },
  Length: {
    ...offerBody('length', (data) => data.length),
    ...files('length', (data) => data.length),
  },
  Locale: {
    body: (locale) => body('PATCH', '/stores/de', { locale }, (data) => data.locale),
    bulk: (locale) =>
      row('overrides', { product_id: productId, field: 'title', locale, value: `T${keys++}` }, () =>
        get(`/products/${productId}`, (data) =>
          Object.keys(data.title as object).find((tag) => data.title[tag] === `T${keys - 1}`),
        ),
      ),
    csv: (locale) => file('csv', `title.${String(locale)}`, 'x', 'T', (data) => Object.keys(data.texts as object)[0]),
    command: (locale) =>
      command(['store', 'edit', '--store', String(writer.account.storeIds[1]), `--locale=${String(locale)}`], () =>
        get('/stores/de', (data) => data.locale),
      ),
  },
  Text: {
    body: (manufacturer) => body('PATCH', `/products/${productId}`, { manufacturer }, (data) => data.manufacturer),
    bulk: (value) =>
      row('overrides', { product_id: productId, field: 'manufacturer', value }, () =>
        get(`/products/${productId}`, (data) => data.manufacturer),
      ),
    command: (name) =>
      command(['group', 'create', `--name=${String(name)}`], (printed) =>
        get(`/groups/${printed.customer_group_id}`, (data) => data.name),
      ),
  },
  'Optional text': {
    ...offerBody('manufacturer', (data) => data.manufacturer),
    ...files('manufacturer', (data) => data.manufacturer),
  },
  Key: offerBody(
    'attributes',
    (data) => data.attributes[0].key,
    (key) => [{ key, value: 'v' }],
  ),
  SKU: {
    body: (sku) => body('POST', '/products', { sku }, (data) => data.sku),
    bulk: (sku) =>
      row('offers', { supplier: 'south', sku }, () =>
        get(`/suppliers/south/offers/${encodeURIComponent(String(sku))}`, (data) => data.sku),
      ),
    ...files('sku', (data) => data.sku),
  },
  'Slug or code': {
    async body(code) {
      const outcome = await body('POST', '/suppliers', { code, name: 'S', currency: 'EUR' }, (data) => data.code)
      if ('stored' in outcome) await writer.say('DELETE', `/suppliers/${String(outcome.stored)}`)
      return outcome
    },
    command: (code) =>
      command(['supplier', 'create', `--code=${String(code)}`, '--name', 'S', '--currency', 'EUR'], (printed) =>
        get('/suppliers', (data) => data.find((supplier: Data) => supplier.id === printed.supplier_id).code),
      ),
  },
  ID: {
    ...ruleBody(
      'product_ids',
      (data) => data.product_ids[0],
      (given) => [given],
    ),
    bulk: (id) => row('stock', { product_id: id, quantity: 1 }, (result) => Promise.resolve(result.product_id)),
    ...ruleCommand('product', (data) => data.product_ids[0]),
  },
  Day: {
    ...ruleBody('valid_from', (data) => data.valid_from),
    ...ruleCommand('valid-from', (data) => data.valid_from),
  },
  'Whole number': {
    body: (priority) => body('PATCH', '/suppliers/north', { priority }, (data) => data.priority),
    command: (priority) =>
      command(
        [
          'supplier',
          'edit',
          '--supplier',
          String(writer.account.suppliers[0]?.supplierId),
          `--priority=${String(priority)}`,
        ],
        () => get('/suppliers/north', (data) => data.priority),
      ),
  },
}

const isTextOnly = (door: Door) => door === 'csv' || door === 'command'
const isText = (given: unknown): boolean =>
  Array.isArray(given) ? given.every((entry) => typeof entry === 'string') : typeof given === 'string'

/** The allowed results of a line, in each spelling of the value: a number that was sent as text is quoted in messages. */
function expected({ given, stored, fault, bare }: Line, door: Door): unknown[] {
  if (fault === undefined) return [{ stored: stored === PRODUCT ? productId : stored }]
  const one: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given
  const exact = typeof one === 'number' ? exactText(one) : { reason: '' }
  const shown = bare
    ? ['']
    : [one, ...(isText(one) ? [] : [String(one)]), ...('value' in exact ? [exact.value] : [])].map(actualValueSuffix)
  // a file may add how its notation can be changed
  return shown.map((value) =>
    door === 'csv' || door === 'ndjson'
      ? {
          fault: expect.toSatisfy((words: string) => words === fault + value || words.startsWith(`${fault + value}: `)),
        }
      : { fault: fault + value },
  )
}

const isTried = (at: number, door: Door) =>
  inGate(at % 5 === 0, SEED === null || (at + DOORS.indexOf(door) + SEED) % 2 === 0)

async function misfits(rule: Rule, door: Door, way: Way): Promise<string[]> {
  const faults: string[] = []
  // the fast gate tries one line in five, the full gate each line in half of the ways, chosen by its seed; both try the first
  // refused line in every way
  const firstFault = rule.lines.findIndex(({ fault }) => fault !== undefined)
  for (const [at, line] of rule.lines.entries()) {
    if (!isTried(at, door) && at !== firstFault) continue
    if (line.but?.[door] !== undefined) continue
    if (isTextOnly(door) && !isText(line.given) && rule.asText !== true) continue
    const outcome = await way(line.given === PRODUCT ? productId : line.given)
    try {
      expect(outcome).toEqual(expect.toBeOneOf(expected(line, door)))
    } catch {
      faults.push(
        `${rule.kind}, ${door}: ${JSON.stringify(line.given)?.slice(0, 60)} -> ${JSON.stringify(outcome).slice(0, 160)}`,
      )
    }
  }
  return faults
}

describe('a value gets the same verdict, in the same words, at every door', () => {
  for (const rule of RULES)
    test(rule.kind, async () => {
      const ways = WAYS[rule.kind] ?? {}
      for (const door of DOORS) {
        const way = ways[door]
        expect([door, way === undefined], 'a door carries the kind, or the table says why it does not').toEqual([
          door,
          rule.without[door] !== undefined,
        ])
        if (way !== undefined) expect(await misfits(rule, door, way)).toEqual([])
      }
    })
})

test('one key in two spellings is duplicated, wherever it is a key', async () => {
  const twice = { fault: 'is duplicated' }
  const titles = { 'pl-PL': 'a', 'pl-pl': 'b' }
  expect(await body('PATCH', `/products/${productId}`, { title: titles }, () => null)).toEqual(twice)
  const texts = { 'pl-PL': { title: 'a' }, 'pl-pl': { title: 'b' } }
  expect(await body('PUT', `${offers}/twice`, { texts }, () => null)).toEqual(twice)
  expect(await row('offers', { supplier: 'north', sku: 'twice', texts }, () => Promise.resolve(null))).toEqual(twice)
  expect(() => parseMapping({ fields: { sku: 'sku', 'title.pl-PL': 'a', 'title.pl-pl': 'b' } })).toThrow(
    'is duplicated',
  )
  expect(await body('PUT', '/attributes/size', { labels: titles }, () => null)).toEqual(twice)
  const up = { step: '1', ending: '0', direction: 'up' }
  const rounding = { EUR: up, eur: up }
  expect(await body('POST', '/pricing-rules', { ...plainRule, rounding }, () => null)).toEqual(twice)
  expect(
    await command(['rule', 'create', '--name', 'R', '--markup', '1', '--round', 'EUR=1', 'eur=1'], () =>
      Promise.resolve(null),
    ),
  ).toEqual(twice)
  expect(await command(['rate', 'set', 'PLN=4', 'pln=4'], () => Promise.resolve(null))).toEqual(twice)
})

test('an address and a body name a currency in any letter case, and mean one rate', async () => {
  const rates = async () => (await writer.say('GET', '/rates')).map(({ currency }: Data) => currency)
  const before = await rates()
  expect(await writer.say('PUT', '/rates/usd', { rate: '1.5' })).toMatchObject({ currency: 'USD', rate: '1.5' })
  expect(await writer.say('GET', '/rates/Usd')).toMatchObject({ currency: 'USD', rate: '1.5' })
  expect((await writer.refused('POST', '/rates', { currency: 'usd', rate: '2' }, 409)).code).toBe('conflict')
  expect(await rates()).toEqual(before)
  expect(await writer.say('POST', '/rates', { currency: 'sek', rate: '11' })).toMatchObject({
    currency: 'SEK',
    rate: '11',
  })
  expect(
    await writer.say('POST', '/pricing-rules', {
      ...plainRule,
      rounding: { sek: { step: '1', ending: '0', direction: 'up' } },
    }),
  ).toMatchObject({ rounding: { SEK: { step: '1' } } })
})

test('each rule of the table is in docs/input-rules.md', () => {
  const page = readFileSync(new URL('../../docs/input-rules.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, kind]) => kind)
  expect(rows).toEqual(RULES.map(({ kind }) => kind))
})
