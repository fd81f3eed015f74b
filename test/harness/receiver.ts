import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery as received. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  /** The raw body as text. */
  body: string
  event: string
  storeId: number | null
  productIds: number[]
  /** The X-Service-Delivery header. */
  deliveryId: string
  /** performance.now() when the last byte was received. */
  at: number
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
  /** Milliseconds to wait before answering. */
  delayMs?: number
}

export interface Receiver extends AsyncDisposable {
  /** Without a path. */
  url: string
  received: Received[]
  /** The response from now on; a function is called for each delivery. */
  answer: Answer | ((delivery: Received) => Answer | Promise<Answer>)
  /** The maximum number of requests that one path had open at the same time. */
  inFlightMax: () => number
  /** Deliveries at a path. */
  at(path: string): Received[]
}

/** Starts a webhook receiver on a free port of the loopback interface; it responds with 200 unless `answer` is changed. */
export async function startReceiver(): Promise<Receiver> {
  const open = new Map<string, number>()
  let most = 0
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const now = (open.get(path) ?? 0) + 1
    open.set(path, now)
    most = Math.max(most, now)
    // a request whose connection was closed by its sender is no longer in flight
    let isLeft = false
    const leave = () => {
      if (!isLeft) open.set(path, (open.get(path) ?? 1) - 1)
      isLeft = true
    }
    request.socket.once('close', leave)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('error', () => {})
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const sent = JSON.parse(body) as { event: string; store_id: number | null; product_ids: number[] }
      const delivery: Received = {
        path,
        headers: request.headers,
        body,
        event: sent.event,
        storeId: sent.store_id,
        productIds: sent.product_ids,
        deliveryId: String(request.headers['x-service-delivery']),
        at: performance.now(),
      }
      receiver.received.push(delivery)
      void (async () => {
        const answer = typeof receiver.answer === 'function' ? await receiver.answer(delivery) : receiver.answer
        if (answer.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, answer.delayMs))
        request.socket.off('close', leave)
        leave()
        response.writeHead(answer.status, answer.headers).end(answer.body ?? '')
      })()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: { status: 200 },
    inFlightMax: () => most,
    at: (path) => receiver.received.filter((delivery) => delivery.path === path),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
