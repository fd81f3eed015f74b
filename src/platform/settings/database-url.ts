/** Where a database is: one URL for each host that may be its primary. */
export interface DatabaseAddress {
  /** At least one, in the order written. */
  urls: readonly string[]
  /**
   * What a host must be to be used: `any` (there is only one host), `primary` (not a standby), or `read-write` (a primary that is not read-only by
   * its settings).
   */
  accepted: Accepted
}

export type Accepted = 'any' | 'primary' | 'read-write'

/** Scheme and credentials; hosts with their ports; path; query. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/
const ATTRIBUTE = 'target_session_attrs'

/**
 * Parses a PostgreSQL URL, which may name several hosts as libpq's do: `postgres://user@one:5432,two:5432/db`, with `target_session_attrs`, which
 * node-postgres does not know. Several hosts mean `primary` unless it says `read-write`.
 * @returns the address, or a reason in the words of an error message. It does not repeat the URL, which may contain a password.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress | string {
  const [, start, hosts, path = '', query = ''] = PARTS.exec(text) ?? []
  if (start === undefined || hosts === undefined) return 'must be a URL that starts with postgres:// or postgresql://'
  const parameters = query.split('&').filter((pair) => pair !== '')
  const isAttribute = (pair: string) => pair.startsWith(`${ATTRIBUTE}=`)
  const rest = parameters.filter((pair) => !isAttribute(pair)).join('&')
  const names = hosts.split(',')
  const urls = names.map((host) => `${start}${host}${path.replace(/\/+$/, '')}${rest === '' ? '' : `?${rest}`}`)
  if (names.length > 1 && names.includes('')) return 'must name a host before and after each comma'
  if (!urls.every((url) => URL.canParse(url))) return 'must have hosts of the form HOST or HOST:PORT'
  const asked = parameters.find(isAttribute)?.slice(ATTRIBUTE.length + 1) ?? (names.length > 1 ? 'primary' : 'any')
  if (asked === 'primary' || asked === 'read-write') return { urls, accepted: asked }
  if (asked === 'any' && names.length === 1) return { urls, accepted: asked }
  return `must have ${ATTRIBUTE}=primary or read-write, because Shelfwire writes${names.length > 1 ? '' : ', or none'}`
}
