import process from 'node:process'
import { errorOf } from '../error.ts'
import { codeOf } from '../targets/directory-lock.ts'
import { EXIT, Failure, usage } from './failure.ts'
import { contentOf, JSON_HELP, JSON_OPTION, parsed } from './options.ts'
import { Output } from './output.ts'

// Tests and redeliveries are requested with a link to the endpoint, which the account's owner makes in the panel for the developer of its
// receiver. The service accepts no token for them: a token belongs to a whole account and reads its catalog.

const LINK_OPTIONS = { ...JSON_OPTION, link: { type: 'string' }, 'link-file': { type: 'string' } } as const
const LINK_HELP = `  --link LINK          a link to the endpoint, which the account's owner makes in the panel ("Links for developers"). Better in SHELFWIRE_LINK, which
                       stays out of the shell's history. A token does not do: the service takes none for this
  --link-file FILE     the link is in a file
${JSON_HELP}`

export const TRIGGER = {
  summary: 'have the service send a test to an endpoint',
  help: `Usage: shelfwire-client trigger --link LINK [options]

Has the service send a signed test delivery, without products, to the endpoint, and prints what the receiver answered. Exit code 1: it did not
answer with 2xx.

${LINK_HELP}`,
}

export const REPLAY = {
  summary: 'have the service announce the products of earlier deliveries again',
  help: `Usage: shelfwire-client replay --link LINK (--delivery ID | --last NUMBER | --since TIME) [options]

Has the service announce the products of deliveries again, in their present state, oldest first, and prints what the receiver answered. Exit
code 1: a delivery was not sent again, or not answered with 2xx.

  --delivery ID        this one, as X-Service-Delivery has it; several times for several
  --last NUMBER        the latest ones, up to 500
  --since TIME         those since a time, such as 2026-11-23T14:00:00Z, up to 500
${LINK_HELP}`,
}

/** How many deliveries one command sends again at most. For more, the account's owner can set the endpoint back in time. */
const REPLAYED_MAX = 500
/** How long the service waits for the receiver's answer before it answers without one. */
const WAIT_SECONDS = 20
const REQUEST_MS = 60_000

interface Attempt {
  outcome: string
  duration_ms: number
  status: number | null
  fault: string | null
  answer: string | null
}
interface Queued {
  delivery_ids: string[]
  attempt: Attempt | null
}
interface Delivery {
  id: string
  number: number
  origin: string
  state: string
  created_at: string
}

export async function trigger(args: readonly string[], ending: AbortSignal): Promise<number> {
  const values = parsed(args, LINK_OPTIONS)
  const link = new Link(linkOf(values), ending)
  const output = new Output(values.json === true)
  return printAnswer(output, 'test', await link.post('/test')) ? EXIT.done : EXIT.unequal
}

export async function replay(args: readonly string[], ending: AbortSignal): Promise<number> {
  const values = parsed(args, {
    ...LINK_OPTIONS,
    delivery: { type: 'string', multiple: true },
    last: { type: 'string' },
    since: { type: 'string' },
  })
  const { delivery, last, since } = values
  if ([delivery, last, since].filter((one) => one !== undefined).length !== 1)
    throw usage('say what to send again: --delivery ID, --last NUMBER or --since TIME')
  const wanted = last === undefined ? null : lastOf(last)
  const from = since === undefined ? null : timeOf(since)
  const link = new Link(linkOf(values), ending)
  const output = new Output(values.json === true)
  const ids = delivery ?? (await link.deliveries(wanted, from))
  if (ids.length === 0) {
    output.event('nothing', {}, 'there is no delivery to send again')
    return EXIT.done
  }
  let isAnswered = true
  for (const id of ids) {
    ending.throwIfAborted()
    try {
      const path = `/deliveries/${encodeURIComponent(id)}/redeliver`
      isAnswered = printAnswer(output, 'replayed', await link.post(path), id) && isAnswered
    } catch (error) {
      // this delivery is still waiting, or the endpoint no longer subscribes to its products; the others are sent nevertheless
      if (!(error instanceof Failure) || !['conflict', 'unknown-reference'].includes(error.code)) throw error
      output.event(
        'not-replayed',
        { delivery: id, code: error.code, message: error.message },
        `${id}: not sent again: ${error.message}`,
      )
      isAnswered = false
    }
  }
  return isAnswered ? EXIT.done : EXIT.unequal
}

function lastOf(text: string): number {
  const wanted = Number(text)
  if (!/^\d{1,3}$/.test(text) || wanted < 1 || wanted > REPLAYED_MAX)
    throw usage(`--last takes a number from 1 to ${REPLAYED_MAX}`)
  return wanted
}

function timeOf(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw usage('--since takes a time with its offset, such as 2026-11-23T14:00:00Z')
  return time
}

/** @returns whether the receiver has answered with 2xx */
function printAnswer(
  output: Output,
  event: 'test' | 'replayed',
  { delivery_ids: deliveries, attempt }: Queued,
  of?: string,
): boolean {
  const isAnswered = attempt?.outcome === 'delivered'
  const what = of === undefined ? `test ${deliveries[0] ?? ''}` : `${of}: sent again as ${deliveries.join(', ')}`
  output.event(
    event,
    { ...(of === undefined ? {} : { of }), deliveries, is_answered: isAnswered, attempt },
    `${what}: ${attemptText(attempt)}`,
  )
  return isAnswered
}

function attemptText(attempt: Attempt | null): string {
  if (attempt === null)
    return `not tried within ${WAIT_SECONDS} s: deliveries before it wait, or the endpoint is disabled`
  const { status, fault, duration_ms: ms, outcome, answer } = attempt
  const said = answer === null || answer.trim() === '' ? '' : `: ${answer.trim().slice(0, 200)}`
  if (status !== null)
    return `${outcome === 'delivered' ? 'accepted' : 'NOT accepted'}, answered ${status} in ${ms} ms${said}`
  return `NOT accepted, no answer: ${fault ?? outcome}`
}

interface LinkAddress {
  /** The URL below which the routes for links are. */
  base: string
  token: string
}

/** Reads the link as the panel shows it: `PUBLIC_URL/panel/endpoint#TOKEN`. No error message repeats it, because it is a secret. */
function linkOf(values: { link?: string | undefined; 'link-file'?: string | undefined }): LinkAddress {
  const { link, 'link-file': file } = values
  if (link !== undefined && file !== undefined) throw usage('give --link or --link-file, not both')
  const text = (link ?? (file === undefined ? process.env['SHELFWIRE_LINK'] : contentOf(file, '--link-file')))?.trim()
  if (text === undefined || text === '')
    throw usage(
      "give a link to the endpoint: SHELFWIRE_LINK, --link-file FILE or --link LINK. The account's owner makes one on the endpoint's page in the panel; the service takes no token for this",
    )
  const url = URL.canParse(text) ? new URL(text) : null
  const token = url?.hash.slice(1) ?? ''
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    !url.pathname.endsWith('/panel/endpoint') ||
    !/^[\w-]+$/.test(token)
  )
    throw usage('a link to an endpoint looks like https://catalog.example/panel/endpoint#…: was it copied whole?')
  return { base: `${url.origin}${url.pathname.replace(/endpoint$/, 'api/linked-endpoint')}`, token }
}

class Link {
  readonly #address: LinkAddress
  readonly #ending: AbortSignal

  constructor(address: LinkAddress, ending: AbortSignal) {
    this.#address = address
    this.#ending = ending
  }

  async post(path: string): Promise<Queued> {
    return (await this.#send<{ data: Queued }>('POST', `${path}?wait=${WAIT_SECONDS}`)).data
  }

  /** The ids of deliveries that can be sent again, oldest first. @throws Failure where there are more than `REPLAYED_MAX` */
  async deliveries(last: number | null, since: number | null): Promise<string[]> {
    const ids: string[] = []
    for (let before: number | null = null; ;) {
      const page: string = before === null ? '' : `&before=${before}`
      const { data, meta } = await this.#send<{ data: Delivery[]; meta: { next_before: number | null } }>(
        'GET',
        `/deliveries?per_page=200${page}`,
      )
      for (const { id, origin, state, created_at: createdAt } of data) {
        if (since !== null && Date.parse(createdAt) < since) return ids.reverse()
        if (origin === 'test' || state === 'waiting') continue
        if (ids.length === REPLAYED_MAX)
          throw usage(
            `there are more than ${REPLAYED_MAX} deliveries since then: give a later --since, or ask the account's owner to set the endpoint back in time`,
          )
        ids.push(id)
        if (ids.length === last) return ids.reverse()
      }
      before = meta.next_before
      if (before === null) return ids.reverse()
    }
  }

  async #send<T>(method: 'GET' | 'POST', path: string): Promise<T> {
    const { base, token } = this.#address
    const signal = AbortSignal.any([this.#ending, AbortSignal.timeout(REQUEST_MS)])
    // not retried: each request makes a delivery
    const response = await fetch(base + path, {
      method,
      headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
      signal,
    }).catch((error: unknown) => {
      this.#ending.throwIfAborted()
      const { cause } = error as { cause?: unknown }
      const reason = codeOf(cause) ?? (error as Error).message
      throw new Failure(EXIT.unavailable, 'no-answer', `${new URL(base).origin} does not answer (${reason})`, error)
    })
    if (!response.ok) throw refusalOf(await errorOf(response))
    return (await response.json()) as T
  }
}

function refusalOf(error: Awaited<ReturnType<typeof errorOf>>): Failure {
  const { code, message } = error
  if (code === 'link-ended')
    return new Failure(EXIT.refused, code, "this link has ended: ask the account's owner for a new one", error)
  return new Failure(error.isPassing ? EXIT.unavailable : EXIT.refused, code, message, error)
}
