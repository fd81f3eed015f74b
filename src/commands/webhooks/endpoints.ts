import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { formatTimestamp, parseTimestamp } from '../../platform/time/timestamp.ts'
import type { Runtime } from '../../runtime.ts'
import { endpointGet, endpointsList, type EndpointRow } from '../../webhooks/endpoints/endpoints.sql.ts'
import type { Rotation } from '../../webhooks/endpoints/endpoints.ts'
import { attemptsList, attemptsOf, deliveriesIn, type AttemptRow } from '../../webhooks/log/deliveries.sql.ts'
import { withAccountOptions } from '../accounts/accounts.ts'
import { named, STORE } from '../console/named.ts'
import type { Printer } from '../console/print.ts'
import { withRuntime } from '../console/run.ts'
import { idNumber, wholeNumber, type Common } from '../console/write.ts'
import { must } from '../../platform/must.ts'

interface OfEndpoint extends Common {
  endpoint: number
}

interface RotateOptions extends OfEndpoint {
  after?: number
  switchNow?: true
  cancel?: true
  leaked?: true
}

interface EditOptions {
  url?: string
  events?: string[]
  store?: string
  allStores?: true
}

interface AwaitingOptions extends OfEndpoint {
  wait: number
}

/** How long `endpoint test` and `endpoint redeliver` wait for a worker of the service to send the delivery. */
const WAIT_SECONDS_DEFAULT = 20
const POLL_MS = 100

/** Creates a command for one existing endpoint. */
type OfEndpointCommand = (name: string, description: string) => Command

export function endpointCommands(program: Command): void {
  const endpoint = program.command('endpoint').description('webhook endpoints')
  const ofEndpoint: OfEndpointCommand = (name, description) =>
    withAccountOptions(endpoint.command(name).description(description)).requiredOption(
      '--endpoint <id>',
      'endpoint',
      (text) => idNumber('--endpoint', text),
    )
  // in the order in which help lists them
  creation(
    withAccountOptions(
      endpoint
        .command('create')
        .description('create an endpoint for changes from now on; prints the signing secret, once'),
    ),
  )
  withAccountOptions(endpoint.command('list').description('list endpoints and their states')).action(printEndpoints)
  edition(ofEndpoint('edit', 'change the given fields of an endpoint'))
  for (const [name, isEnabled, description] of [
    ['enable', true, 'deliver again, from the position where it was disabled'],
    ['disable', false, 'deliver nothing; changes are kept until it is enabled again'],
  ] as const)
    ofEndpoint(name, description).action(
      changed((runtime, { account, endpoint: id }) => runtime.endpoints.setEnabled(account, id, isEnabled)),
    )
  ofEndpoint('delete', 'delete an endpoint with its log').action((options: OfEndpoint) =>
    withRuntime(options, async ({ runtime, printer }) => {
      await runtime.endpoints.remove(options.account, options.endpoint)
      printer.result({ deleted: options.endpoint }, `endpoint ${options.endpoint} deleted`)
    }),
  )
  rotation(ofEndpoint('rotate', 'create a new signing secret, which replaces the old one at a time of your choice'))
  ofEndpoint('resume', 'retry now instead of waiting for the next retry or the end of the cooldown').action(
    changed((runtime, { account, endpoint: id }) => runtime.endpoints.resume(account, id)),
  )
  awaiting(ofEndpoint('test', 'send a signed delivery without products')).action((options: AwaitingOptions) =>
    withRuntime(options, async ({ runtime, printer }) => {
      await awaitSent(runtime, printer, options, [await runtime.endpoints.test(options.account, options.endpoint)])
    }),
  )
  redelivery(ofEndpoint('redeliver', 'announce the products of a delivery again, or all changes since a time'))
  attemptLog(ofEndpoint('log', 'show recent attempts, newest first, and waiting and parked deliveries'))
}

/** Changes an endpoint and then prints it. */
const changed =
  <Options extends OfEndpoint>(change: (runtime: Runtime, options: Options) => Promise<unknown>) =>
  (options: Options) =>
    withRuntime(options, async ({ runtime, printer }) => {
      await change(runtime, options)
      await show(runtime, printer, options)
    })

const awaiting = (command: Command) =>
  command.option(
    '--wait <seconds>',
    'how long to wait until it is sent',
    (text) => wholeNumber('--wait', text),
    WAIT_SECONDS_DEFAULT,
  )

function creation(command: Command): void {
  command
    .requiredOption('--url <url>', 'where deliveries are posted')
    .requiredOption('--events <list>', 'comma-separated, of price, content, removed', list)
    .option('--store <slug>', 'only changes of this store')
    .action((options: Common & { url: string; events: string[]; store?: string }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { account, url, events: kinds, store } = options
        const storeId = store === undefined ? null : await storeNamed(runtime, account, store)
        const made = await runtime.endpoints.create(account, { url, kinds, storeId })
        printer.result({ ...made }, `endpoint ${made.endpointId} created; its secret, shown only now:\n${made.secret}`)
      }),
    )
}

const printEndpoints = (options: Common) =>
  withRuntime(options, async ({ runtime, printer }) => {
    const rows = await endpointsList(runtime.db, options.account)
    printer.result(
      { endpoints: rows.map((row) => ({ ...row, state: stateOf(row) })) },
      rows.length === 0 ? 'no endpoints' : rows.map(described).join('\n'),
    )
  })

function edition(command: Command): void {
  command
    .option('--url <url>', 'where deliveries are posted')
    .option('--events <list>', 'comma-separated, of price, content, removed', list)
    .option('--store <slug>', 'only changes of this store')
    .option('--all-stores', 'changes of all stores')
    .action(
      changed(async (runtime, options: OfEndpoint & EditOptions) => {
        const { account, endpoint, url, events, store, allStores } = options
        if (store !== undefined && allStores === true)
          throw new ShelfwireError('invalid-input', 'endpoint edit takes either --store or --all-stores')
        if (url === undefined && events === undefined && store === undefined && allStores === undefined) {
          throw new ShelfwireError(
            'invalid-input',
            'endpoint edit takes at least one of --url, --events, --store and --all-stores',
          )
        }
        await runtime.endpoints.edit(account, endpoint, {
          ...(url === undefined ? {} : { url }),
          ...(events === undefined ? {} : { kinds: events }),
          ...(store === undefined ? {} : { storeId: await storeNamed(runtime, account, store) }),
          ...(allStores === undefined ? {} : { storeId: null }),
        })
      }),
    )
}

const storeNamed = async (runtime: Runtime, account: number, slug: string) =>
  (await named(runtime.db, account, STORE, slug)).storeId

function rotation(command: Command): void {
  command
    .option(
      '--after <hours>',
      `when the new one begins to sign X-Service-Signature, 0 to ${LIMITS.webhookSwitchHoursMax} (default: ${LIMITS.webhookSecretOverlapHours})`,
      (text) => wholeNumber('--after', text),
    )
    .option('--switch-now', 'during a rotation: the new secret signs X-Service-Signature at once')
    .option('--cancel', 'during a rotation: delete the new secret, before it has begun to sign')
    .option('--leaked', 'the new one signs at once, and the old one never again')
    .action((options: RotateOptions) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { account, endpoint: id, after, switchNow, cancel, leaked } = options
        if ([after, switchNow, cancel, leaked].filter((option) => option !== undefined).length > 1) {
          throw new ShelfwireError(
            'invalid-input',
            'endpoint rotate takes at most one of --after, --switch-now, --cancel and --leaked',
          )
        }
        if (switchNow === true || cancel === true) {
          await (switchNow === true
            ? runtime.endpoints.switchSecret(account, id)
            : runtime.endpoints.cancelRotation(account, id))
          await show(runtime, printer, options)
          return
        }
        const hours = after ?? LIMITS.webhookSecretOverlapHours
        const made = await runtime.endpoints.rotate(account, id, leaked === true ? 'leaked' : hours)
        printer.result({ ...made }, `the new secret, shown only now:\n${made.secret}\n${schedule(made)}`)
      }),
    )
}

function redelivery(command: Command): void {
  awaiting(command)
    .option('--delivery <id>', 'delivery, as shown by endpoint log')
    .option('--since <time>', `RFC 3339, within the last ${LIMITS.webhookRewindDaysMax} days`)
    .action((options: AwaitingOptions & { delivery?: string; since?: string }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { account, endpoint: id, delivery } = options
        if ((delivery === undefined) === (options.since === undefined)) {
          throw new ShelfwireError('invalid-input', 'endpoint redeliver takes either --delivery or --since')
        }
        if (delivery !== undefined) {
          await awaitSent(runtime, printer, options, await runtime.endpoints.redeliver(account, id, delivery))
          return
        }
        const since = parseTimestamp(must(options.since))
        if (since === null)
          throw new ShelfwireError(
            'invalid-input',
            `--since takes a time with its offset, such as 2026-11-20T10:00:00Z, not "${options.since}"`,
          )
        await runtime.endpoints.rewind(account, id, since)
        await show(runtime, printer, options)
      }),
    )
}

function attemptLog(command: Command): void {
  command
    .option('--limit <number>', 'maximum number of attempts', (text) => wholeNumber('--limit', text), 20)
    .option('--before <attempt>', 'only attempts older than this one', (text) => wholeNumber('--before', text))
    .action((options: OfEndpoint & { limit: number; before?: number }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        await known(runtime, options)
        const { account, endpoint: id } = options
        const limit = Math.min(Math.max(1, options.limit), LIMITS.webhookLogPageMax)
        const [attempts, waiting, parked] = await Promise.all([
          attemptsList(runtime.db, account, id, { before: options.before, limit }),
          deliveriesIn(runtime.db, account, id, 'waiting', limit),
          deliveriesIn(runtime.db, account, id, 'parked', limit),
        ])
        const lines = [
          ...waiting.map(
            (row) =>
              `waiting  ${row.deliveryId} ${row.event}, ${counted(row.productIds.length)}, ${row.attempts} attempts so far`,
          ),
          ...parked.map(
            (row) =>
              `parked   ${row.deliveryId} ${row.event}, products ${row.productIds.join(', ')}: send again with endpoint redeliver --delivery`,
          ),
          ...attempts.map(attempted),
        ]
        printer.result({ attempts, waiting, parked }, lines.length === 0 ? 'nothing was sent yet' : lines.join('\n'))
      }),
    )
}

/** Describes which secret signs which header until when. */
function schedule({ switchAt, previousUntil }: Rotation): string {
  if (previousUntil === null) return 'the old one is no longer used'
  const until = formatTimestamp(previousUntil)
  if (switchAt === null)
    return `it signs X-Service-Signature; the old one signs X-Service-Signature-Previous until ${until}`
  return `until ${formatTimestamp(switchAt)} the old one signs X-Service-Signature and the new one X-Service-Signature-Next;
then the new one signs X-Service-Signature, and the old one X-Service-Signature-Previous until ${until}`
}

function list(text: string): string[] {
  return text.split(',').map((entry) => entry.trim())
}

function counted(products: number): string {
  return `${products} product${products === 1 ? '' : 's'}`
}

async function known(runtime: Runtime, { account, endpoint }: OfEndpoint): Promise<EndpointRow> {
  const row = await endpointGet(runtime.db, account, endpoint)
  if (row === undefined) throw new ShelfwireError('unknown-reference', `account ${account} has no endpoint ${endpoint}`)
  return row
}

async function show(runtime: Runtime, printer: Printer, options: OfEndpoint): Promise<void> {
  const row = await known(runtime, options)
  printer.result({ ...row, state: stateOf(row) }, described(row))
}

/** The state of an endpoint as its owner sees it. */
function stateOf(row: EndpointRow): 'disabled' | 'paused' | 'failing' | 'active' {
  if (!row.isEnabled) return 'disabled'
  if (row.pausedUntil !== null) return 'paused'
  return row.failures > 0 ? 'failing' : 'active'
}

function described(row: EndpointRow): string {
  const scope = row.storeId === null ? 'all stores' : `store ${row.storeId}`
  const pending =
    row.head > row.position
      ? row.pendingSince === null
        ? ', changes pending'
        : `, pending since ${formatTimestamp(row.pendingSince)}`
      : ''
  const failures = row.failures > 0 ? `, ${row.failures} failures in a row` : ''
  const next = row.retryAt === null ? '' : `, next attempt ${formatTimestamp(row.retryAt)}`
  const secret =
    row.switchAt !== null
      ? `, new secret from ${formatTimestamp(row.switchAt)}`
      : row.previousUntil !== null
        ? `, old secret until ${formatTimestamp(row.previousUntil)}`
        : ''
  const parked = row.parked > 0 ? `, ${row.parked} parked` : ''
  return `${row.endpointId}  ${stateOf(row)}  ${row.url}  ${row.kinds.join(',')} of ${scope}${failures}${next}${pending}${parked}${secret}`
}

function attempted(row: AttemptRow): string {
  const answer = row.status === null ? (row.fault ?? '') : String(row.status)
  const store = row.storeId === null ? 'all stores' : `store ${row.storeId}`
  const origin = row.origin === 'log' ? '' : ` (${row.origin})`
  return `${row.beganAt.toISOString()} ${row.outcome.padEnd(9)} ${answer} ${row.durationMs} ms ${row.deliveryId} ${row.event}, ${counted(row.products)} of ${store}${origin}`
}

/** Waits until a worker of the service has sent the delivery, and prints the result. */
async function awaitSent(
  runtime: Runtime,
  printer: Printer,
  options: AwaitingOptions,
  deliveryIds: readonly string[],
): Promise<void> {
  const first = must(deliveryIds[0])
  const until = performance.now() + 1_000 * options.wait
  let attempts = await attemptsOf(runtime.db, options.account, options.endpoint, first)
  while (attempts.length === 0 && performance.now() < until) {
    await sleep(POLL_MS)
    attempts = await attemptsOf(runtime.db, options.account, options.endpoint, first)
  }
  const [attempt] = attempts
  const outcome =
    attempt === undefined
      ? 'no worker has sent it yet; it is sent when the service runs with the work role'
      : `${attempt.outcome}: ${attempt.status ?? attempt.fault} after ${attempt.durationMs} ms`
  printer.result(
    { delivery_ids: deliveryIds, attempt: attempt ?? null },
    `delivery ${deliveryIds.join(', ')}\n${outcome}`,
  )
}
