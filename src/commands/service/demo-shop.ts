import { fillHistory, settlePictures, type DemoShop } from '../../demo/past/alive.ts'
import { lineOf, startReceiver, type DemoReceiver } from '../../demo/receiver/server.ts'
import { DEMO_PRODUCTS } from '../../demo/seed.ts'
import { productWithStock } from '../../demo/own-stock.sql.ts'
import { CHANGE_KINDS } from '../../model/change.ts'
import type { Runtime } from '../../runtime.ts'
import type { Service } from '../../service.ts'
import { keepNote, type DemoNote } from '../console/demo-note.ts'
import type { Ends } from './serve.ts'

// The demo's shop: an endpoint whose receiver runs beside the service and shows that webhooks arrive.

/** Deliveries with more products than this come from imports, not from somebody who tries the demo. */
const PRINTED_MAX = 10

export interface OpenShop extends DemoShop {
  /** The product that the greeting proposes to change. */
  productId: number
  /** Starts printing the deliveries that arrive. */
  print(): void
}

/**
 * Starts the shop's receiver, and creates its endpoint at the first start. @returns null if no port is free or the endpoint was deleted; the demo
 * then runs without its shop.
 */
export async function openShop(runtime: Runtime, note: DemoNote, closing: Ends[]): Promise<OpenShop | null> {
  const { db, endpoints, log, settings } = runtime
  const { accountId } = note
  let isPrinting = false
  const open = (port: number) =>
    startReceiver(port, (event) => {
      // not the deliveries that thousands of fetched pictures cause
      if (isPrinting && event.productIds.length <= PRINTED_MAX)
        process.stdout.write(`  webhook received  ${lineOf(event)}\n`)
    })
  const known = note.shop
  let receiver: DemoReceiver
  try {
    // another program may use the port by now
    receiver = await open(known?.port ?? 0).catch(() => open(0))
  } catch (error) {
    log.warn({ err: error }, 'the demo’s shop cannot listen for webhooks')
    return null
  }
  closing.push(() => receiver.close())
  try {
    let shop = known
    if (shop === undefined) {
      const made = await endpoints.create(accountId, { url: receiver.url, kinds: CHANGE_KINDS, storeId: null })
      shop = { ...made, port: receiver.port }
    } else if (shop.port !== receiver.port) {
      await endpoints.edit(accountId, shop.endpointId, { url: receiver.url })
      shop = { ...shop, port: receiver.port }
    }
    note.shop = shop
    if (shop !== known) await keepNote(settings.dataDir, note)
    receiver.trust(shop.secret)
    const productId = (await productWithStock(db, accountId)) ?? 1
    return { endpointId: shop.endpointId, receiver, productId, print: () => void (isPrinting = true) }
  } catch (error) {
    // its owner may have deleted the endpoint
    log.warn({ err: error }, 'the demo’s shop has no endpoint')
    return null
  }
}

/**
 * Creates the demo's past in the background of the running service, at the first start. @returns a function that stops it; the next start then
 * continues
 */
export function fillInBackground(runtime: Runtime, note: DemoNote, shop: OpenShop): Ends {
  const stopping = new AbortController()
  const work = async () => {
    const isMaking = note.hasPast !== true
    if (isMaking) {
      if (!(await fillHistory(runtime, note.accountId, DEMO_PRODUCTS, shop, stopping.signal))) return
      note.hasPast = true
      await keepNote(runtime.settings.dataDir, note)
    }
    shop.print()
    if (isMaking) await settlePictures(runtime.db, note.accountId, stopping.signal)
  }
  const working = work().catch((error: unknown) => {
    runtime.log.warn({ err: error }, 'the demo’s past could not be made; the next start tries again')
    shop.print()
  })
  return async () => {
    stopping.abort()
    await working
  }
}

/** The part of the greeting about webhooks. */
export function webhookGreeting({ accountId, fullToken }: DemoNote, { url }: Service, shop: OpenShop): string {
  return `See a webhook arrive: change a stock, here or in the panel, and the demo's shop is told within a second.

  curl -s -X PUT -H 'Authorization: Bearer ${fullToken}' -H 'Content-Type: application/json' -d "{\\"quantity\\": $(date +1%S)}" '${url}/v1/account/products/${shop.productId}/stock'
  curl -s ${new URL('/', shop.receiver.url).href}

The second lists what has arrived, with verified signatures; the endpoint's page shows the deliveries:
${url}/panel/${accountId}/endpoints/${shop.endpointId}

`
}
