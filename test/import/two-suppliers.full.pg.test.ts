import { expect, it } from 'vitest'
import { readMappingDocument } from '../../src/supplier-files/mapping-document.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import type { Answer } from '../harness/service.ts'
import { openStoreBench } from './store-bench.ts'
import { ofFile } from '../harness/world.ts'

// Two suppliers sell some of the same articles: one sends CSV in euros, the other a BMEcat catalog in złoty (4 per euro). The
// products that stores read are compared with results calculated here from both lists.

const stores = ofFile(openStoreBench)

/** EAN, cost in the supplier's currency, and quantity. */
type Article = readonly [ean: string, cost: number, stock: number]
const EANS = Array.from({ length: 12 }, (_, i) => {
  const digits = `4006381333${String(i).padStart(2, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
})
const ean = (i: number) => EANS[i] ?? ''

const csv = (articles: readonly Article[]) =>
  `Nr;EAN;Name;EK;Bestand\n${articles.map(([code, cost, stock]) => `N-${code};${code};Nord ${code};${cost.toFixed(2).replace('.', ',')};${stock}\n`).join('')}`
const CSV = {
  decimal: ',',
  locale: 'en',
  fields: { sku: 'Nr', ean: 'EAN', title: 'Name', cost: 'EK', quantity: 'Bestand' },
}
const catalog = (articles: readonly Article[]) =>
  `<BMECAT version="2005"><HEADER><CATALOG><LANGUAGE>eng</LANGUAGE><CURRENCY>PLN</CURRENCY></CATALOG></HEADER><T_NEW_CATALOG>${articles
    .map(
      ([code, cost, stock]) =>
        `<PRODUCT><SUPPLIER_PID>S/${code}</SUPPLIER_PID><PRODUCT_DETAILS><DESCRIPTION_SHORT>South ${code}</DESCRIPTION_SHORT><INTERNATIONAL_PID type="gtin">${code}</INTERNATIONAL_PID></PRODUCT_DETAILS><PRODUCT_ORDER_DETAILS><PRICE_QUANTITY>10</PRICE_QUANTITY></PRODUCT_ORDER_DETAILS><PRODUCT_PRICE_DETAILS><PRODUCT_PRICE price_type="net_customer"><PRICE_AMOUNT>${cost * 10}</PRICE_AMOUNT></PRODUCT_PRICE></PRODUCT_PRICE_DETAILS><USER_DEFINED_EXTENSIONS><UDX.SOUTH.STOCK>${stock}</UDX.SOUTH.STOCK></USER_DEFINED_EXTENSIONS></PRODUCT>`,
    )
    .join('')}</T_NEW_CATALOG></BMECAT>`

async function bring(account: TestAccount, from: 0 | 1, articles: readonly Article[]): Promise<void> {
  async function* bytes() {
    await Promise.resolve()
    yield Buffer.from(from === 0 ? csv(articles) : catalog(articles))
  }
  const mapping = readMappingDocument(from === 0 ? CSV : { preset: 'bmecat', locale: 'en' })
  expect((await stores.bring(account, from, bytes(), mapping)).refused).toEqual([])
}

interface Shown {
  cost: number | null
  stock: number
  products: number
}

/** Cost, stock and number of products with an EAN, as stores read them. */
async function shown(get: (path: string) => Promise<Answer>, code: string): Promise<Shown> {
  const { body } = await get(`/v1/products?store=main&ean=${code}`)
  const [product] = body.data as { id: number; stock: number; prices: { base_cost: number | null }[] }[]
  if (product === undefined) return { cost: null, stock: 0, products: 0 }
  const { data: single } = (await get(`/v1/prices/${product.id}?store=main`)).body
  expect(single.stock).toBe(product.stock)
  return { cost: single.prices[0]?.base_cost ?? null, stock: single.stock, products: body.data.length }
}

/** The expected result: offers in stock before others, then the lower cost in euros. An offer that is no longer listed has a quantity of 0. */
function best(code: string, lists: readonly (readonly Article[])[], known: readonly (readonly Article[])[]): Shown {
  const offers = lists.flatMap((list, supplier) => {
    const now = list.find(([one]) => one === code)
    const before = known[supplier]?.find(([one]) => one === code)
    const [, cost, stock] = now ?? [code, before?.[1] ?? NaN, 0]
    return Number.isNaN(cost) ? [] : [{ cost: supplier === 0 ? cost : cost / 4, stock }]
  })
  const [first] = offers.toSorted((a, b) => Number(b.stock > 0) - Number(a.stock > 0) || a.cost - b.cost)
  return { cost: first?.cost ?? null, stock: first?.stock ?? 0, products: first === undefined ? 0 : 1 }
}

const NORTH: readonly Article[] = [
  [ean(0), 10, 5],
  [ean(1), 20, 0],
  [ean(2), 30, 2],
  [ean(3), 7.5, 1],
  ...[6, 7, 8].map((i): Article => [ean(i), i, 1]),
]
const SOUTH: readonly Article[] = [
  [ean(0), 36, 3],
  [ean(1), 100, 4],
  [ean(2), 160, 9],
  [ean(4), 12, 0],
  ...[9, 10, 11].map((i): Article => [ean(i), i, 1]),
]
const without = (list: readonly Article[], ...gone: number[]) =>
  list.filter(([code]) => !gone.some((i) => ean(i) === code))

it.each([
  ['the CSV first', [0, 1]],
  ['the catalog first', [1, 0]],
] as const)(
  'articles of two suppliers are one product with the best offer, also after either drops them: %s',
  async (_, order) => {
    const account = await createAccount(stores.bench)
    const get = await stores.reader(account)
    const lists: [readonly Article[], readonly Article[]] = [[], []]
    const check = async () => {
      for (const code of EANS) expect([code, await shown(get, code)]).toEqual([code, best(code, lists, [NORTH, SOUTH])])
    }
    for (const from of order) {
      lists[from] = from === 0 ? NORTH : SOUTH
      await bring(account, from, lists[from])
    }
    // calculated by hand: the cheaper one in stock, the only one in stock, the cheaper one although the other has more
    expect(await shown(get, ean(0))).toEqual({ cost: 9, stock: 3, products: 1 })
    expect(await shown(get, ean(1))).toEqual({ cost: 25, stock: 4, products: 1 })
    expect(await shown(get, ean(2))).toEqual({ cost: 30, stock: 2, products: 1 })
    await check()
    for (const [from, gone] of [
      [1, [0, 2]],
      [0, [2, 3]],
      [1, []],
      [0, []],
      [0, [0]],
      [1, [0, 1]],
    ] as const) {
      lists[from] = without(from === 0 ? NORTH : SOUTH, ...gone)
      await bring(account, from, lists[from])
      await check()
    }
    // neither supplier lists it any more
    expect((await shown(get, ean(0))).stock).toBe(0)
  },
)
