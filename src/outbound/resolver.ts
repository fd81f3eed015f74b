import { lookup as systemLookup, Resolver as NameServerClient } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { asError } from '../platform/errors.ts'

/** One address of a name. */
export interface Found {
  address: string
  family: 4 | 6
}

export interface Resolver {
  /**
   * All addresses of a name, at least one, IPv4 first. Nothing is cached.
   * @throws ResolveError, of kind `resolver` if `signal` is aborted
   */
  resolve(name: string, signal: AbortSignal): Promise<Found[]>
}

/**
 * A name could not be resolved. `unknown-name`: it has no addresses. `resolver`: no name server answered, which may be our
 * fault. The message is for our log, not for customers.
 */
export class ResolveError extends Error {
  override readonly name = 'ResolveError'
  readonly kind: 'unknown-name' | 'resolver'

  constructor(kind: 'unknown-name' | 'resolver', message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.kind = kind
  }
}

export interface ResolverOptions {
  /** Name servers to ask, as `address` or `address:port`, instead of the system's. */
  servers?: string[]
  /** Asks the system (hosts file, search domains) for names that the name servers do not know. */
  lookup?: (name: string) => Promise<{ address: string; family: number }[]>
}

const TRY_MS = 2_000
const TRIES = 2
/** How long the other family may take after one has answered: some name servers never answer AAAA queries. */
const OTHER_FAMILY_MS = 300
/** System look-ups block a thread of libuv's pool of four; hanging ones must not block them all. */
const SYSTEM_LOOKUPS_MAX = 2
/** The name server client's codes for a name that does not exist, has no such record, or is malformed. */
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * Opens a resolver that queries name servers itself (c-ares, without threads), for A and AAAA records at the same time. The
 * system looks up names without a dot, and names that the name servers do not know, by its hosts file and search domains.
 */
export function openResolver(options: ResolverOptions = {}): Resolver {
  const lookup = options.lookup ?? ((name: string) => systemLookup(name, { all: true }))
  const lookups = openSemaphore(SYSTEM_LOOKUPS_MAX)

  const lookUpBySystem = async (name: string, signal: AbortSignal, isKnownMissing: boolean): Promise<Found[]> => {
    try {
      const found = await lookups.run(signal, () => lookup(name))
      return ordered(found.map((entry) => entry.address))
    } catch (error) {
      if (signal.aborted) throw aborted(error)
      const missing = isKnownMissing || codeOf(error) === 'ENOTFOUND'
      throw new ResolveError(
        missing ? 'unknown-name' : 'resolver',
        `the system does not know "${name}": ${codeOf(error)}`,
        error,
      )
    }
  }

  return {
    async resolve(name, signal) {
      if (signal.aborted) throw aborted(signal.reason)
      if (!name.includes('.')) return lookUpBySystem(name, signal, false)
      // one client per call: cancelling it does not affect others, and changes of resolv.conf take effect
      const client = new NameServerClient({ timeout: TRY_MS, maxTimeout: TRY_MS, tries: TRIES })
      const cancel = () => client.cancel()
      signal.addEventListener('abort', cancel, { once: true })
      let outcomes: Outcome[]
      try {
        if (options.servers !== undefined) client.setServers(options.servers)
        outcomes = await bothFamilies(settle(client.resolve4(name)), settle(client.resolve6(name)))
      } finally {
        signal.removeEventListener('abort', cancel)
        client.cancel()
      }
      const addresses = outcomes.flatMap((outcome) => outcome.addresses)
      if (addresses.length > 0) return ordered(addresses)
      if (signal.aborted) throw aborted(signal.reason)
      const failed = outcomes.find((outcome) => outcome.code !== null && !NO_SUCH_NAME.has(outcome.code))
      if (failed !== undefined)
        throw new ResolveError('resolver', `no answer for "${name}": ${failed.code}`, failed.error)
      return lookUpBySystem(name, signal, true)
    },
  }
}

/** The outcome of one query: addresses, or the code of the failure. */
interface Outcome {
  addresses: string[]
  code: string | null
  error?: unknown
}

async function settle(query: Promise<string[]>): Promise<Outcome> {
  try {
    return { addresses: await query, code: null }
  } catch (error) {
    return { addresses: [], code: codeOf(error), error }
  }
}

async function bothFamilies(one: Promise<Outcome>, other: Promise<Outcome>): Promise<Outcome[]> {
  const first = await Promise.race([one, other])
  if (first.addresses.length === 0) return Promise.all([one, other])
  const waiting = new AbortController()
  const late = sleep(OTHER_FAMILY_MS, null, { signal: waiting.signal }).catch(() => null)
  const both = await Promise.race([Promise.all([one, other]), late])
  waiting.abort()
  return both ?? [first]
}

function ordered(addresses: string[]): Found[] {
  const found = [...new Set(addresses)].map((address) => ({
    address,
    family: isIP(address) === 6 ? (6 as const) : (4 as const),
  }))
  return found.sort((a, b) => a.family - b.family)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : asError(error).message
}

function aborted(reason: unknown): ResolveError {
  return new ResolveError('resolver', 'the query was aborted', reason)
}

/**
 * A semaphore: at most `max` pieces of work at the same time. An abort ends the wait; work that has begun keeps its place
 * until it ends.
 */
function openSemaphore(max: number) {
  let free = max
  const queue: (() => void)[] = []
  const release = () => {
    const next = queue.shift()
    if (next === undefined) free += 1
    else next()
  }

  const take = async (signal: AbortSignal) => {
    if (free > 0) {
      free -= 1
      return
    }
    const turn = Promise.withResolvers<void>()
    const leave = () => {
      const at = queue.indexOf(turn.resolve)
      if (at >= 0) queue.splice(at, 1)
      turn.reject(signal.reason)
    }
    queue.push(turn.resolve)
    signal.addEventListener('abort', leave, { once: true })
    await turn.promise.finally(() => signal.removeEventListener('abort', leave))
  }

  return {
    async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
      await take(signal)
      // if the abort coincided with getting the place, it is released below
      const working = signal.aborted ? Promise.reject(signal.reason) : work()
      const ending = Promise.withResolvers<never>()
      const end = () => ending.reject(signal.reason)
      signal.addEventListener('abort', end, { once: true })
      void working.then(release, release)
      try {
        return await Promise.race([working, ending.promise])
      } finally {
        signal.removeEventListener('abort', end)
      }
    },
  }
}
