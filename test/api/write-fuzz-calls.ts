import { GAP_TEXTS } from '../../contract/findings.ts'
import { agree, AMOUNTS, BAD, type Dice, eanOf, LOCALES, valueOf, type Json, type World } from './write-walk.ts'
import type { Documented } from './documented.ts'
import type { DocumentedOperation, Schema } from './strict-document.ts'

// The calls of the random walks of test/api/write-fuzz.full.pg.test.ts.

/** A request that a walk sends, with the operation that it belongs to. */
export interface Call {
  id: string
  method: string
  path: string
  template: string
  body?: unknown
  headers: Record<string, string>
  operation: DocumentedOperation
}

type At = Documented['operations'][number]

/**
 * Draws calls of the operations, each operation about as often as any other.
 * @param world returns the resources that exist when a call is drawn.
 */
export function openDeck(
  dice: Dice,
  operations: readonly At[],
  schemaOf: (operationId: string) => Schema | undefined,
  world: () => World,
): { call(at?: At): Call; rowOf(operationId: string): Json } {
  let deck: At[] = []
  const draw = (): At => {
    if (deck.length === 0)
      deck = [...operations, ...operations.filter(({ method }) => method !== 'get' && method !== 'delete')]
        .map((one) => [dice.next(), one] as const)
        .sort(([a], [b]) => a - b)
        .map(([, one]) => one)
    const drawn = deck.pop()!
    return /delete(Store|Supplier|Product)$/.test(drawn.operation.operationId) && dice.chance(0.3) ? draw() : drawn
  }
  const call = ({ method, path: template, operation } = draw()): Call => {
    const id = operation.operationId
    const offer =
      world().offers.length > 0 && dice.chance(0.8)
        ? dice.one(world().offers)
        : { supplier: dice.one(world().keys['suppliers'] ?? []), sku: dice.one([`A${dice.below(60)}`, 'a/b', 'Ł %']) }
    const twice =
      id === 'splitProduct'
        ? world().offers.filter((one, i) =>
            world().offers.some((other, j) => i < j && one.product_id === other.product_id),
          )
        : []
    const collection = /account\/([a-z-]+)/.exec(template)?.[1] ?? 'products'
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (dice.chance(0.04))
        return encodeURIComponent(
          dice.one(['0', '-1', '999999', '9'.repeat(19), 'x', '1.5', '__proto__', '%00', 'Ł', '\0']),
        )
      if (name === 'gap') return dice.one(Object.keys(GAP_TEXTS))
      if (template.includes('/stale-offers')) return encodeURIComponent(offer.supplier)
      if (template.includes('/offers') && name !== 'id')
        return encodeURIComponent(name === 'code' ? offer.supplier : offer.sku)
      if (twice.length > 0) return String(dice.one(twice).product_id)
      const keys = world().keys[collection] ?? []
      return encodeURIComponent(
        keys.length === 0 || (method === 'put' && dice.chance(0.4))
          ? String(valueOf(dice, world(), name, { type: 'string' }))
          : dice.one(keys),
      )
    })
    const queries = (operation.parameters ?? [])
      .filter((one) => one.in === 'query' && dice.chance(0.3))
      .map(({ name, schema }) => {
        const fit =
          name === 'store'
            ? dice.one(world().keys['stores'] ?? [])
            : name === 'group_id'
              ? dice.one(world().ids['groups'] ?? [])
              : schema.type === 'boolean'
                ? dice.one(['true', 'false'])
                : schema.type === 'integer'
                  ? dice.one([1, 3, 200, 5_000])
                  : dice.one(['a', 'k', 'A1', 'Ł'])
        return `${name}=${encodeURIComponent(dice.chance(0.1) ? dice.one(['', '-1', '1.5', 'x', '\0', '9'.repeat(40), 'null', 'TRUE']) : fit)}`
      })
    const headers: Record<string, string> = {}
    if (method !== 'get' && dice.chance(0.1))
      headers['prefer'] = dice.one(['wait=5', 'respond-async', 'wait=0', 'nonsense'])
    const made = {
      id,
      method,
      path: path + (queries.length > 0 ? `?${queries.join('&')}` : ''),
      template,
      headers,
      operation,
    }
    if (id === 'exportProducts' && dice.chance(0.4)) headers['accept'] = 'application/x-ndjson'
    const schema = schemaOf(id)
    if (schema === undefined) return made
    if (id === 'putPriceListFile') {
      headers['content-type'] = 'text/csv'
      const rows = Array.from({ length: dice.below(4) }, () => {
        const product = dice.chance(0.9) ? dice.one(world().ids['products'] ?? []) : 'x'
        return `${product};${dice.one(['9.99', '9,99', '12', '12', '0', '-1', 'x'])}`
      })
      return { ...made, body: ['product_id;price', ...rows].join('\n') }
    }
    if (id.startsWith('bulk'))
      return { ...made, body: { rows: Array.from({ length: dice.below(6) }, () => rowOf(id)) } }
    const body = valueOf(dice, world(), '', schema) as Json
    if (dice.chance(0.9)) agree(dice, world(), id, path, body)
    if (dice.chance(0.15)) {
      const names = Object.keys(schema.properties ?? {})
      const name = dice.one([...names, ...names, 'unknown'])
      if (dice.chance(0.2)) delete body[name]
      else body[name] = dice.one(BAD)
    }
    return { ...made, body }
  }
  const rowOf = (id: string): Json => {
    const product: Json = dice.one([
      { product_id: dice.one(world().ids['products'] ?? []) },
      { ean: eanOf(dice.below(25)) },
      { sku: `A${dice.below(60)}` },
      { product_id: dice.one(world().ids['products'] ?? []) },
    ])
    const offer = valueOf(dice, world(), '', schemaOf('patchOffer')!) as Json
    const known =
      world().offers.length > 0 && dice.chance(0.7)
        ? dice.one(world().offers)
        : { supplier: dice.one(world().keys['suppliers'] ?? []), sku: `A${dice.below(60)}` }
    const key = { supplier: known.supplier, sku: known.sku }
    const field = dice.one(['title', 'description', 'manufacturer', 'category', 'images', 'attribute'])
    const text = valueOf(dice, world(), field, { anyOf: [{ type: 'string' }, { type: 'null' }] })
    const rows: Record<string, Json> = {
      bulkOffers: { ...key, ...offer },
      bulkPrices: {
        ...key,
        ...Object.fromEntries(Object.entries(offer).filter(([name]) => /cost|curr|quant/.test(name))),
      },
      bulkStock: {
        ...product,
        quantity: dice.one([null, 0, 4, 2_147_483_647]),
        ...(dice.chance(0.5) ? { cost: dice.one([...AMOUNTS, null]) } : {}),
      },
      bulkOverrides: {
        ...product,
        field,
        ...(/title|desc/.test(field) ? { locale: dice.one(LOCALES) } : {}),
        ...(field === 'attribute' ? { key: 'size' } : {}),
        value: field === 'images' ? dice.one([[], null, ['https://img.example/o.jpg']]) : text,
      },
      bulkExclusions: {
        ...product,
        ...(dice.chance(0.5) ? { store: dice.one(world().keys['stores'] ?? []) } : {}),
        reason: dice.one([null, 'recalled', 'seasonal']),
        ...(dice.chance(0.3) ? { expected: dice.one([null, 'recalled']) } : {}),
      },
    }
    const row = rows[id]!
    if (dice.chance(0.08)) row[dice.one([...Object.keys(row), 'unknown'])] = dice.one(BAD)
    return row
  }
  return { call, rowOf }
}
