import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PanelRoute } from '../../../contract/panel/route.ts'
import type { MemberRole } from '../../accounts/members.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { auditInsert, type Actor } from '../../people/audit.sql.ts'
import { requireActive } from '../../accounts/suspensions.ts'
import { requireMembership } from '../../people/account-rules.ts'
import { requireConfirmed } from '../../people/confirmed.ts'
import type { From } from '../../people/persons.sql.ts'
import type { SignedIn } from '../../people/sessions.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openRateLimit, type RateLimit } from '../../platform/rate-limit.ts'
import { findEndpointLink, type OpenedLink } from '../../webhooks/links/links.ts'
import { keepPlace } from '../account-places.ts'
import { clientAddress } from '../client-address.ts'
import type { ServeContext } from '../context.ts'
import { handle, type Call } from '../handle.ts'
import { must } from '../../platform/must.ts'
import { fromOf, isWrite, requireSameOrigin, requireSession } from './session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls a route of the panel; null elsewhere. */
    panelCaller: PanelCaller | null
  }
}

/** Who calls, as far as the route asks for it. */
interface PanelCaller {
  session?: SignedIn
  accountId?: number
  role?: MemberRole
  link?: OpenedLink
}

type WhoCalls<R extends PanelRoute> = R['panelAccess'] extends 'visitor'
  ? object
  : R['panelAccess'] extends 'link'
    ? { link: OpenedLink }
    : R['panelAccess'] extends 'person'
      ? { session: SignedIn }
      : { session: SignedIn; accountId: number; role: MemberRole }

/** A request to the panel, read and checked by the declaration of its route, with who calls. */
export type PanelCall<R extends PanelRoute> = Call<R> &
  WhoCalls<R> & {
    from: From
    /** Writes what is done into the account's audit trail, in its transaction. `details` must hold no secrets. */
    note: (tx: Tx, details?: Readonly<Record<string, unknown>>) => PromiseLike<unknown>
  }

/** Answers with the body of the route's success; undefined where it has none. A download sends its answer itself. */
export type PanelHandler<R extends PanelRoute> = (call: PanelCall<R>) => Promise<object | undefined>

/** Registers handlers of the panel: like `handle`, with the access that a route declares. */
export interface PanelApp {
  handle<const R extends PanelRoute>(route: R, handler: PanelHandler<R>): void
}

/** @param app a scope with the prefix of the panel's routes */
export function openPanelApp(app: FastifyInstance, context: ServeContext): PanelApp {
  const perSecond = context.ratePerSecond
  const perSession =
    perSecond > 0 ? openRateLimit<number>({ perSecond, burst: perSecond * LIMITS.rateBurstSeconds }) : null
  const unknownLinks = openRateLimit<string>({
    perSecond: LIMITS.unknownTokensPerSecond,
    burst: LIMITS.unknownTokensAtOnce,
  })
  app.decorateRequest('panelCaller', null)
  app.addHook('onRoute', (options) => void (options.bodyLimit ??= LIMITS.panelBodyBytesMax))
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header('Cache-Control', 'no-store').header('Vary', 'Cookie, Authorization')
    done()
  })
  const admit = async (route: PanelRoute, request: FastifyRequest, reply: FastifyReply): Promise<PanelCaller> => {
    const { panelAccess } = route
    if (panelAccess === 'link') {
      const link = await linkOf(context, request, unknownLinks)
      requireActive(context.db, link.accountId)
      return { link }
    }
    if (panelAccess === 'visitor') {
      if (isWrite(request)) requireSameOrigin(request, context)
      return {}
    }
    const session = await requireSession(context, request)
    requireRate(perSession, session.sessionId)
    if (panelAccess === 'person') {
      if (route.needsConfirmation) requireConfirmed(session)
      return { session }
    }
    const accountId = accountIdOf(request)
    const { role } = await requireMembership(context.db, session, accountId)
    requireActive(context.db, accountId)
    if (panelAccess === 'owner' && role !== 'owner') throw ownersOnly()
    if (route.needsConfirmation) requireConfirmed(session)
    keepPlace(context.places.enter(accountId), request, reply)
    return { session, accountId, role }
  }
  return {
    handle(route, handler) {
      const [status = 200] = Object.keys(route.answers).map(Number)
      handle(
        app,
        route,
        async (call) => {
          const { request, reply } = call
          const who = request.panelCaller ?? {}
          const from = fromOf(request)
          const note = (tx: Tx, details: Readonly<Record<string, unknown>> = {}) => {
            const accountId = who.accountId ?? who.link?.accountId
            if (accountId === undefined) throw new Error('the audit trail is that of an account')
            const [target = ''] = request.url.split('?')
            return auditInsert(tx, accountId, actorOf(who, from), { action: route.id, target, details })
          }
          // `admit` has found what the route declares
          const answer = await handler({ ...call, ...who, from, note } as unknown as PanelCall<typeof route>)
          // a download
          if (reply.sent) return undefined
          void reply.code(status)
          return answer === undefined
            ? reply.send()
            : reply.header('Content-Type', 'application/json; charset=utf-8').send(JSON.stringify(answer))
        },
        async (request, reply) => {
          request.panelCaller = await admit(route, request, reply)
        },
      )
    },
  }
}

/** The error of routes that only owners may call. */
export const ownersOnly = () => new ShelfwireError('owner-required', 'only owners of the account may do this; ask one')

function actorOf({ session, link }: PanelCaller, from: From): Actor {
  if (session !== undefined) return { personId: session.personId, name: `${session.name} <${session.email}>`, ...from }
  return { personId: null, name: `link: ${must(link).name}`, ...from }
}

function accountIdOf(request: FastifyRequest): number {
  const { account_id: text = '' } = request.params as { account_id?: string }
  // an id that cannot exist belongs to no account
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

function requireRate(limit: RateLimit<number> | null, key: number): void {
  const state = limit?.take(key)
  if (state === undefined || state.isAllowed) return
  throw new ShelfwireError('rate-limited', 'this session sends too many requests; see Retry-After', {
    retryAfterSeconds: Math.max(1, state.resetSeconds),
  })
}

/** The link that a request carries as a bearer token. Addresses that name too many unknown ones are refused. */
async function linkOf(context: ServeContext, request: FastifyRequest, unknown: RateLimit<string>): Promise<OpenedLink> {
  const address = clientAddress(request)
  const state = unknown.look(address)
  if (!state.isAllowed)
    throw new ShelfwireError('rate-limited', 'your address has named too many unknown links; see Retry-After', {
      retryAfterSeconds: Math.max(1, state.resetSeconds),
    })
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const link = await findEndpointLink(context.db, token)
  if (link !== undefined) return link
  unknown.charge(address)
  throw new ShelfwireError('link-ended', 'this link was ended or has expired; ask for a new one')
}
