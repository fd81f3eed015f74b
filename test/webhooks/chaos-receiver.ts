import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A received delivery. */
export interface Arrival {
  path: string
  deliveryId: string
  event: string
  storeId: number | null
  productIds: number[]
  body: string
  /** Date.now() when its last byte arrived. */
  at: number
  /** The second in which it was signed, which is when sending began. A busy receiver gets it much later. */
  sentAt: number
}

/** How a delivery is treated: answered with a status after a delay, or the connection is reset. */
export type Treatment = { status: number; delayMs: number } | { status: null; delayMs: number }

export interface ChaosReceiver extends AsyncDisposable {
  url: string
  /** Deliveries that were open at a path when another one arrived, although their sender had not disconnected. */
  overlaps: string[]
}

interface Open {
  deliveryId: string
  socket: Socket
  /** Its sender closed the connection before it was answered: it was killed, or gave up. */
  isLeft: boolean
}

/** The time that it may take to notice the end of a killed sender's connection. */
const HEARD_MS = 250

/**
 * A receiver with a path per endpoint.
 * @param arrive called before anything is answered; @param acknowledged called right before a 2xx is written.
 */
export async function startChaosReceiver(
  arrive: (arrival: Arrival) => Promise<Treatment>,
  acknowledged: (arrival: Arrival) => void,
): Promise<ChaosReceiver> {
  const open = new Map<string, Set<Open>>()
  const overlaps: string[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://receiver').pathname
    const own: Open = {
      deliveryId: String(request.headers['x-service-delivery']),
      socket: request.socket,
      isLeft: false,
    }
    const here = open.get(path) ?? new Set()
    open.set(path, here)
    for (const other of here) {
      // a connection carries one request at a time, so an earlier one on the same connection has ended
      if (other.socket === own.socket) continue
      // after unread data of the event loop: if it was busy, timers run before reads
      setTimeout(() => {
        setImmediate(() => {
          if (!other.isLeft) overlaps.push(`${path}: ${own.deliveryId} came while ${other.deliveryId} was in flight`)
        })
      }, HEARD_MS)
    }
    here.add(own)
    const leave = () => {
      own.isLeft = true
      here.delete(own)
    }
    request.socket.once('close', leave)
    const end = () => {
      request.socket.off('close', leave)
      here.delete(own)
    }
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('error', () => {})
    response.on('error', () => {})
    request.on('end', () => {
      void (async () => {
        const body = Buffer.concat(parts).toString()
        const sent = JSON.parse(body) as { event: string; store_id: number | null; product_ids: number[] }
        const arrival = {
          path,
          deliveryId: own.deliveryId,
          event: sent.event,
          storeId: sent.store_id,
          productIds: sent.product_ids,
          body,
          at: Date.now(),
          sentAt: Number(request.headers['x-service-timestamp']) * 1_000,
        }
        const { status, delayMs } = await arrive(arrival)
        if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
        if (own.isLeft) return
        end()
        if (status === null) {
          request.socket.resetAndDestroy()
          return
        }
        if (status >= 200 && status <= 299) acknowledged(arrival)
        response.writeHead(status).end()
      })()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    overlaps,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
