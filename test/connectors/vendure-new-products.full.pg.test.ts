import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDb } from '../../src/db/open-db.ts'
import type { Db } from '../../src/db/sql.ts'
import { tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { hint as hintTo, SECRET } from './hint.ts'
import { inTurns } from './kills.ts'
import { startPictures } from './picture-server.ts'
import { fillAccount, sellInPoland, writerOf, type Writer } from './shop-account.ts'
import { shopDatabase } from './shop-process.ts'
import { furnishVendure, isVendureInstalled, startVendure, type VendureShop } from './vendure-shop.ts'

// New products are written to a Vendure shop together, and its search index and a plugin of its own get the same events as from
// Vendure's services. docs/decisions/217-new-products-are-written-together.md

const { service, account, http } = worldOfFile({ service: { roles: ['api', 'work'] }, account: 'acme' })

/** More variants than the search index handles in one event, or for one product. */
const VARIANTS = 60
/** So many that the stock levels of those variants have more values than a PostgreSQL statement allows; TypeORM compared them for minutes (decision 230). */
const LOCATIONS = 300

/** A plugin of the shop that prints the events it receives, and throws on channel assignments of some products. */
const OWN_PLUGIN = `const core = require('@vendure/core')
class OwnPlugin {
  constructor(bus) {
    this.bus = bus
  }
  onApplicationBootstrap() {
    const hear = (event, say) => this.bus.ofType(event).subscribe((of) => console.log('heard ' + JSON.stringify([event.name, of.type, say(of)])))
    hear(core.ProductEvent, ({ product, input, type }) => (type === 'created' ? [product.id, input.translations.map(({ name }) => name)] : []))
    hear(core.ProductVariantEvent, ({ variants, input, type }) => (type === 'created' ? variants.map(({ id, sku }, at) => [id, sku, input[at].sku]) : []))
    hear(core.ProductVariantPriceEvent, ({ entity }) => entity.map(({ id, channelId, variant }) => [id, channelId, variant?.id]))
    hear(core.StockMovementEvent, ({ stockMovements }) => stockMovements.map(({ id, quantity, productVariant }) => [id, quantity, productVariant.id]))
    this.bus.registerBlockingEventHandler({
      event: core.ProductChannelEvent,
      id: 'own',
      handler: ({ product }) => {
        if (product.translations.some(({ name }) => name.startsWith('Unwelcome'))) throw new Error('there is no place for it')
      },
    })
  }
}
Reflect.defineMetadata('design:paramtypes', [core.EventBus], OwnPlugin)
core.VendurePlugin({ imports: [core.PluginCommonModule] })(OwnPlugin)
module.exports = OwnPlugin
`

describe.skipIf(!isVendureInstalled())('products that are new in a Vendure shop', () => {
  const closing = new AsyncDisposableStack()
  let shop: VendureShop
  let db: Db
  let writer: Writer
  let poland: string

  const hint = async () => expect(await hintTo(`${shop.url}/shelfwire/hook`)).toBe(200)

  const heard = (name: string) =>
    [...shop.printed().matchAll(/^heard (.*)$/gm)]
      .map(([, json]) => JSON.parse(json!) as [event: string, type: string, of: (number | string)[][]])
      .filter(([event, type]) => event === name && (type === 'created' || type === 'ADJUSTMENT'))
      .map(([, , of]) => of)

  /** SKUs that the shop's search index has in a channel and its language. */
  const indexed = async (channel: string) => {
    const { search } = await shop.shopper<{ search: { items: { sku: string }[] } }>(
      '{ search(input: { groupByProduct: false, take: 100 }) { items { sku } } }',
      {},
      channel,
    )
    return new Set(search.items.map(({ sku }) => sku).filter((sku) => sku.startsWith('WALL')))
  }

  const count = async (table: string) => {
    const [row] = await db.unsafe<{ count: number }[]>(`select count(*)::int as count from ${table}`)
    return row?.count
  }

  beforeAll(async () => {
    const pictures = closing.use(await startPictures())
    writer = writerOf(http)
    await fillAccount(writer, account.groupId, pictures.address)
    await sellInPoland(writer)
    await inTurns(
      Array.from({ length: VARIANTS }, (_, at) => at),
      (at) =>
        writer.putOffer(`WALL-${at}`, {
          texts: { en: { title: `Wall ${at}` }, pl: { title: `Mur ${at}` } },
          group: {
            key: 'WALL',
            title: { en: 'Wall' },
            position: at,
            options: [{ key: 'width', label: 'Width', value: `${at + 1} m` }],
          },
        }),
    )
    const options = {
      url: service.url,
      token: await tokenFor(service.runtime, account.accountId, 'connector'),
      stores: [{ store: 'main' }, { store: 'pl', channel: 'poland', stockLocation: 'Magazyn' }],
      webhookSecrets: [SECRET],
    }
    const url = await shopDatabase(closing, 'vendure_new')
    shop = closing.use(await startVendure(url, options, { ownPlugin: OWN_PLUGIN }))
    db = openDb({ url, connectionsMax: 1 })
    closing.defer(() => db.end())
    // before the channel exists, without which nothing is filled
    await db.unsafe(`with made as (
        insert into stock_location (name, description)
        select 'Shelf ' || n, '' from generate_series(1, ${LOCATIONS}) n returning id
      )
      insert into stock_location_channels_channel ("stockLocationId", "channelId")
      select made.id, channel.id from made, channel`)
    poland = (await furnishVendure(shop)).pl
  }, 300_000)
  afterAll(() => closing.disposeAsync())

  test(
    'are found in each channel, however many variants they have and stock locations there are, and their prices and stock are told to whoever listens',
    { timeout: 240_000 },
    async () => {
      await hint()
      const found = async () => [(await indexed('')).size, (await indexed(poland)).size]
      await expect
        .poll(() => found().catch(String), { timeout: 180_000, interval: 500 })
        .toEqual([VARIANTS, VARIANTS])
        .catch((error: unknown) => Promise.reject(new Error(shop.printed().slice(-6_000), { cause: error })))
      expect(await count('stock_level')).toBeGreaterThan(VARIANTS * LOCATIONS)
      expect(shop.printed()).not.toContain('written one by one')

      expect(heard('ProductEvent').map(([, names]) => names)).toContainEqual(['Wall', 'Wall'])
      const variants = heard('ProductVariantEvent').flat()
      expect(new Set(variants.map(([id]) => id)).size).toBe(await count('product_variant'))
      expect(variants.filter(([, sku, input]) => sku !== input)).toEqual([])
      const prices = heard('ProductVariantPriceEvent')
      expect(new Set(prices.flat().map(([id]) => id)).size).toBe(await count('product_variant_price'))
      expect(new Set(prices.flat().map(([, , id]) => id)).size).toBe(await count('product_variant'))
      const movements = heard('StockMovementEvent')
      expect(new Set(movements.flat().map(([id]) => id)).size).toBe(await count('stock_movement'))
      // in lists, because the index makes a job of each event
      expect(Math.max(...movements.map(({ length }) => length))).toBeGreaterThanOrEqual(2 * VARIANTS)
    },
  )

  test(
    'are written by the services of the shop where they cannot be written together',
    { timeout: 240_000 },
    async () => {
      const warnings = () => shop.printed().match(/written one by one.*there is no place for it/g) ?? []
      const bring = async (sku: string) => {
        await writer.putOffer(sku, { texts: { en: { title: sku }, pl: { title: sku } } })
        await hint()
        const polish = () =>
          shop.shopper(
            'query($slug: String!) { product(slug: $slug) { name variants { sku } } }',
            {
              slug: sku.toLowerCase().replace(' ', '-'),
            },
            poland,
          )
        await expect
          .poll(() => polish().catch(String), { timeout: 60_000, interval: 500 })
          .toEqual({ product: { name: sku, variants: [{ sku }] } })
          .catch((error: unknown) => Promise.reject(new Error(shop.printed().slice(-6_000), { cause: error })))
      }
      // if the mirror reads the main store first, the product is created without Poland and added there later by the shop's services
      for (let guests = 1; warnings().length === 0; guests++) {
        expect(guests).toBeLessThan(10)
        await bring(`Unwelcome guest${guests}`)
      }
      await bring('Unwelcome host')
      expect(warnings()).toHaveLength(1)
      await expect
        .poll(() => shop.ask('POST', '/shelfwire/verify', {}).catch(String), { timeout: 60_000, interval: 500 })
        .toMatchObject({ isEqual: true, deviations: [], refusedCount: 0 })
    },
  )
})
