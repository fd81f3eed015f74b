import { prng } from '../../src/demo/catalog/prng.ts'
import { seedFor } from '../harness/interleave.ts'
import type { WriteBehaviour } from './fake-write-behaviours.ts'

// Random rows of bulks, sent to the fake and the service: the result of a row depends on the rows before it (fake-writes.full.pg.test.ts).

const BULKS = 60
const ROWS = 12

export const BULK_WALK: WriteBehaviour = [
  'rows at random, of all kinds of bulks',
  async ({ send, ask }, { id, sku }) => {
    const random = prng(seedFor('fake-bulk-walk'))
    const draw = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
    const sometimes = (members: object) => (random() < 0.3 ? members : {})
    const product = () => draw([{ product_id: id }, { product_id: id }, { sku }, { sku: 'nothing' }])
    const text = () => draw(['a', 'b', null])
    const offer = () => ({ supplier: draw(['north', 'south']), sku: `W${draw([1, 2, 3])}-${sku}` })
    const rows: Record<string, () => object> = {
      stock: () => ({
        ...product(),
        quantity: draw([0, 1, '>1', null]),
        ...sometimes({ cost: draw(['1', 1.5, null]) }),
        ...sometimes({ expected: draw([null, { quantity: 0 }, { quantity: 1, cost: '1.50' }]) }),
      }),
      overrides: () => ({
        ...product(),
        ...draw([
          { field: 'title', locale: 'en' },
          { field: 'title', locale: 'de-at' },
          { field: 'manufacturer' },
          { field: 'attribute', key: 'k' },
          { field: 'attribute', key: 'k', locale: 'en' },
        ]),
        value: text(),
        ...sometimes({ expected: text() }),
      }),
      exclusions: () => ({
        ...product(),
        ...sometimes({ store: draw(['de', 'pl', 'nowhere', null]) }),
        reason: text(),
        ...sometimes({ expected: text() }),
      }),
      prices: () => ({
        ...offer(),
        ...draw([{ cost: draw(['1', '1.0', 2, null]) }, { quantity: draw([0, 1, '1+', null]) }, {}]),
        ...sometimes({ currency: draw(['USD', null]) }),
      }),
      offers: () => ({
        ...offer(),
        ...sometimes({ cost: draw(['1', '1.0', 2, null]) }),
        ...sometimes({ quantity: draw([0, 1, null]) }),
        ...sometimes({ manufacturer: text() }),
        ...sometimes({ texts: draw([null, { en: null }, { en: { title: text() } }, { de: { title: text() } }]) }),
        ...sometimes({ attributes: draw([null, [], [{ key: 'k', value: 'v' }]]) }),
        ...sometimes({ eans: draw([null, [], ['4006381333986']]) }),
      }),
    }
    const kinds = Object.keys(rows)
    for (let i = 0; i < BULKS; i++) {
      const kind = draw(kinds)
      const sent = Array.from({ length: ROWS }, () => rows[kind]!())
      await send('POST', `/account/bulk/${kind}${draw(['', '', '', '?dry_run=true', '?atomic=true'])}`, { rows: sent })
    }
    await ask(`/account/products/${id}`)
    await ask(`/account/products/${id}/stock`)
    for (const supplier of ['north', 'south'])
      for (const i of [1, 2, 3]) await ask(`/account/suppliers/${supplier}/offers/W${i}-${sku}`)
  },
]
