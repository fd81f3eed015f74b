import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nowMs } from '../../platform/time/clock.ts'
import { LIMITS } from '../../platform/limits.ts'
import { verifyDelivery, readBodyMembers, readBody, readEnvelope } from '../../webhooks/received-delivery.ts'

/** A webhook as the demo's shop received it. */
export interface ReceivedEvent {
  at: Date
  /** The kind of change; `test` for a test delivery. */
  event: string
  storeId: number | null
  productIds: readonly number[]
  /** The status of the answer: 200, or 503 if the shop had been told to refuse the delivery. */
  status: number
}

/** A shop on this machine that receives the webhooks of the demo. */
export interface DemoReceiver {
  port: number
  /** The URL of the endpoint. */
  url: string
  /** The newest events, oldest first; EVENTS_KEPT at most. */
  events(): readonly ReceivedEvent[]
  /** Verifies signatures with this secret from now on; without one, every delivery is refused. */
  trust(secret: string): void
  /** Answers the next delivery with 503, as a shop does during an update. */
  refuseNext(): void
  close(): Promise<void>
}

const PATH = '/hook'
const EVENTS_KEPT = 200
const BUSY = 'The shop is closed for stocktaking.\n'

/**
 * Starts the shop on the loopback interface. It verifies every signature, keeps the last events in memory and shows them at `/` as text.
 * @param port 0: any.
 * @param onEvent called for each delivery with a valid signature.
 */
export async function startReceiver(port: number, onEvent: (event: ReceivedEvent) => void): Promise<DemoReceiver> {
  const events: ReceivedEvent[] = []
  let secret: string | null = null
  let isBusy = false
  const keep = (event: ReceivedEvent) => {
    events.push(event)
    if (events.length > EVENTS_KEPT) events.shift()
  }
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const say = (status: number, text: string) =>
      void response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
    if (request.method === 'GET' && request.url === '/') return say(200, listOf(events))
    if (request.url !== PATH) return say(404, `Deliveries go to ${PATH}; / lists what has arrived.\n`)
    if (request.method !== 'POST') return say(405, 'Deliveries are POST requests.\n')
    const body = await readBody(request)
    if (body === null) return say(413, 'The body is too long.\n')
    const at = new Date(nowMs())
    const envelope = readEnvelope(request)
    // without a secret, no signature is valid
    if (verifyDelivery(envelope, body, secret, at).isGood !== true) return say(401, 'The signature does not verify.\n')
    const status = isBusy ? 503 : 200
    isBusy = false
    const { event: kind, storeId, productIds } = readBodyMembers(body)
    const event = {
      at,
      event: envelope.isTest ? 'test' : (kind ?? 'unknown'),
      storeId,
      productIds: productIds ?? [],
      status,
    }
    keep(event)
    if (status === 200) onEvent(event)
    say(status, status === 200 ? 'Thank you.\n' : BUSY)
  }
  const server = createServer({ requestTimeout: LIMITS.requestTimeoutMs }, (request, response) => {
    // the sender disconnected in the middle of the body, or sent no JSON
    receive(request, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // the server alone does not keep the process running
  server.unref()
  const { port: found } = server.address() as AddressInfo
  return {
    port: found,
    url: `http://127.0.0.1:${found}${PATH}`,
    events: () => [...events],
    trust: (next) => void (secret = next),
    refuseNext: () => void (isBusy = true),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An event as one line of text. */
export function lineOf({ at, event, storeId, productIds, status }: ReceivedEvent): string {
  const products = `${productIds.length} ${productIds.length === 1 ? 'product' : 'products'}`
  const ids = productIds.length === 0 || productIds.length > 5 ? '' : ` (${productIds.join(', ')})`
  const store = storeId === null ? '' : `, store ${storeId}`
  const answer = status === 200 ? 'signature verified' : `answered ${status}`
  return `${at.toISOString().slice(11, 19)} UTC  ${event}${store}: ${products}${ids}, ${answer}`
}

const listOf = (events: readonly ReceivedEvent[]): string =>
  events.length === 0
    ? 'No webhook has arrived yet. Change a price or a stock in the panel.\n'
    : `${events.toReversed().map(lineOf).join('\n')}\n`
