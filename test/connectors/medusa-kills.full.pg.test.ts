import { expect, test } from 'vitest'
import { everyNth } from '../harness/gate.ts'
import { worldOfFile } from '../harness/world.ts'
import { hint, SECRET } from './hint.ts'
import { followThroughKills, SIZE, startKillableService, tell } from './kills.ts'
import { importIntoMedusa } from './medusa-import.ts'
import { expected, shown } from './medusa-rows.ts'
import { furnish, isMedusaInstalled, startMedusa } from './medusa-shop.ts'
import { pictureOf } from './shop-account.ts'
import { shopDatabase } from './shop-process.ts'

const { database, account } = worldOfFile({ account: 'acme' })

// takes minutes, so a gate tests only one of the shops
test.skipIf(!isMedusaInstalled() || !everyNth(['medusa', 'vendure'], 2).includes('medusa'))(
  'a Medusa shop is filled and follows, whatever is killed, and has every field that the stores have',
  { timeout: 2 * SIZE.timeoutMs + 120_000 },
  async () => {
    await using closing = new AsyncDisposableStack()
    const service = closing.use(await startKillableService(database, account.accountId))
    const options = {
      url: service.url,
      token: service.token,
      stores: [
        { store: 'main', salesChannel: 'Shelfwire', stockLocation: 'Warehouse' },
        { store: 'pl', salesChannel: 'Poland', stockLocation: 'Magazyn' },
      ],
      webhookSecrets: [SECRET],
    }
    const figures = await followThroughKills('medusa', service, {
      wholesaleGroupId: account.groupId,
      picture: pictureOf,
      open: async () => {
        const shop = closing.use(await startMedusa(await shopDatabase(closing, 'medusa_kills'), options))
        await furnish(shop)
        return {
          kill: () => shop.kill(),
          start: () => shop.start(),
          hint: async () => expect(await hint(`${shop.url}/hooks/shelfwire`)).toBe(200),
          state: async () => ({ wanted: await expected(service.shelf), shown: await shown(shop) }),
          verify: () => shop.call('POST', '/admin/shelfwire/verify', {}),
          printed: () => shop.printed(),
        }
      },
    })
    tell('medusa', figures)
    expect(figures.filled).toBe(SIZE.products)
    if (SIZE.kills < 20) return
    await using plain = await startMedusa(await shopDatabase(closing, 'medusa_import'), null)
    await furnish(plain)
    const importSeconds = await importIntoMedusa(plain, await expected(service.shelf))
    tell('medusa', { importSeconds, ratio: figures.fillSeconds / importSeconds })
  },
)
