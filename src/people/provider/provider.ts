import { hash } from 'node:crypto'
import type { AuthorizationServer, Client, IDToken } from 'oauth4webapi'
import type { FetchImplementation, JWTVerifyGetKey } from 'jose'
import type { Outbound } from '../../outbound/client.ts'
import { readLogoutToken, requireAddressed, type LoggedOut } from './logout-token.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { must } from '../../platform/must.ts'
import type { Log } from '../../platform/log.ts'
import type { ProviderSettings } from '../../platform/settings/provider-settings.ts'
import { sendToProvider, type SendToProvider } from './send-to-provider.ts'

// An OpenID Connect provider: the authorization code flow with PKCE, state and nonce. oauth4webapi makes and checks the messages of the protocol; every
// request goes through the outbound client.
// docs/decisions/202-people-sign-in-at-a-provider.md says why.

/** Loading it takes 40 ms, for which only those who sign in at a provider wait. */
const library = () => import('oauth4webapi')
type Library = Awaited<ReturnType<typeof library>>

/** Algorithms whose signing keys only the provider has: neither `none`, nor those that sign with the client secret. */
const ALGORITHMS = new Set([
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
])
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
const CLOCKS_APART_SECONDS = 60

/** What the provider says of somebody who has signed in just now. */
export interface Identity {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
  /** How long ago the person last had to authenticate there; null: the provider does not say. */
  askedSecondsAgo: number | null
  /** By `amr`, RFC 8176. */
  hasFactor: boolean
  /** The provider's own session; null: it does not say. */
  sid: string | null
  /** As the provider has signed it. */
  idToken: string | null
  /** Since 1970, by the provider's clock: when it has said all this. */
  issuedAtSeconds: number
}

export interface Provider {
  settings: ProviderSettings
  /**
   * Where the browser is sent.
   * @param secret of this sign-in; the code verifier and the nonce come from it
   * @param state comes back with the code
   * @param again whether the provider is to ask also who is signed in there
   * @throws ShelfwireError provider-unavailable
   */
  begin(secret: string, state: string, redirectUri: string, again: boolean): Promise<string>
  /**
   * Takes what the browser came back with.
   * @param answer the query of the address to which the provider has sent the browser
   * @throws ShelfwireError provider-refused; provider-unavailable
   */
  finish(answer: URLSearchParams, secret: string, state: string, redirectUri: string): Promise<Identity>
  /**
   * Where a browser signs out at the provider; null: it has no such address.
   * @param idToken by which it knows whom; null: it asks the person
   * @throws ShelfwireError provider-unavailable
   */
  signOutUrl(idToken: string | null, backTo: string): Promise<string | null>
  /** Reads a token by which it says that somebody has signed out. @throws Error for one that is not accepted; ShelfwireError provider-unavailable */
  loggedOut(token: string): Promise<LoggedOut>
}

const unavailable = (cause: unknown) =>
  new ShelfwireError('provider-unavailable', 'the identity provider does not answer as it should; try again later', {
    retryAfterSeconds: 10,
    cause,
  })

export const providerRefused = (cause?: unknown) =>
  new ShelfwireError('provider-refused', 'the sign-in at the identity provider did not succeed; begin again', { cause })

const nonceOf = (secret: string) => hash('sha256', `nonce ${secret}`, 'base64url')

/** @param outbound may reach the provider wherever it is: the operator has named it */
export const openProvider = (settings: ProviderSettings, outbound: Outbound, log: Log): Provider =>
  new OpenIdProvider(settings, outbound, log)

class OpenIdProvider implements Provider {
  readonly settings: ProviderSettings
  readonly #log: Log
  readonly #client: Client
  readonly #isInsecure: boolean
  readonly #send: SendToProvider
  #keys: { at: string; get: JWTVerifyGetKey } | null = null
  /** What the provider says of itself, and since when that is known, by performance.now(). */
  #described: { at: number; server: Promise<AuthorizationServer> } | null = null

  constructor(settings: ProviderSettings, outbound: Outbound, log: Log) {
    this.settings = settings
    this.#log = log
    this.#client = { client_id: settings.clientId }
    this.#isInsecure = settings.issuer.startsWith('http:')
    this.#send = sendToProvider(outbound, unavailable)
  }

  async begin(secret: string, state: string, redirectUri: string, again: boolean): Promise<string> {
    const server = await this.#requireDescribed()
    const { calculatePKCECodeChallenge } = await library()
    const url = new URL(must(server.authorization_endpoint))
    const parameters = {
      response_type: 'code',
      client_id: this.settings.clientId,
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state,
      nonce: nonceOf(secret),
      code_challenge: await calculatePKCECodeChallenge(secret),
      code_challenge_method: 'S256',
      // with max_age the answer has auth_time: what outlives a session counts from there
      max_age: String(again ? 0 : LIMITS.providerAskedDaysMax * 86_400),
      ...(again ? { prompt: 'login' } : {}),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }

  async finish(answer: URLSearchParams, secret: string, state: string, redirectUri: string): Promise<Identity> {
    const server = await this.#requireDescribed()
    const oauth = await library()
    let parameters: URLSearchParams
    try {
      parameters = oauth.validateAuthResponse(server, this.#client, answer, state)
    } catch (error) {
      // only for information: anybody can send a bad answer, and people give up
      this.#log.info({ reason: asError(error).message }, 'a sign-in at the identity provider was not finished')
      throw providerRefused(error)
    }
    try {
      const { claims, idToken } = await this.#exchange(oauth, server, parameters, secret, redirectUri)
      return identityOf(claims, idToken)
    } catch (error) {
      throw refusal(error, oauth, this.#log)
    }
  }

  async signOutUrl(idToken: string | null, backTo: string): Promise<string | null> {
    const { end_session_endpoint: address } = await this.#requireDescribed()
    if (address === undefined) return null
    requireEndpoint('end_session_endpoint', address, this.#isInsecure)
    const url = new URL(address)
    if (idToken !== null) url.searchParams.set('id_token_hint', idToken)
    url.searchParams.set('client_id', this.settings.clientId)
    url.searchParams.set('post_logout_redirect_uri', backTo)
    return url.href
  }

  async loggedOut(token: string): Promise<LoggedOut> {
    // first, so that a token of a stranger does not make this service ask the provider
    await requireAddressed(token, this.settings)
    const server = await this.#requireDescribed()
    return readLogoutToken(token, await this.#keysAt(must(server.jwks_uri)), {
      issuer: server.issuer,
      clientId: this.settings.clientId,
      algorithms: must(server.id_token_signing_alg_values_supported),
      clocksApartSeconds: CLOCKS_APART_SECONDS,
    })
  }

  /** Exchanges the code for what the provider says, and checks that. */
  async #exchange(
    oauth: Library,
    server: AuthorizationServer,
    parameters: URLSearchParams,
    secret: string,
    redirectUri: string,
  ): Promise<{ claims: IDToken; idToken: string | null }> {
    const options = this.#optionsOf(oauth)
    const authentication =
      server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false
        ? oauth.ClientSecretPost(this.settings.clientSecret)
        : oauth.ClientSecretBasic(this.settings.clientSecret)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      this.#client,
      authentication,
      parameters,
      redirectUri,
      secret,
      options,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      { ...this.#client, [oauth.clockTolerance]: CLOCKS_APART_SECONDS },
      response,
      { expectedNonce: nonceOf(secret), requireIdToken: true },
    )
    // the protocol lets a client trust the connection alone; a proxy between the two must not be enough
    await oauth.validateApplicationLevelSignature(server, response, options)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (claims === undefined) throw new Error('there is no id_token')
    return { claims, idToken: tokens.id_token ?? null }
  }

  #optionsOf({ allowInsecureRequests, customFetch }: Library) {
    return { [allowInsecureRequests]: this.#isInsecure, [customFetch]: this.#send as never }
  }

  async #requireDescribed(): Promise<AuthorizationServer> {
    try {
      return await this.#describe()
    } catch (error) {
      const { message, cause } = asError(error)
      const reason = cause instanceof Error ? cause.message : message
      this.#log.error({ reason }, 'OIDC_ISSUER cannot be asked what it is')
      throw unavailable(error)
    }
  }

  /** Asks once for everybody who signs in while the answer is fresh; after a failure it is asked again. */
  #describe(): Promise<AuthorizationServer> {
    const now = performance.now()
    const known = this.#described
    if (known !== null && now - known.at < LIMITS.providerDescriptionMinutes * 60_000) return known.server
    const asked = { at: now, server: this.#discover() }
    this.#described = asked
    asked.server.catch(() => {
      if (this.#described === asked) this.#described = null
    })
    return asked.server
  }

  async #discover(): Promise<AuthorizationServer> {
    const oauth = await library()
    const issuer = new URL(this.settings.issuer)
    const found = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...this.#optionsOf(oauth), algorithm: 'oidc' }),
    )
    const algorithms = (found.id_token_signing_alg_values_supported ?? ['RS256']).filter((name) => ALGORITHMS.has(name))
    if (algorithms.length === 0) throw new Error('it signs with no algorithm that is taken here')
    for (const name of ENDPOINTS) requireEndpoint(name, found[name], this.#isInsecure)
    return { ...found, id_token_signing_alg_values_supported: algorithms }
  }

  /** The keys behind an address: asked for again when one is not known, at most every half a minute. */
  async #keysAt(at: string): Promise<JWTVerifyGetKey> {
    if (this.#keys?.at === at) return this.#keys.get
    const { createRemoteJWKSet, customFetch } = await import('jose')
    const ask: FetchImplementation = async (url, { headers }) => {
      const answer = await this.#send(url, { method: 'GET', headers: Object.fromEntries(headers) })
      // not the fault of whoever sent the token, who will send it again
      if (answer.status !== 200) throw unavailable(new Error(`${url} answers with ${answer.status}`))
      const read = (await answer
        .clone()
        .json()
        .catch(() => null)) as { keys?: unknown } | null
      if (!Array.isArray(read?.keys)) throw unavailable(new Error(`${url} has no keys`))
      return answer
    }
    this.#keys = { at, get: createRemoteJWKSet(new URL(at), { [customFetch]: ask }) }
    return this.#keys.get
  }
}

/** @throws Error for what browsers and requests are not sent to */
function requireEndpoint(name: string, given: unknown, isInsecure: boolean): void {
  const protocol = typeof given === 'string' && URL.canParse(given) ? new URL(given).protocol : null
  if (protocol !== 'https:' && !(isInsecure && protocol === 'http:'))
    throw new Error(`its ${name} is no https:// address`)
}

/**
 * The error for the browser. What a person or a stranger causes is common and is only noted; what the provider or its settings cause is logged as an
 * error, for the operator.
 */
function refusal(error: unknown, oauth: Library, log: Log): ShelfwireError {
  if (error instanceof ShelfwireError && error.code === 'provider-unavailable') {
    log.error({ reason: asError(error.cause).message }, 'the identity provider does not answer')
    return error
  }
  // its message alone: what belongs to an error may have a token in it
  const reason = asError(error).message
  if (!(error instanceof oauth.ResponseBodyError)) {
    log.error({ reason }, 'what the identity provider answers is not accepted')
    return providerRefused(error)
  }
  // a code that was used, is too old, or was given to another
  if (error.error === 'invalid_grant') {
    log.info({ reason: error.error }, 'the identity provider has refused a code')
    return providerRefused(error)
  }
  log.error(
    { reason, error: error.error },
    'the identity provider refuses this service: see OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
  )
  return unavailable(error)
}

/** The issuer is spelled as the provider spells it: OIDC_ISSUER may have one slash more or less at its end, and correcting that must not change who people are. */
function identityOf(claims: IDToken, idToken: string | null): Identity {
  const textOf = (name: string, max: number) => {
    const value = claims[name]
    return typeof value === 'string' && value.length <= max && !/[\p{Cc}\p{Cs}]/u.test(value) ? value : null
  }
  const { sub, amr, auth_time: authTime } = claims
  const sid = textOf('sid', LIMITS.providerSubjectLengthMax)
  if (sub.length > LIMITS.providerSubjectLengthMax || /[\p{Cc}\p{Cs}]/u.test(sub))
    throw new Error('its subject has no form of one')
  return {
    issuer: claims.iss,
    subject: sub,
    email: textOf('email', LIMITS.emailLengthMax),
    // a text is not accepted: some providers write "false"
    isEmailVerified: claims['email_verified'] === true,
    name: textOf('name', LIMITS.nameLengthMax),
    // by the machine's clock, as the provider's
    askedSecondsAgo: typeof authTime === 'number' ? Math.max(0, Date.now() / 1_000 - authTime) : null,
    hasFactor: Array.isArray(amr) && amr.includes('mfa'),
    sid: sid === '' ? null : sid,
    idToken,
    issuedAtSeconds: claims.iat,
  }
}
