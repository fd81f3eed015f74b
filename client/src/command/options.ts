import { readFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Store } from '../answers.ts'
import { Shelfwire } from '../shelfwire.ts'
import { codeOf } from '../targets/directory-lock.ts'
import { EXIT, Failure, usage } from './failure.ts'

// Options that several commands share.

type Options = NonNullable<ParseArgsConfig['options']>

export const JSON_OPTION = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
export const SERVICE_OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  'token-file': { type: 'string' },
} as const
export const MIRROR_OPTIONS = {
  sqlite: { type: 'string' },
  dir: { type: 'string' },
  store: { type: 'string', multiple: true },
  moved: { type: 'boolean' },
} as const

export const SERVICE_HELP = `  --url URL            the service's address, or SHELFWIRE_URL
  --token TOKEN        a connector token; better in SHELFWIRE_TOKEN, which stays out of the shell's history
  --token-file FILE    the token is in a file`
export const MIRROR_HELP = `  --sqlite FILE        the mirror is a SQLite database (Node 22.13 and newer)
  --dir DIRECTORY      the mirror is a directory of NDJSON files
  --store SLUG         of this store; several times for several, all unless it is given
  --moved              the service has another address than when the mirror was made`
export const JSON_HELP = `  --json               one JSON object a line on standard output`

/** @throws Failure, whose message repeats no value of an option, because one may be a token */
export function parsed<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    if (codeOf(error) === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
      throw usage('every argument belongs to an option that begins with --; see --help')
    const [first = ''] = (error as Error).message.split(/[.\n]/)
    throw usage(`${first}; see --help`)
  }
}

export interface ServiceValues {
  url?: string | undefined
  token?: string | undefined
  'token-file'?: string | undefined
}

/** The service's address as it is shown and remembered: without a slash at its end, and without `/v1`. */
export function addressOf(given: string | undefined): string {
  const text = given ?? process.env['SHELFWIRE_URL'] ?? ''
  if (text === '') throw usage("give the service's address: --url https://catalog.example, or SHELFWIRE_URL")
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usage('--url takes an address that begins with https:// or http://, such as https://catalog.example')
  if (url.username !== '' || url.password !== '')
    throw usage('--url takes no user and no password: the service is given a token')
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

export function tokenOf({ token, 'token-file': file }: ServiceValues): string {
  if (token !== undefined && file !== undefined) throw usage('give --token or --token-file, not both')
  const text = (
    token ?? (file === undefined ? process.env['SHELFWIRE_TOKEN'] : contentOf(file, '--token-file'))
  )?.trim()
  if (text === undefined || text === '')
    throw usage('give a token: SHELFWIRE_TOKEN, --token-file FILE or --token TOKEN')
  // `fetch` would repeat it in its error
  if (!/^[\u0021-\u007e]+$/.test(text)) throw usage('the token has characters that no token has: was it copied whole?')
  return text
}

export function contentOf(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usage(`${option} cannot be read: ${(error as Error).message}`)
  }
}

export interface Service {
  url: string
  shelf: Shelfwire
  /** The active stores. */
  stores: Store[]
}

/** Asks the service for its stores, so that a wrong address or token is found before anything is written. @throws Failure; ShelfwireError */
export async function openService(values: ServiceValues, signal: AbortSignal): Promise<Service> {
  const url = addressOf(values.url)
  const token = tokenOf(values)
  // a person waits for this: two attempts are enough
  const stores = await new Shelfwire({ url, token, attempts: 2 }).stores({ signal })
  return { url, shelf: new Shelfwire({ url, token }), stores }
}

/** @throws Failure where one is not active or not of this account */
export function chosenStores({ stores }: Service, asked: readonly string[] | undefined): Store[] {
  if (asked === undefined) return stores
  return [...new Set(asked)].map((slug) => {
    const store = stores.find((one) => one.slug === slug)
    if (store === undefined)
      throw new Failure(
        EXIT.refused,
        'unknown-store',
        `there is no active store "${slug}": this token reads ${stores.map((one) => one.slug).join(', ')}`,
      )
    return store
  })
}
