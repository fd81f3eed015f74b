import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { accountGet } from '../accounts/store.ts'
import { storesList } from '../catalog/stores/store.ts'
import { HouseError } from '../ground/errors.ts'
import { LIMITS } from '../ground/limits.ts'
import { formatTimestamp, parseTimestamp } from '../ground/timestamp.ts'
import type { House } from '../house.ts'
import { endpointGet, endpointsList, type EndpointRow } from '../webhooks/endpoints/store.ts'
import { attemptsList, attemptsOf, deliveriesIn, type AttemptRow } from '../webhooks/log/store.ts'
import { ofAccount } from './accounts.ts'
import type { Printer } from './print.ts'
import { withHouse } from './run.ts'
import { wholeNumber, type Common } from './write.ts'

interface OfEndpoint extends Common {
  endpoint: number
}

interface OfSending extends OfEndpoint {
  wait: number
}

/** How long `endpoint test` and `endpoint redeliver` wait for a worker of the service to have sent. */
const SENT_WITHIN_SECONDS = 20
const LOOK_MS = 100

export function endpointCommands(program: Command): void {
  const endpoint = program.command('endpoint').description('webhook endpoints')
  const ofEndpoint = (name: string, description: string) =>
    ofAccount(endpoint.command(name).description(description)).requiredOption('--endpoint <id>', 'endpoint', (text) => wholeNumber('--endpoint', text))
  const ofSending = (name: string, description: string) =>
    ofEndpoint(name, description).option('--wait <seconds>', 'how long to wait until it is sent', (text) => wholeNumber('--wait', text), SENT_WITHIN_SECONDS)

  ofAccount(endpoint.command('create').description('tell a URL what changes from now on; prints the signing secret, once'))
    .requiredOption('--url <url>', 'where deliveries are posted')
    .requiredOption('--events <list>', 'comma-separated, of price, content, removed', list)
    .option('--store <slug>', 'of one store only')
    .action((options: Common & { url: string; events: string[]; store?: string }) =>
      withHouse(options.json, async ({ house, printer }) => {
        const storeId = options.store === undefined ? null : await storeOf(house, options.account, options.store)
        const made = await house.endpoints.create(options.account, { url: options.url, kinds: options.events, storeId })
        printer.result({ ...made }, `endpoint ${made.endpointId} is made; its secret, shown only now:\n${made.secret}`)
      }),
    )

  ofAccount(endpoint.command('list').description('endpoints and where each one stands')).action((options: Common) =>
    withHouse(options.json, async ({ house, printer }) => {
      if ((await accountGet(house.db, options.account)) === undefined) throw new HouseError('unknown-account', `there is no account ${options.account}`)
      const rows = await endpointsList(house.db, options.account)
      printer.result(
        { endpoints: rows.map((row) => ({ ...row, state: stateOf(row) })) },
        rows.length === 0 ? 'no endpoints' : rows.map(described).join('\n'),
      )
    }),
  )

  ofEndpoint('edit', 'change what an endpoint is told, and where; what is not named stays')
    .option('--url <url>', 'where deliveries are posted')
    .option('--events <list>', 'comma-separated, of price, content, removed', list)
    .option('--store <slug>', 'of one store only')
    .option('--all-stores', 'of all stores')
    .action((options: OfEndpoint & { url?: string; events?: string[]; store?: string; allStores?: true }) =>
      withHouse(options.json, async ({ house, printer }) => {
        const { url, events, store: slug, allStores } = options
        if (slug !== undefined && allStores === true) throw new HouseError('invalid-input', 'endpoint edit takes either --store or --all-stores')
        if (url === undefined && events === undefined && slug === undefined && allStores === undefined) {
          throw new HouseError('invalid-input', 'endpoint edit takes at least one of --url, --events, --store and --all-stores')
        }
        const store = options.store === undefined ? {} : { storeId: await storeOf(house, options.account, options.store) }
        await house.endpoints.edit(options.account, options.endpoint, {
          ...(options.url === undefined ? {} : { url: options.url }),
          ...(options.events === undefined ? {} : { kinds: options.events }),
          ...(options.allStores === true ? { storeId: null } : store),
        })
        await show(house, printer, options)
      }),
    )

  for (const [name, isEnabled, description] of [
    ['enable', true, 'deliver again, from where it was'],
    ['disable', false, 'deliver nothing; what changes meanwhile waits'],
  ] as const) {
    ofEndpoint(name, description).action((options: OfEndpoint) =>
      withHouse(options.json, async ({ house, printer }) => {
        await house.endpoints.setEnabled(options.account, options.endpoint, isEnabled)
        await show(house, printer, options)
      }),
    )
  }

  ofEndpoint('delete', 'delete an endpoint with its log').action((options: OfEndpoint) =>
    withHouse(options.json, async ({ house, printer }) => {
      await house.endpoints.remove(options.account, options.endpoint)
      printer.result({ deleted: options.endpoint }, `endpoint ${options.endpoint} is deleted`)
    }),
  )

  ofEndpoint('rotate', 'make a new signing secret; the old one signs beside it for a day')
    .option('--leaked', 'cut the old one off at once')
    .action((options: OfEndpoint & { leaked?: true }) =>
      withHouse(options.json, async ({ house, printer }) => {
        const { secret, previousUntil } = await house.endpoints.rotate(options.account, options.endpoint, options.leaked === true)
        const old = previousUntil === null ? 'the old one signs no more' : `the old one signs X-Service-Signature-Previous until ${formatTimestamp(previousUntil)}`
        printer.result({ secret, previous_until: previousUntil }, `the new secret, shown only now:\n${secret}\n${old}`)
      }),
    )

  ofEndpoint('resume', 'try now what waits for a retry or a cooldown').action((options: OfEndpoint) =>
    withHouse(options.json, async ({ house, printer }) => {
      await house.endpoints.resume(options.account, options.endpoint)
      await show(house, printer, options)
    }),
  )

  ofSending('test', 'send a signed delivery without products').action((options: OfSending) =>
    withHouse(options.json, async ({ house, printer }) => {
      await tellSent(house, printer, options, [await house.endpoints.test(options.account, options.endpoint)])
    }),
  )

  ofSending('redeliver', 'announce the products of a delivery by their current state, or everything since a time')
    .option('--delivery <id>', 'delivery, as «endpoint log» shows it')
    .option('--since <time>', `RFC 3339, within the last ${LIMITS.webhookRewindDaysMax} days`)
    .action((options: OfSending & { delivery?: string; since?: string }) =>
      withHouse(options.json, async ({ house, printer }) => {
        if ((options.delivery === undefined) === (options.since === undefined)) {
          throw new HouseError('invalid-input', 'endpoint redeliver takes either --delivery or --since')
        }
        if (options.delivery !== undefined) {
          await tellSent(house, printer, options, await house.endpoints.redeliver(options.account, options.endpoint, options.delivery))
          return
        }
        const since = parseTimestamp(options.since ?? '')
        if (since === null) throw new HouseError('invalid-input', `--since takes a time with its offset, such as 2026-11-20T10:00:00Z, not «${options.since}»`)
        await house.endpoints.rewind(options.account, options.endpoint, since)
        await show(house, printer, options)
      }),
    )

  ofEndpoint('log', 'recent attempts, newest first, and what waits or was set aside')
    .option('--limit <number>', 'attempts', (text) => wholeNumber('--limit', text), 20)
    .option('--before <attempt>', 'older than this attempt', (text) => wholeNumber('--before', text))
    .action((options: OfEndpoint & { limit: number; before?: number }) =>
      withHouse(options.json, async ({ house, printer }) => {
        await known(house, options)
        const { account, endpoint: id } = options
        const limit = Math.min(Math.max(1, options.limit), LIMITS.webhookLogPageMax)
        const [attempts, waiting, parked] = await Promise.all([
          attemptsList(house.db, account, id, { before: options.before, limit }),
          deliveriesIn(house.db, account, id, 'waiting', limit),
          deliveriesIn(house.db, account, id, 'parked', limit),
        ])
        const lines = [
          ...waiting.map((row) => `waiting  ${row.deliveryId} ${row.event}, ${counted(row.productIds.length)}, ${row.attempts} attempts so far`),
          ...parked.map((row) => `parked   ${row.deliveryId} ${row.event}, products ${row.productIds.join(', ')}: send again with endpoint redeliver --delivery`),
          ...attempts.map(attempted),
        ]
        printer.result({ attempts, waiting, parked }, lines.length === 0 ? 'nothing was sent yet' : lines.join('\n'))
      }),
    )
}

function list(text: string): string[] {
  return text.split(',').map((entry) => entry.trim())
}

function counted(products: number): string {
  return `${products} product${products === 1 ? '' : 's'}`
}

/** A store by its slug, or by its number as other commands name it. */
async function storeOf(house: House, accountId: number, name: string): Promise<number> {
  const stores = await storesList(house.db, accountId)
  const store = stores.find((row) => row.slug === name) ?? stores.find((row) => String(row.storeId) === name)
  if (store === undefined) throw new HouseError('unknown-store', `account ${accountId} has no store «${name}»`)
  return store.storeId
}

async function known(house: House, { account, endpoint }: OfEndpoint): Promise<EndpointRow> {
  const row = await endpointGet(house.db, account, endpoint)
  if (row === undefined) throw new HouseError('unknown-reference', `account ${account} has no endpoint ${endpoint}`)
  return row
}

async function show(house: House, printer: Printer, options: OfEndpoint): Promise<void> {
  const row = await known(house, options)
  printer.result({ ...row, state: stateOf(row) }, described(row))
}

/** What an owner would say of it in one word. */
function stateOf(row: EndpointRow): 'disabled' | 'paused' | 'failing' | 'active' {
  if (!row.isEnabled) return 'disabled'
  if (row.pausedUntil !== null) return 'paused'
  return row.failures > 0 ? 'failing' : 'active'
}

function described(row: EndpointRow): string {
  const scope = row.storeId === null ? 'all stores' : `store ${row.storeId}`
  const pending = row.head > row.position ? (row.pendingSince === null ? ', changes pending' : `, pending since ${formatTimestamp(row.pendingSince)}`) : ''
  const failures = row.failures > 0 ? `, ${row.failures} failures in a row` : ''
  const next = row.retryAt === null ? '' : `, next attempt ${formatTimestamp(row.retryAt)}`
  const parked = row.parked > 0 ? `, ${row.parked} parked` : ''
  return `${row.endpointId}  ${stateOf(row)}  ${row.url}  ${row.kinds.join(',')} of ${scope}${failures}${next}${pending}${parked}`
}

function attempted(row: AttemptRow): string {
  const answer = row.status === null ? (row.fault ?? '') : String(row.status)
  const store = row.storeId === null ? 'all stores' : `store ${row.storeId}`
  const origin = row.origin === 'log' ? '' : ` (${row.origin})`
  return `${row.beganAt.toISOString()} ${row.outcome.padEnd(9)} ${answer} ${row.durationMs} ms ${row.deliveryId} ${row.event}, ${counted(row.products)} of ${store}${origin}`
}

/** Waits for a worker of the service to send, and tells what came of it. */
async function tellSent(house: House, printer: Printer, options: OfSending, deliveryIds: readonly string[]): Promise<void> {
  const [first = ''] = deliveryIds
  const until = performance.now() + 1_000 * options.wait
  let attempts = await attemptsOf(house.db, options.account, options.endpoint, first)
  while (attempts.length === 0 && performance.now() < until) {
    await sleep(LOOK_MS)
    attempts = await attemptsOf(house.db, options.account, options.endpoint, first)
  }
  const [attempt] = attempts
  const said =
    attempt === undefined
      ? 'no worker has sent it yet; it goes out when the service runs with the work role'
      : `${attempt.outcome}: ${attempt.status ?? attempt.fault} after ${attempt.durationMs} ms`
  printer.result({ delivery_ids: deliveryIds, attempt: attempt ?? null }, `delivery ${deliveryIds.join(', ')}\n${said}`)
}
