import type { Environment } from './environment.ts'

/** Sign-in at an OpenID Connect provider. */
export interface ProviderSettings {
  /** Exactly as the provider names itself, byte for byte. */
  issuer: string
  clientId: string
  clientSecret: string
  /** The text of the button; null: the panel's own. */
  label: string | null
  /** Domains of the e-mail addresses that may sign in, in lower case; empty: all. */
  emailDomains: readonly string[]
  /** Who may sign in for the first time: only invited people, or anybody whom the provider knows. */
  newPeople: 'invited' | 'any'
  /** When a sign-in counts as one with a second factor: if the provider says `mfa`, or always. */
  secondFactor: 'amr' | 'always'
  /** Whether signing out here also signs out at the provider. */
  signOut: 'here' | 'provider'
}

const NAMES = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_LABEL',
  'OIDC_EMAIL_DOMAINS',
  'OIDC_NEW_PEOPLE',
  'OIDC_SECOND_FACTOR',
  'OIDC_SIGN_OUT',
]
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The provider from OIDC_ISSUER; null if that is not set. */
export function readProvider(env: Environment): ProviderSettings | null {
  const issuer = env.get('OIDC_ISSUER')
  if (issuer === undefined) {
    for (const name of NAMES)
      if (env.get(name) !== undefined) env.faults.push({ name, reason: 'must not be set without OIDC_ISSUER' })
    return null
  }
  if (!isIssuer(issuer))
    env.faults.push({
      name: 'OIDC_ISSUER',
      reason: 'must be the https:// URL by which the provider names itself, without a query; http:// only on loopback',
    })
  // the provider sends browsers back to it, so it must not depend on where the service listens
  if (env.get('PUBLIC_URL') === undefined)
    env.faults.push({ name: 'PUBLIC_URL', reason: 'must be set with OIDC_ISSUER' })
  const needed = (name: string) => {
    // an unreadable file has been reported already
    if (env.get(name) === undefined && env.get(`${name}_FILE`) === undefined)
      env.faults.push({ name, reason: 'must be set with OIDC_ISSUER' })
    return env.get(name) ?? ''
  }
  const label = env.get('OIDC_LABEL') ?? null
  if (label !== null && (label.trim() === '' || label.length > 60 || /[\p{Cc}\p{Cs}]/u.test(label)))
    env.faults.push({ name: 'OIDC_LABEL', reason: 'must have 1 to 60 characters, and no control characters' })
  return {
    issuer,
    clientId: needed('OIDC_CLIENT_ID'),
    clientSecret: needed('OIDC_CLIENT_SECRET'),
    label,
    emailDomains: env
      .list(
        'OIDC_EMAIL_DOMAINS',
        (entry) => /^[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(entry),
        'must be domains of e-mail addresses, separated by commas, such as example.com,example.org',
      )
      .map((domain) => domain.toLowerCase()),
    newPeople: env.oneOf('OIDC_NEW_PEOPLE', ['invited', 'any']),
    secondFactor: env.oneOf('OIDC_SECOND_FACTOR', ['amr', 'always']),
    signOut: env.oneOf('OIDC_SIGN_OUT', ['here', 'provider']),
  }
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash, username } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
  return isSafe && search === '' && hash === '' && username === '' && !/[?#]$/.test(text)
}
