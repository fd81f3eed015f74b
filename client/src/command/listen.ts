import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { codeOf } from '../targets/directory-lock.ts'
import { webhookHandler, type WebhookEvent } from '../webhooks/verify.ts'
import { EXIT, usage, type Failure } from './failure.ts'
import { contentOf, JSON_HELP, JSON_OPTION, parsed } from './options.ts'
import { counted, Output } from './output.ts'

export const LISTEN = {
  summary: 'receive webhooks on this machine, and say which are signed and which are not',
  help: `Usage: shelfwire-client listen --secret SECRET [options]

Receives webhooks at any path, prints each, and answers 204, or 401 to what is not signed with the endpoint's secret. Ctrl-C ends it.

  --port NUMBER        where to listen; 9000 unless it is given, 0: any that is free
  --host HOST          of this machine; 127.0.0.1 unless it is given, which no other machine reaches
  --secret SECRET      the endpoint's secret; twice while it is replaced. Better in WEBHOOK_SECRET, which stays out of the shell's history
  --secret-file FILE   the secret is in a file
${JSON_HELP}`,
}

/** How long a request may take to arrive completely; then its connection is closed. */
const REQUEST_MS = 30_000
/** How many delivery ids are remembered, to mark deliveries that arrive again. */
const REMEMBERED = 10_000
const SHOWN_IDS = 5
/** How many characters of a delivery's id are shown; the service's ids have 36. */
const DELIVERY_MAX = 100

export async function listen(args: readonly string[], ending: AbortSignal): Promise<number> {
  const values = parsed(args, {
    ...JSON_OPTION,
    port: { type: 'string' },
    host: { type: 'string' },
    secret: { type: 'string', multiple: true },
    'secret-file': { type: 'string' },
  })
  const secrets = secretsOf(values.secret, values['secret-file'])
  const port = portOf(values.port ?? '9000')
  const host = values.host ?? '127.0.0.1'
  const output = new Output(values.json === true)
  const receiver = new Receiver(secrets, output)
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    // the sender has closed the connection
    receiver.receive(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)))
    server.listen(port, host, resolve)
  })
  const at = server.address() as AddressInfo
  const shown = at.family === 'IPv6' ? `[${at.address}]` : at.address
  const url = `http://${shown}:${at.port}/`
  output.event('listening', { url }, null)
  if (!output.isJson) output.note(`listening on ${url}; Ctrl-C ends`)
  if (!/^(127\.|::1$)/.test(at.address)) output.note(`${at.address} is not only of this machine: others may reach it`)
  await new Promise<void>((resolve) => {
    if (ending.aborted) resolve()
    ending.addEventListener('abort', () => resolve(), { once: true })
  })
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
  return EXIT.done
}

function secretsOf(given: readonly string[] | undefined, file: string | undefined): string[] {
  const fromEnvironment = process.env['WEBHOOK_SECRET']
  const secrets = [
    ...(given ?? []),
    ...(file === undefined ? [] : [contentOf(file, '--secret-file')]),
    ...(given === undefined && file === undefined && fromEnvironment !== undefined ? [fromEnvironment] : []),
  ].map((secret) => secret.trim())
  if (secrets.length === 0 || secrets.includes(''))
    throw usage(
      "give the endpoint's secret: WEBHOOK_SECRET, --secret-file FILE or --secret SECRET. It was shown once, when the endpoint was made",
    )
  return secrets
}

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw usage('--port takes a number up to 65535')
  return port
}

function cannotListen(error: Error, host: string, port: number): Failure {
  const code = codeOf(error)
  if (code === 'EADDRINUSE')
    return usage(`port ${port} of ${host} is in use: end what listens there, or give another --port`)
  if (code === 'EACCES') return usage(`this user may not listen on port ${port}: give 1024 or more`)
  return usage(`cannot listen on ${host}, port ${port}: ${error.message}`)
}

/** How `webhookHandler` judged a delivery. */
interface Verdict {
  status: number
  /** Only of a signed delivery that is no test. */
  event: WebhookEvent | null
  /** Why the delivery was refused; null: it was accepted. */
  reason: string | null
}

class Receiver {
  readonly #secrets: readonly string[]
  readonly #output: Output
  readonly #times = new Map<string, number>()

  constructor(secrets: readonly string[], output: Output) {
    this.#secrets = secrets
    this.#output = output
  }

  async receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.method !== 'POST') {
      incoming.resume()
      response.writeHead(405, { allow: 'POST' }).end('deliveries are POST requests\n')
      return
    }
    const request = requestOf(incoming)
    const verdict = await this.#judge(request)
    this.#show(request.headers, verdict)
    const { status, reason } = verdict
    // the rest of a body that is too long is not read
    response.writeHead(status, status === 413 ? { connection: 'close' } : {}).end(reason ?? undefined)
  }

  async #judge(request: Request): Promise<Verdict> {
    let event: WebhookEvent | null = null
    const handle = webhookHandler(this.#secrets, (one) => void (event = one))
    try {
      const { headers } = request
      const answer = await handle(request)
      const text = await answer.text()
      // signed, but not a body that the service sends
      if (event !== null && !Array.isArray((event as WebhookEvent).product_ids))
        return { status: 400, event: null, reason: 'the body is no delivery: product_ids is no list' }
      return { status: answer.status, event, reason: text === '' ? null : explained(text, headers) }
    } catch (error) {
      // signed, but the body is not JSON
      return { status: 400, event: null, reason: `the body is no delivery: ${(error as Error).message}` }
    }
  }

  #show(headers: Headers, { status, event, reason }: Verdict): void {
    const time = new Date()
    const clock = time.toTimeString().slice(0, 8)
    // an unsigned request may carry a header of any length
    const delivery = headers.get('x-service-delivery')?.slice(0, DELIVERY_MAX) ?? null
    if (reason !== null) {
      const fields = { time: time.toISOString(), delivery, status, reason }
      this.#output.event(
        'refused',
        fields,
        `${clock}  REFUSED, answered ${status}: ${reason}  delivery ${delivery ?? 'without id'}`,
      )
      return
    }
    // only signed deliveries are counted: a forged one must not make a real one look repeated
    const seen = delivery === null ? 1 : this.#count(delivery)
    const isTest = event === null
    const fields = {
      time: time.toISOString(),
      delivery,
      change: event?.event ?? null,
      store_id: event?.store_id ?? null,
      product_ids: event?.product_ids ?? [],
      occurred_at: event?.occurred_at ?? null,
      is_test: isTest,
      seen,
      status,
    }
    const what = event === null ? 'TEST' : `${event.event}  ${storeText(event)}  ${productsText(event)}`
    const again = seen > 1 ? `  AGAIN (time ${seen})` : ''
    this.#output.event(
      'delivery',
      fields,
      `${clock}  ${what}  signed, answered ${status}  delivery ${delivery ?? 'without id'}${again}`,
    )
  }

  /** How often a delivery has arrived, this time included. */
  #count(delivery: string): number {
    const seen = (this.#times.get(delivery) ?? 0) + 1
    this.#times.set(delivery, seen)
    const [oldest] = this.#times.keys()
    if (this.#times.size > REMEMBERED && oldest !== undefined) this.#times.delete(oldest)
    return seen
  }
}

const storeText = ({ store_id: id }: WebhookEvent) => (id === null ? 'all stores' : `store ${String(id)}`)

function productsText({ product_ids: ids }: WebhookEvent): string {
  const more = ids.length > SHOWN_IDS ? ', …' : ''
  return `${counted(ids.length, 'product', 'products')} (${ids.slice(0, SHOWN_IDS).join(', ')}${more})`
}

/** The reason of a refusal, with its likely cause for the receiver's developer. */
function explained(reason: string, headers: Headers): string {
  if (!reason.startsWith('no signature')) return reason
  const sent = ['x-service-signature', 'x-service-signature-next', 'x-service-signature-previous']
  return sent.some((name) => headers.has(name))
    ? `${reason}: it was made with another secret, or the body was changed on its way`
    : `${reason}: X-Service-Signature is missing`
}

/** Converts Node's request to the `Request` that `webhookHandler` takes. */
function requestOf(incoming: IncomingMessage): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  // a handler that stops reading early must not close the connection on which it answers
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      const { done, value } = await chunks.next()
      if (done === true) stream.close()
      else stream.enqueue(value)
    },
    cancel() {
      incoming.resume()
    },
  })
  return new Request('http://receiver/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
}
