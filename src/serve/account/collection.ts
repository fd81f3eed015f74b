import type { FastifyReply, FastifyRequest } from 'fastify'
import { createBody, patchBody, putBody, withArticle, type SourceResource } from '../../../contract/sources.ts'
import { accountInputsLock } from '../../catalog/settings/account-inputs.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { answer } from '../answer.ts'
import { callerOf, type Route, type ServeContext } from '../context.ts'
import { Query } from '../query.ts'
import { answerWrite } from '../writing/answer-write.ts'
import { requireMatch, sourceBody, sourceTag } from '../writing/preconditions.ts'
import { partEchoed, requireEchoed } from '../writing/echoed.ts'
import { shapeReader } from '../writing/shape.ts'
import { withDefaults } from './members.ts'

type Key = string | number
/** Members of a body by the names that the API has for them. */
export type Members = Record<string, unknown>

/** What was made, with what is shown of it once. */
export interface Made {
  key: Key
  once: (url: string) => Members
}

/** How a kind of small source resource is read and written; the grammar of all of them is in this file. */
export interface Collection<Row> {
  resource: SourceResource
  /** All of the account, in the order of the list. */
  list(reader: Reader, accountId: number): Promise<readonly Row[]>
  keyOf(row: Row): Key
  /** The form in which a key is stored that a path or body names, where there are several; itself unless set. */
  canonicalKey?(given: string): string
  represent(row: Row): Members
  /** What members are that a body leaves out, or a patch sets to null. */
  defaults: Members
  create(tx: Tx, accountId: number, members: Members): Promise<Key | Made>
  /** Sets what is named. */
  edit(tx: Tx, accountId: number, row: Row, members: Members): Promise<void>
  /** Sets all members, for PUT; `edit` unless stated. */
  replace?(tx: Tx, accountId: number, row: Row, members: Members): Promise<void>
  remove(tx: Tx, accountId: number, row: Row): Promise<void>
  /** Whether a patch's null inside a member has a meaning of its own (a map's entry): then it is handed on as it is. */
  isMerged?: readonly string[]
}

/** GET, POST, PUT (where the key is the owner's), PATCH and DELETE of one kind of source resource. */
export function collectionRoutes<Row>(collection: Collection<Row>): Route {
  const { resource } = collection
  const { path, noun, key } = resource
  const given = Object.keys(resource.given)
  const readers = {
    create: shapeReader(createBody(resource)),
    put: shapeReader(putBody(resource)),
    patch: shapeReader(patchBody(resource)),
  }

  const canonical = collection.canonicalKey ?? ((given: string) => given)
  const keyOfPath = (request: FastifyRequest): Key => {
    const text = (request.params as { key: string }).key
    return key.isText ? canonical(text) : /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
  }
  const find = async (reader: Reader, accountId: number, wanted: Key) =>
    (await collection.list(reader, accountId)).find((row) => collection.keyOf(row) === wanted)
  const missing = (wanted: Key) =>
    new ShelfwireError('unknown-reference', `the account has no ${noun} «${String(wanted).slice(0, 80)}»`)
  const represented = async (tx: Tx, accountId: number, wanted: Key) => {
    const row = await find(tx, accountId, wanted)
    if (row === undefined) throw missing(wanted)
    return collection.represent(row)
  }
  const location = (wanted: Key) => `/v1/account/${path}/${encodeURIComponent(wanted)}`

  /** A configuration write: they take turns, so what a precondition was held against is what is written. */
  const change = (
    context: ServeContext,
    request: FastifyRequest,
    reply: FastifyReply,
    work: Parameters<typeof answerWrite>[3],
  ) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      await accountInputsLock(tx, accountId)
      return { ...(await work(tx, accountId)), isForAll: true }
    })

  return (app, context) => {
    app.get(`/${path}`, async (request, reply) => answerList(context, collection, request, reply))
    app.get(`/${path}/:key`, async (request, reply) => {
      const wanted = keyOfPath(request)
      const row = await find(context.db, callerOf(request).accountId, wanted)
      if (row === undefined) throw missing(wanted)
      const body = sourceBody(collection.represent(row))
      return answer(request, reply, body, sourceTag(body))
    })
    app.post(`/${path}`, (request, reply) => {
      const members = withDefaults(readers.create(request.body, noun), collection.defaults)
      return change(context, request, reply, async (tx, accountId) => {
        const stated = key.isText ? canonical(members[key.name] as string) : null
        if (stated !== null && (await find(tx, accountId, stated)) !== undefined) {
          throw new ShelfwireError(
            'conflict',
            `${withArticle(noun)} «${stated.slice(0, 80)}» exists already; PUT replaces it, PATCH changes it`,
          )
        }
        const made = await writing(() => collection.create(tx, accountId, members))
        const [madeKey, once] =
          typeof made === 'object' ? [made.key, made.once(context.publicUrl())] : [made, undefined]
        return {
          status: 201,
          data: await represented(tx, accountId, madeKey),
          location: location(madeKey),
          ...(once === undefined ? {} : { once }),
        }
      })
    })
    if (key.isText) {
      app.put(`/${path}/:key`, (request, reply) => {
        const wanted = keyOfPath(request)
        const { members: stated, echoed } = partEchoed(readers.put(request.body, noun), [key.name, ...given])
        const members = withDefaults(stated, collection.defaults)
        return change(context, request, reply, async (tx, accountId) => {
          const row = await find(tx, accountId, wanted)
          const current = row === undefined ? null : collection.represent(row)
          requireMatch(request, current)
          requireEchoed(noun, echoed, current ?? { [key.name]: wanted })
          if (row === undefined || current === null) {
            const made = await writing(() => collection.create(tx, accountId, { ...members, [key.name]: wanted }))
            return {
              status: 201,
              data: await represented(tx, accountId, typeof made === 'object' ? made.key : made),
              location: location(wanted),
            }
          }
          const { members: rest, echoed: fixed } = partEchoed(members, resource.fixed)
          requireEchoed(noun, fixed, current, 'never changes')
          await writing(() => (collection.replace ?? collection.edit)(tx, accountId, row, rest))
          return { status: 200, data: await represented(tx, accountId, wanted) }
        })
      })
    }
    app.patch(`/${path}/:key`, (request, reply) => {
      const wanted = keyOfPath(request)
      const { members: patch, echoed } = partEchoed(readers.patch(request.body, noun), [...resource.fixed, ...given])
      return change(context, request, reply, async (tx, accountId) => {
        const row = await find(tx, accountId, wanted)
        if (row === undefined) throw missing(wanted)
        const current = collection.represent(row)
        requireMatch(request, current)
        requireEchoed(noun, echoed, current)
        await writing(() => collection.edit(tx, accountId, row, reset(collection, patch)))
        return { status: 200, data: await represented(tx, accountId, wanted) }
      })
    })
    app.delete(`/${path}/:key`, (request, reply) => {
      const wanted = keyOfPath(request)
      return change(context, request, reply, async (tx, accountId) => {
        const row = await find(tx, accountId, wanted)
        if (row === undefined) throw missing(wanted)
        requireMatch(request, collection.represent(row))
        await collection.remove(tx, accountId, row)
        return { status: 204 }
      })
    })
  }
}

/** A patch with its nulls as what they go back to. */
function reset<Row>({ resource, defaults, isMerged = [] }: Collection<Row>, patch: Members): Members {
  const faults = Object.entries(patch).flatMap(([name, value]) =>
    value === null && resource.required.includes(name) ? [{ name, reason: 'is required and has no default' }] : [],
  )
  const [first] = faults
  if (first !== undefined)
    throw new ShelfwireError('invalid-input', `${resource.noun}: ${first.name} ${first.reason}`, { faults })
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => [
      name,
      value === null && !isMerged.includes(name) ? (defaults[name] ?? null) : value,
    ]),
  )
}

/** In what a body names, an id that the account does not have is a fault of the body, not of the address. */
export async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (
      error instanceof ShelfwireError &&
      ['unknown-reference', 'unknown-store', 'unknown-supplier', 'unknown-product'].includes(error.code)
    ) {
      throw new ShelfwireError('invalid-input', error.message, { faults: error.faults, cause: error })
    }
    throw error
  }
}

/** A page of the list after a key, in the list's order. */
async function answerList<Row>(
  context: ServeContext,
  collection: Collection<Row>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { isText } = collection.resource.key
  const query = new Query(request.query)
  const perPage = query.clamped('per_page', { min: 1, max: LIMITS.perPageMax }) ?? LIMITS.perPageDefault
  const after = isText ? query.text('after') : query.integer('after', { min: 0 })
  query.doneClosed()
  const rows = [...(await collection.list(context.db, callerOf(request).accountId))].sort((a, b) =>
    isBefore(collection.keyOf(a), collection.keyOf(b)) ? -1 : 1,
  )
  const rest = after === undefined ? rows : rows.filter((row) => isBefore(after, collection.keyOf(row)))
  const page = rest.slice(0, perPage)
  const last = page.at(-1)
  const next = rest.length > perPage && last !== undefined ? collection.keyOf(last) : null
  const body = JSON.stringify({
    data: page.map((row) => collection.represent(row)),
    meta: { per_page: perPage, total: rows.length, next_after: next },
  })
  return answer(request, reply, body, sourceTag(body))
}

function isBefore(a: Key, b: Key): boolean {
  return a < b
}
