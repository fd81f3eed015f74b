import { hash } from 'node:crypto'
import type { AuthorizationServer, Client, IDToken } from 'oauth4webapi'
import type { FetchImplementation, JWTVerifyGetKey } from 'jose'
import type { Outbound } from '../outbound/client.ts'
import { readLogoutToken, requireAddressed, type LoggedOut } from './logout-token.ts'
import { asError, ShelfwireError } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import { must } from '../platform/must.ts'
import type { Log } from '../platform/log.ts'
import type { ProviderSettings } from '../platform/provider-settings.ts'

// An OpenID Connect provider: the authorization code flow with PKCE, state and nonce. oauth4webapi makes and checks the messages of the protocol; every
// request goes through the outbound client.
// docs/decisions/202-people-sign-in-at-a-provider.md says why.

/** 40 ms: only who signs in at a provider waits for it. */
const library = () => import('oauth4webapi')

/** With keys that others than the provider do not have: neither `none` nor those that the client secret signs. */
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
  /** How long ago the person was last asked for something there; null: it does not say. */
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
export function openProvider(settings: ProviderSettings, outbound: Outbound, log: Log): Provider {
  const client: Client = { client_id: settings.clientId }
  const isInsecure = settings.issuer.startsWith('http:')
  /** How many requests each connection has to do. */
  const busy = Array.from({ length: LIMITS.providerConnectionsMax }, () => 0)
  let keys: { at: string; get: JWTVerifyGetKey } | null = null
  let described: { at: number; server: Promise<AuthorizationServer> } | null = null

  /** As `fetch`: redirects are not followed, and what is longer or later than the limits is refused. */
  const send = async (url: string, options: { method: string; headers: Record<string, string>; body?: unknown }) => {
    const body = options.body instanceof URLSearchParams ? options.body.toString() : undefined
    const lane = busy.indexOf(Math.min(...busy))
    busy[lane] = (busy[lane] ?? 0) + 1
    const answer = await outbound
      .send({
        method: options.method === 'POST' ? 'POST' : 'GET',
        url,
        headers: options.headers,
        ...(body === undefined ? {} : { body }),
        connectTimeoutMs: LIMITS.providerTimeoutMs,
        totalTimeoutMs: LIMITS.providerTimeoutMs,
        readBytesMax: LIMITS.providerBytesMax,
        key: `provider ${lane}`,
      })
      .finally(() => {
        busy[lane] = (busy[lane] ?? 0) - 1
      })
    if (answer.kind === 'failed') throw unavailable(new Error(`${url}: ${answer.detail}`))
    if (answer.isCut) throw unavailable(new Error(`${url}: more than ${LIMITS.providerBytesMax} bytes`))
    // what is not JSON is found when it is parsed
    return new Response(answer.status === 204 ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    })
  }

  /** The keys behind an address: asked for again when one is not known, at most every half a minute. */
  const keysAt = async (at: string) => {
    const { createRemoteJWKSet, customFetch } = await import('jose')
    const ask: FetchImplementation = async (url, { headers }) => {
      const answer = await send(url, { method: 'GET', headers: Object.fromEntries(headers) })
      // no fault of who has sent a token: it comes again later
      if (answer.status !== 200) throw unavailable(new Error(`${url} answers with ${answer.status}`))
      const read = (await answer
        .clone()
        .json()
        .catch(() => null)) as { keys?: unknown } | null
      if (!Array.isArray(read?.keys)) throw unavailable(new Error(`${url} has no keys`))
      return answer
    }
    return { at, get: createRemoteJWKSet(new URL(at), { [customFetch]: ask }) }
  }

  const optionsOf = ({ allowInsecureRequests, customFetch }: Awaited<ReturnType<typeof library>>) => ({
    [allowInsecureRequests]: isInsecure,
    [customFetch]: send as never,
  })

  /** What the provider says of itself, with its keys; asked once for all who sign in meanwhile. */
  const describe = (): Promise<AuthorizationServer> => {
    const now = performance.now()
    if (described !== null && now - described.at < LIMITS.providerDescriptionMinutes * 60_000) return described.server
    const server = library().then(async (oauth) => {
      const issuer = new URL(settings.issuer)
      const found = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { ...optionsOf(oauth), algorithm: 'oidc' }),
      )
      const algorithms = (found.id_token_signing_alg_values_supported ?? ['RS256']).filter((name) =>
        ALGORITHMS.has(name),
      )
      if (algorithms.length === 0) throw new Error('it signs with no algorithm that is taken here')
      for (const name of ENDPOINTS) requireEndpoint(name, found[name], isInsecure)
      return { ...found, id_token_signing_alg_values_supported: algorithms }
    })
    const asked = { at: now, server }
    described = asked
    server.catch(() => {
      if (described === asked) described = null
    })
    return server
  }

  const requireDescribed = async () => {
    try {
      return await describe()
    } catch (error) {
      const { message, cause } = asError(error)
      log.error({ reason: cause instanceof Error ? cause.message : message }, 'OIDC_ISSUER cannot be asked what it is')
      throw unavailable(error)
    }
  }

  return {
    settings,
    async begin(secret, state, redirectUri, again) {
      const server = await requireDescribed()
      const { calculatePKCECodeChallenge } = await library()
      const url = new URL(must(server.authorization_endpoint))
      const parameters = {
        response_type: 'code',
        client_id: settings.clientId,
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
    },
    async finish(answer, secret, state, redirectUri) {
      const server = await requireDescribed()
      const oauth = await library()
      let parameters: URLSearchParams
      try {
        parameters = oauth.validateAuthResponse(server, client, answer, state)
      } catch (error) {
        // anybody can send something else, and people give up
        log.info({ reason: asError(error).message }, 'a sign-in at the identity provider was not finished')
        throw providerRefused(error)
      }
      try {
        const options = optionsOf(oauth)
        const authentication =
          server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false
            ? oauth.ClientSecretPost(settings.clientSecret)
            : oauth.ClientSecretBasic(settings.clientSecret)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          parameters,
          redirectUri,
          secret,
          options,
        )
        const tokens = await oauth.processAuthorizationCodeResponse(
          server,
          { ...client, [oauth.clockTolerance]: CLOCKS_APART_SECONDS },
          response,
          { expectedNonce: nonceOf(secret), requireIdToken: true },
        )
        // the protocol lets a client trust the connection alone; a proxy between the two must not be enough
        await oauth.validateApplicationLevelSignature(server, response, options)
        const claims = oauth.getValidatedIdTokenClaims(tokens)
        if (claims === undefined) throw new Error('there is no id_token')
        return identityOf(claims, tokens.id_token ?? null)
      } catch (error) {
        throw refusal(error, oauth, log)
      }
    },
    async signOutUrl(idToken, backTo) {
      const { end_session_endpoint: address } = await requireDescribed()
      if (address === undefined) return null
      requireEndpoint('end_session_endpoint', address, isInsecure)
      const url = new URL(address)
      if (idToken !== null) url.searchParams.set('id_token_hint', idToken)
      url.searchParams.set('client_id', settings.clientId)
      url.searchParams.set('post_logout_redirect_uri', backTo)
      return url.href
    },
    async loggedOut(token) {
      // a stranger's does not make this service ask the provider
      await requireAddressed(token, settings)
      const server = await requireDescribed()
      const address = must(server.jwks_uri)
      const known = keys !== null && keys.at === address ? keys : await keysAt(address)
      keys = known
      return readLogoutToken(token, known.get, {
        issuer: server.issuer,
        clientId: settings.clientId,
        algorithms: must(server.id_token_signing_alg_values_supported),
        clocksApartSeconds: CLOCKS_APART_SECONDS,
      })
    },
  }
}

/** @throws Error for what browsers and requests are not sent to */
function requireEndpoint(name: string, given: unknown, isInsecure: boolean): void {
  const protocol = typeof given === 'string' && URL.canParse(given) ? new URL(given).protocol : null
  if (protocol !== 'https:' && !(isInsecure && protocol === 'http:'))
    throw new Error(`its ${name} is no https:// address`)
}

/** Whose fault it is: of the person or of a stranger, of which there are many; or of the provider or its settings, which the operator is told of. */
function refusal(error: unknown, oauth: Awaited<ReturnType<typeof library>>, log: Log): ShelfwireError {
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

/** Its issuer is the provider's own spelling: OIDC_ISSUER may have a slash more at the end, or less, and people stay who they are when it is mended. */
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
