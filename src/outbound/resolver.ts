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
   * All addresses of a name, at least one, IPv4 first. Nothing is kept: each call asks again.
   *
   * @throws ResolveError; when `signal` is aborted it is of kind `resolver`
   */
  resolve(name: string, signal: AbortSignal): Promise<Found[]>
}

/**
 * Why a name has no addresses. `unknown-name`: it was asked for and there is none. `resolver`: nobody could be asked; the
 * fault may be ours. The message is for our log, not for customers.
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
  /** What asks the system (hosts file, search domains) for names that name servers do not know. */
  lookup?: (name: string) => Promise<{ address: string; family: number }[]>
}

const TRY_MS = 2_000
const TRIES = 2
/** Once one family has answered, the other one gets this long: some name servers leave questions for AAAA open. */
const OTHER_FAMILY_MS = 300
/** The system is asked in libuv's thread pool, which has four threads for everything; name servers that hang must not take them all. */
const SYSTEM_LOOKUPS_MAX = 2
/** Codes of the name server client that say: there is no such name, or it has no such entry, or it cannot be one. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * Opens a resolver that asks name servers itself (c-ares, no threads), for A and AAAA at once. Names without a dot and names that
 * the name servers do not know are looked for in the system, that is in the hosts file and the search domains.
 */
export function openResolver(options: ResolverOptions = {}): Resolver {
  const lookup = options.lookup ?? ((name: string) => systemLookup(name, { all: true }))
  const places = openPlaces(SYSTEM_LOOKUPS_MAX)

  const askSystem = async (name: string, signal: AbortSignal, isKnownMissing: boolean): Promise<Found[]> => {
    try {
      const found = await places.run(signal, () => lookup(name))
      return ordered(found.map((entry) => entry.address))
    } catch (error) {
      if (signal.aborted) throw gaveUp(error)
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
      if (signal.aborted) throw gaveUp(signal.reason)
      if (!name.includes('.')) return askSystem(name, signal, false)
      // a client of its own for each call: giving one up does not touch the others, and changes of resolv.conf are seen
      const client = new NameServerClient({ timeout: TRY_MS, maxTimeout: TRY_MS, tries: TRIES })
      const giveUp = () => client.cancel()
      signal.addEventListener('abort', giveUp, { once: true })
      let outcomes: Outcome[]
      try {
        if (options.servers !== undefined) client.setServers(options.servers)
        outcomes = await bothFamilies(settle(client.resolve4(name)), settle(client.resolve6(name)))
      } finally {
        signal.removeEventListener('abort', giveUp)
        client.cancel()
      }
      const addresses = outcomes.flatMap((outcome) => outcome.addresses)
      if (addresses.length > 0) return ordered(addresses)
      if (signal.aborted) throw gaveUp(signal.reason)
      const failed = outcomes.find((outcome) => outcome.code !== null && !NOTHING_THERE.has(outcome.code))
      if (failed !== undefined)
        throw new ResolveError('resolver', `no answer for "${name}": ${failed.code}`, failed.error)
      return askSystem(name, signal, true)
    },
  }
}

/** What one question came to: addresses, or the code of the failure. */
interface Outcome {
  addresses: string[]
  code: string | null
  error?: unknown
}

async function settle(question: Promise<string[]>): Promise<Outcome> {
  try {
    return { addresses: await question, code: null }
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

function gaveUp(reason: unknown): ResolveError {
  return new ResolveError('resolver', 'the question was given up', reason)
}

/** Runs at most `max` pieces of work at once. Whoever gives up stops waiting; work that has begun keeps its place until it ends. */
function openPlaces(max: number) {
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
      // a place that came in the same moment as the end goes back
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
