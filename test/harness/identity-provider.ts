import { createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import { freePort } from './free-port.ts'

/** The claims of a person whom the provider knows. */
export interface Known {
  email?: string
  email_verified?: unknown
  name?: string
}

type Parts = { header: Record<string, unknown>; claims: Record<string, unknown> }

export interface IdentityProvider extends AsyncDisposable {
  issuer: string
  /** By subject. */
  people: Map<string, Known>
  /** The subject of the person who signs in at the provider next; null: the person gives up. */
  signsIn: string | null
  /** The person's authentication methods at the provider, RFC 8176. */
  amr: string[]
  /** Changes an id_token before it is signed and issued; a returned text replaces it. */
  tamper: ((parts: Parts) => string | void) | null
  /** Answers every request with 503. */
  isDown: boolean
  /** Delays the answers of the token endpoint until it resolves; null: no delay. */
  waitsFor: Promise<void> | null
  /** Changes the provider's discovery document before it is sent. */
  tamperDescription: ((description: Record<string, unknown>) => void) | null
  /** Paths of the requests so far, without those of browsers. */
  asked: string[]
  /** Results of the back-channel logouts sent to this service, in order: null where it accepted one, or the error. */
  told: (string | null)[]
  /** Makes an id_token signed by the provider. */
  sign(parts: Parts): string
  settings(publicUrl: string): Record<string, string>
}

const CLIENT_SECRET = 'a secret of the client, 32 letters'
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * A real OpenID provider on this machine.
 * @param redirectUri the address to which it may send browsers
 * @param backChannelUri the address to which it sends back-channel logouts; null: it does not support them, like many providers
 */
export async function startIdentityProvider(
  redirectUri: string,
  backChannelUri: string | null = null,
): Promise<IdentityProvider> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'shelfwire',
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [redirectUri],
        ...(backChannelUri === null
          ? {}
          : { backchannel_logout_uri: backChannelUri, backchannel_logout_session_required: true }),
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['a key of the cookies of the provider'] },
    // claims are in the id_token itself, as with most providers
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'amr', 'auth_time'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: backChannelUri !== null } },
    // without the provider's own dispatcher, which forbids requests to this machine
    fetch: (url: URL, { dispatcher: _guarded, ...options }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, options),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 60, Session: 60, Grant: 60 },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...state.people.get(sub) }),
    }),
    async loadExistingGrant({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.on('backchannel.success', () => state.told.push(null))
  provider.on('backchannel.error', (_context: unknown, error: Error) => state.told.push(error.message))
  const answer = provider.callback()
  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    await provider.interactionDetails(request, response)
    const result =
      state.signsIn === null
        ? { error: 'access_denied', error_description: 'somebody gave up' }
        : { login: { accountId: state.signsIn, amr: state.amr, remember: true } }
    await provider.interactionFinished(request, response, result)
  }
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    if (!/^\/(?:auth|interaction)/.test(path)) state.asked.push(path)
    if (state.isDown) {
      response.writeHead(503).end()
      return
    }
    if (path.startsWith('/interaction/')) {
      void interact(request, response)
      return
    }
    if (path === '/token' && state.tamper !== null) replaceToken(response, state.tamper)
    if (path.startsWith('/.well-known/') && state.tamperDescription !== null)
      replaceDescription(response, state.tamperDescription)
    if (path === '/token' && state.waitsFor !== null) void state.waitsFor.then(() => answer(request, response))
    else answer(request, response)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')

  const sign = ({ header, claims }: Parts) => {
    const text = `${encode(header)}.${encode(claims)}`
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
  }
  /** Replaces the id_token in the provider's answer. */
  function replaceToken(response: ServerResponse, tamper: (parts: Parts) => string | void): void {
    const end = response.end.bind(response)
    response.end = ((body: unknown) => {
      const tokens = JSON.parse(String(body)) as { id_token?: string }
      if (tokens.id_token === undefined) return end(body as string)
      const [header, claims] = tokens.id_token
        .split('.')
        .slice(0, 2)
        .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}') as Record<string, unknown>)
      const parts = { header: header ?? {}, claims: claims ?? {} }
      tokens.id_token = tamper(parts) ?? sign(parts)
      const text = JSON.stringify(tokens)
      response.setHeader('content-length', Buffer.byteLength(text))
      return end(text)
    }) as typeof response.end
  }
  function replaceDescription(response: ServerResponse, tamper: (description: Record<string, unknown>) => void): void {
    const end = response.end.bind(response)
    response.end = ((body: unknown) => {
      const description = JSON.parse(String(body)) as Record<string, unknown>
      tamper(description)
      const text = JSON.stringify(description)
      response.setHeader('content-length', Buffer.byteLength(text))
      return end(text)
    }) as typeof response.end
  }
  const state: IdentityProvider = {
    issuer,
    people: new Map(),
    signsIn: null,
    amr: ['pwd'],
    tamper: null,
    isDown: false,
    waitsFor: null,
    tamperDescription: null,
    asked: [],
    told: [],
    sign,
    settings: (publicUrl) => ({
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'shelfwire',
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_LABEL: 'Acme Login',
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return state
}

/** Acts as a browser at the provider: follows redirects, with cookies, until it is sent back. @returns the address to which it is sent */
export async function followProvider(
  url: string,
  redirectUri: string,
  cookies = new Map<string, string>(),
): Promise<string> {
  let at = url
  for (let hops = 0; hops < 10; hops++) {
    if (at.startsWith(redirectUri)) return at
    const response = await fetch(at, { redirect: 'manual', headers: { Cookie: cookieHeader(cookies) } })
    keepCookies(cookies, response)
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${at} answers ${response.status}: ${(await response.text()).slice(0, 500)}`)
    at = new URL(location, at).href
  }
  throw new Error('the provider does not send the browser back')
}

/**
 * Acts as a browser at the provider's logout page: opens it and confirms.
 * @returns the address to which it is sent
 */
export async function signOutAtProvider(url: string, cookies: Map<string, string>): Promise<string | null> {
  const page = await fetch(url, { headers: { Cookie: cookieHeader(cookies) } })
  keepCookies(cookies, page)
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
  const confirmed = await fetch(new URL('/session/end/confirm', url), {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookieHeader(cookies) },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
  keepCookies(cookies, confirmed)
  return confirmed.headers.get('location')
}

const cookieHeader = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

function keepCookies(cookies: Map<string, string>, response: Response): void {
  for (const set of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
}
