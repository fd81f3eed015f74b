import { expect, test } from 'vitest'
import { everyNth } from '../harness/gate.ts'
import { worldOfFile } from '../harness/world.ts'
import { hint, SECRET } from './hint.ts'
import { followThroughKills, SIZE, startKillableService, tell } from './kills.ts'
import { startPictures } from './picture-server.ts'
import { sellInPoland } from './shop-account.ts'
import { shopDatabase } from './shop-process.ts'
import { importIntoVendure } from './vendure-import.ts'
import { expected, visible } from './vendure-rows.ts'
import { furnishVendure, isVendureInstalled, startVendure } from './vendure-shop.ts'

const { database, account } = worldOfFile({ account: 'acme' })

// takes minutes, so a gate tests only one of the shops
test.skipIf(!isVendureInstalled() || !everyNth(['medusa', 'vendure'], 2).includes('vendure'))(
  'a Vendure shop is filled and follows, whatever is killed, and has every field that the stores have',
  { timeout: 2 * SIZE.timeoutMs + 120_000 },
  async () => {
    await using closing = new AsyncDisposableStack()
    const service = closing.use(await startKillableService(database, account.accountId))
    const pictures = closing.use(await startPictures())
    const options = {
      url: service.url,
      token: service.token,
      stores: [{ store: 'main' }, { store: 'pl', channel: 'poland', stockLocation: 'Magazyn' }],
      webhookSecrets: [SECRET],
    }
    const figures = await followThroughKills('vendure', service, {
      wholesaleGroupId: account.groupId,
      picture: pictures.address,
      open: async () => {
        await sellInPoland(service.writer)
        const shop = closing.use(await startVendure(await shopDatabase(closing, 'vendure_kills'), options))
        const { pl: polishToken } = await furnishVendure(shop)
        return {
          kill: () => shop.kill(),
          start: () => shop.start(),
          hint: async () => expect(await hint(`${shop.url}/shelfwire/hook`)).toBe(200),
          async state() {
            const wanted = await expected(service.shelf)
            return { wanted, shown: await visible(shop, { polishToken, wanted }) }
          },
          verify: () => shop.ask('POST', '/shelfwire/verify', {}),
          printed: () => shop.printed(),
        }
      },
    })
    tell('vendure', figures)
    expect(figures.filled).toBe(SIZE.products)
    if (SIZE.kills < 20) return
    await using plain = await startVendure(await shopDatabase(closing, 'vendure_import'), null)
    await furnishVendure(plain)
    const importSeconds = await importIntoVendure(
      plain,
      [...(await expected(service.shelf)).values()],
      pictures.address,
    )
    tell('vendure', { importSeconds, ratio: figures.fillSeconds / importSeconds })
  },
)
