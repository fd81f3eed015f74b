import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Command } from 'commander'
import ipaddr from 'ipaddr.js'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import {
  ageOf,
  verifyDelivery,
  readBodyMembers,
  readBody,
  readEnvelope,
  type Announced,
  type Envelope,
  type Verdict,
} from '../../webhooks/received-delivery.ts'
import { openPrinter, type Printer } from '../console/print.ts'
import { terminal } from '../console/terminal.ts'
import { wholeNumber } from '../console/write.ts'

// A webhook receiver for development: prints deliveries and whether their signatures are valid. It opens no database.

const SHOWN_IDS = 5
/** How many delivery ids are remembered to recognize repeated deliveries; the oldest are dropped. */
const REMEMBERED_MAX = 10_000

export function listenCommand(program: Command): void {
  program
    .command('listen')
    .description('receive webhooks for development: prints each delivery and whether its signature is valid')
    .option('--url <url>', 'where to listen (http; port 0: any free port)', 'http://127.0.0.1:9000/hook')
    .option(
      '--secret <secret>',
      'the endpoint’s secret; better set WEBHOOK_SECRET, which stays out of the shell’s history',
    )
    .option('--answer <status>', 'status code of the responses', '200')
    .option('--json', 'print one JSON object per delivery')
    .action(async (options: { url: string; secret?: string; answer: string; json?: true }) => {
      const url = listenUrl(options.url)
      const answer = wholeNumber('--answer', options.answer)
      if (answer < 200 || answer > 599)
        throw new ShelfwireError('invalid-input', `--answer takes a status from 200 to 599, not "${options.answer}"`)
      if (options.secret === '')
        throw new ShelfwireError(
          'invalid-input',
          '--secret is empty; leave it out to look at deliveries without verifying them',
        )
      const fromEnvironment = terminal().env['WEBHOOK_SECRET']
      const secret = options.secret ?? (fromEnvironment === '' ? undefined : fromEnvironment) ?? null
      await listen(
        url,
        openReceiver({ path: url.pathname, secret, answer, printer: openPrinter(options.json ?? false) }),
        secret !== null,
      )
    })
}

function listenUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' || url.username !== '' || url.password !== '') {
    throw new ShelfwireError(
      'invalid-input',
      `--url takes an address such as http://127.0.0.1:9000/hook, not "${text}"`,
    )
  }
  return url
}

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback')
}

/** Serves until SIGINT, SIGTERM or SIGHUP, or until standard output is closed. */
async function listen(
  url: URL,
  receive: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  isVerifying: boolean,
): Promise<void> {
  const host = bare(url.hostname)
  const server = createServer({ requestTimeout: LIMITS.requestTimeoutMs }, (request, response) => {
    // the sender disconnected in the middle of the body
    receive(request, response).catch(() => response.destroy())
  })
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    process.stdout.on('error', () => resolve())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new ShelfwireError('settings-invalid', cannotListen(url, host, asError(error)), { cause: error })),
    )
    server.listen(url.port === '' ? 80 : Number(url.port), host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const notes = [`listening on http://${url.hostname}:${port}${url.pathname}; Ctrl-C ends`]
  if (!isLoopback(host)) notes.push(`${host} is not a loopback address: other machines may reach this`)
  if (!isVerifying) notes.push('signatures are not verified: give the endpoint’s secret as WEBHOOK_SECRET or --secret')
  // on standard error, even with --json, because the URL is needed to register the endpoint
  process.stderr.write(`${notes.join('\n')}\n`)
  await ended
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

function cannotListen(url: URL, host: string, error: Error): string {
  const code = 'code' in error ? error.code : undefined
  const port = url.port === '' ? '80' : url.port
  if (code === 'EADDRINUSE')
    return `port ${port} of ${host} is already in use; stop what listens there, or give another in --url`
  if (code === 'EACCES')
    return `port ${port} of ${host} needs privileges that this user lacks; give 1024 or more in --url`
  return `cannot listen on ${host}, port ${port} of --url: ${error.message}`
}

interface Receiving {
  path: string
  /** null: signatures are not verified. */
  secret: string | null
  answer: number
  printer: Printer
}

function openReceiver({ path, secret, answer, printer }: Receiving) {
  const times = new Map<string, number>()
  /** How often a delivery has arrived, including this time. */
  const count = (deliveryId: string): number => {
    const seen = (times.get(deliveryId) ?? 0) + 1
    times.set(deliveryId, seen)
    const [oldest] = times.keys()
    if (times.size > REMEMBERED_MAX && oldest !== undefined) times.delete(oldest)
    return seen
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request)
    const refuse = (status: number, reason: string) => {
      printer.note(`${status} ${request.method} ${JSON.stringify((request.url ?? '').slice(0, 200))}: ${reason}`)
      response
        .writeHead(status, {
          'content-type': 'text/plain; charset=utf-8',
          ...(status === 405 ? { allow: 'POST' } : {}),
        })
        .end(`${reason}\n`)
    }
    if (request.url?.split('?', 1)[0] !== path) return refuse(404, `deliveries go to ${path}`)
    if (request.method !== 'POST') return refuse(405, 'deliveries are POST requests')
    if (body === null) return refuse(413, `the body has more than ${LIMITS.requestBodyBytesMax} bytes`)
    const now = new Date()
    const envelope = readEnvelope(request)
    const verdict = verifyDelivery(envelope, body, secret, now)
    // only valid deliveries are counted: others must not be able to make a real one look repeated
    const isTrusted = verdict.isGood !== false
    const seen = isTrusted && envelope.deliveryId !== null ? count(envelope.deliveryId) : 1
    const status = isTrusted ? answer : 401
    show(printer, { now, envelope, announced: readBodyMembers(body), verdict, seen, status })
    response.writeHead(status).end()
  }
}

interface Shown {
  now: Date
  envelope: Envelope
  announced: Announced
  verdict: Verdict
  /** How often this delivery has arrived. */
  seen: number
  status: number
}

function show(printer: Printer, { now, envelope, announced, verdict, seen, status }: Shown): void {
  const age = ageOf(envelope.timestamp, now)
  const { deliveryId, isTest } = envelope
  const { productIds } = announced
  printer.result(
    {
      receivedAt: now.toISOString(),
      deliveryId,
      ...announced,
      ageSeconds: age,
      isGood: verdict.isGood,
      reason: verdict.reason,
      isTest,
      seen,
      status,
    },
    [
      now.toTimeString().slice(0, 8),
      deliveryId?.slice(0, 8) ?? 'no-id',
      announced.event ?? 'no known event',
      announced.storeId === null ? 'store null' : `store ${announced.storeId}`,
      productIds === null ? 'no product_ids' : productsText(productIds),
      age === null ? 'no time' : `${age} s old`,
      verdictText(verdict),
      ...(isTest ? ['TEST'] : []),
      ...(seen > 1 ? [`DUPLICATE (time ${seen})`] : []),
      `answered ${status}`,
    ].join('  '),
  )
}

function productsText(ids: readonly number[]): string {
  const more = ids.length > SHOWN_IDS ? ', …' : ''
  const shown = ids.length === 0 ? '' : ` (${ids.slice(0, SHOWN_IDS).join(', ')}${more})`
  return `${ids.length} ${ids.length === 1 ? 'product' : 'products'}${shown}`
}

function verdictText({ isGood, reason }: Verdict): string {
  if (isGood === null) return `not verified: ${reason}`
  if (!isGood) return `signature BAD: ${reason}`
  return reason === null ? 'signature good' : `signature good (${reason})`
}
