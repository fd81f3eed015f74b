import { openLog } from '../../src/platform/log.ts'
import { openSeal, type Seal } from '../../src/platform/secrets/seal.ts'
import { openOutbound, type Outbound } from '../../src/outbound/client.ts'
import { startDeliverer, type Deliverer, type DelivererOptions } from '../../src/webhooks/deliver/loop.ts'
import { Endpoints } from '../../src/webhooks/endpoints/endpoints.ts'
import type { Bench } from './account.ts'

/** The SECRET_KEY of tests. */
export const TEST_KEY = 'a test key of at least thirty-two'.replaceAll(' ', '-')

export interface Webhooks extends AsyncDisposable {
  seal: Seal
  outbound: Outbound
  endpoints: Endpoints
  /** Starts a delivery loop, as a further process would; it is stopped on disposal. */
  deliver(over?: Partial<DelivererOptions>): Deliverer
}

/** Opens webhooks on a test database; receivers on this machine are allowed. */
export function openWebhooks(bench: Bench, allow: readonly string[] = ['127.0.0.0/8', '::1/128']): Webhooks {
  const seal = openSeal([TEST_KEY])
  const outbound = openOutbound({ allow, userAgent: 'Shelfwire/test' })
  const loops: Deliverer[] = []
  return {
    seal,
    outbound,
    endpoints: new Endpoints(bench.db, bench.wake, seal, outbound),
    deliver(over = {}) {
      const loop = startDeliverer({
        db: bench.db,
        wake: bench.wake,
        log: openLog(process.env['TEST_LOG'] === undefined ? 'silent' : 'debug'),
        outbound,
        seal,
        ...over,
      })
      loops.push(loop)
      return loop
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(loops.map((loop) => loop.stop()))
      await outbound.close()
    },
  }
}
