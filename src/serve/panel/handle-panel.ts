import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PROVIDER_SIGN_OUT } from '../../../contract/panel/provider-sign-in.ts'
import type { PanelRoute } from '../../../contract/panel/route.ts'
import type { MemberRole } from '../../accounts/members.sql.ts'
import type { Tx } from '../../db/sql.ts'
import { auditInsert, type Actor } from '../../people/audit.sql.ts'
import { requireActive } from '../../accounts/suspensions.ts'
import { requireMembership } from '../../people/account-rules.ts'
import { requireConfirmed } from '../../people/sign-in/confirmed.ts'
import type { From } from '../../people/persons.sql.ts'
import type { SignedIn } from '../../people/sign-in/sessions.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openRateLimit, type RateLimit } from '../../platform/turns/rate-limit.ts'
import { openSecretLookups, type SecretLookups } from '../../platform/secrets/secret-lookups.ts'
import { findEndpointLink, type OpenedLink } from '../../webhooks/links/links.ts'
import { keepPlace } from '../account-places.ts'
import { clientAddress } from '../client-address.ts'
import type { ServeContext } from '../context.ts'
import { handle, type Call } from '../handle.ts'
import { openSlots } from '../slots.ts'
import type { BodySender } from '../writing/body-budget.ts'
import { must } from '../../platform/must.ts'
import { fromOf, isWrite, requireSameOrigin, requireSession } from './session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of a route of the panel; null elsewhere. */
    panelCaller: PanelCaller | null
  }
}

/** The caller, with what the route's access requires. */
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

/** A request to the panel, checked against the declaration of its route, with its caller. */
export type PanelCall<R extends PanelRoute> = Call<R> &
  WhoCalls<R> & {
    from: From
    /** Writes an entry of the audit trail for the action, in the action's transaction. `details` must hold no secrets. */
    note: (tx: Tx, details?: Readonly<Record<string, unknown>>) => PromiseLike<unknown>
  }

/** Returns the body of the route's success; undefined if it has none. A download sends its answer itself. */
export type PanelHandler<R extends PanelRoute> = (call: PanelCall<R>) => Promise<object | undefined>

/** Registers handlers of the panel: like `handle`, and checks the access that a route declares. */
export interface PanelApp {
  handle<const R extends PanelRoute>(route: R, handler: PanelHandler<R>): void
}

/** @param app a scope with the prefix of the panel's routes */
export function openPanelApp(app: FastifyInstance, context: ServeContext): PanelApp {
  const perSecond = context.ratePerSecond
  const openRate = () =>
    perSecond > 0 ? openRateLimit<number>({ perSecond, burst: perSecond * LIMITS.rateBurstSeconds }) : null
  const [perSession, perLink] = [openRate(), openRate()]
  const perVisitor = openRateLimit<string>({
    perSecond: LIMITS.visitorRequestsPerSecond,
    burst: LIMITS.visitorRequestsAtOnce,
  })
  const links = openSecretLookups('links')
  const linkSlots = openSlots(
    'requests by links',
    { all: LIMITS.linkRequestsMax, ofAccount: LIMITS.linkRequestsPerLinkMax },
    () =>
      new ShelfwireError(
        'rate-limited',
        'as many requests by links as are allowed are being answered; see Retry-After',
        {
          retryAfterSeconds: 1,
        },
      ),
  )
  /** Charges the account for one more request: its rate, and a place until the request is answered. */
  const enter = (accountId: number, request: FastifyRequest, reply: FastifyReply, onLeave?: () => void) => {
    // not while the account's node is away: the limit would ask that node
    if (!context.db.nodes.isAway(accountId)) context.rates.takeOfAccount(accountId)
    keepPlace(context.places.enter(accountId, onLeave), request, reply)
  }
  app.decorateRequest('panelCaller', null)
  app.addHook('onRoute', (options) => void (options.bodyLimit ??= LIMITS.panelBodyBytesMax))
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.header('Cache-Control', 'no-store').header('Vary', 'Cookie, Authorization')
    done()
  })
  const admit = async (route: PanelRoute, request: FastifyRequest, reply: FastifyReply): Promise<PanelCaller> => {
    const { panelAccess } = route
    if (panelAccess === 'link') {
      const link = await linkOf(context, request, links)
      requireActive(context.db, link.accountId)
      requireRate(perLink, link.linkId, 'link')
      const free = linkSlots.take(link.linkId)
      try {
        enter(link.accountId, request, reply, free)
      } catch (error) {
        // the slot may have been freed with the place; a second call does nothing
        free()
        throw error
      }
      return { link }
    }
    if (panelAccess === 'visitor') {
      // not for this route: an identity provider signs out all its people from one address, and sends each request only once
      if (route.id !== PROVIDER_SIGN_OUT.id) requireRate(perVisitor, clientAddress(request), 'address')
      if (isWrite(request)) requireSameOrigin(request, context)
      return {}
    }
    const session = await requireSession(context, request)
    requireRate(perSession, session.sessionId, 'session')
    if (panelAccess === 'person') {
      if (route.needsConfirmation) requireConfirmed(session)
      return { session }
    }
    const accountId = accountIdOf(request)
    const { role } = await requireMembership(context.db, session, accountId)
    requireActive(context.db, accountId)
    if (panelAccess === 'owner' && role !== 'owner') throw ownersOnly()
    if (route.needsConfirmation) requireConfirmed(session)
    enter(accountId, request, reply)
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
          // `admitRequest` has set what the route's access declares
          const answer = await handler({ ...call, ...who, from, note } as unknown as PanelCall<typeof route>)
          // a download has been sent by its handler
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

/** Whose budget of bytes the body of a request to the panel is charged to. */
export function panelSender(request: FastifyRequest): BodySender {
  const { session, accountId, link } = request.panelCaller ?? {}
  if (accountId !== undefined) return { kind: 'account', key: accountId }
  if (link !== undefined) return { kind: 'person', key: `link ${link.linkId}` }
  if (session !== undefined) return { kind: 'person', key: `person ${session.personId}` }
  return { kind: 'stranger', key: clientAddress(request) }
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

function requireRate<Key extends string | number>(
  limit: RateLimit<Key> | null,
  key: Key,
  whose: 'session' | 'link' | 'address',
): void {
  const state = limit?.take(key)
  if (state === undefined || state.isAllowed) return
  throw new ShelfwireError('rate-limited', `this ${whose} sends too many requests; see Retry-After`, {
    retryAfterSeconds: Math.max(1, state.resetSeconds),
  })
}

/**
 * The link whose token a request carries. Addresses that send too many unknown tokens are refused.
 * @throws ShelfwireError link-ended, rate-limited
 */
async function linkOf(context: ServeContext, request: FastifyRequest, links: SecretLookups): Promise<OpenedLink> {
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const link = await links.find(token, clientAddress(request), () => findEndpointLink(context.db, token))
  if (link !== undefined) return link
  throw new ShelfwireError('link-ended', 'this link was ended or has expired; ask for a new one')
}
