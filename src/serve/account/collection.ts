import {
  withArticle,
  type AccountResource,
  type ChangedMembers,
  type MemberNames,
  type NewMembers,
} from '../../../contract/account-resource.ts'
import type { Route } from '../../../contract/route.ts'
import { routesOfResource } from '../../../contract/routes/account-resources.ts'
import { settingsLock } from '../../accounts/settings-lock.sql.ts'
import type { Written } from '../../catalog/stale/written.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import type { Handlers } from '../context.ts'
import { handle, type Call } from '../handle.ts'
import { answerWrite, waitFor, type Outcome } from '../writing/answer-write.ts'
import { requireMatch } from '../writing/preconditions.ts'
import { splitEchoedMembers, requireEchoed } from '../writing/echoed.ts'
import { answerData, answerHeavyPage } from './answer-read.ts'
import { withDefaults } from './members.ts'

type Key = string | number
/** Members of a body, under their API names. */
type Members = Record<string, unknown>

/** The parts of a request that the answer to a write depends on. */
type Replied = Pick<Call<Route>, 'caller' | 'request' | 'reply'>

/** A created resource whose answer has members that are shown only once, such as a secret. */
export interface Made {
  key: Key
  once: (url: string) => Members
}

/**
 * How one account resource is read and written; this file has the rules common to all of them. The types of members
 * come from the resource's declaration.
 */
export interface Collection<
  R extends AccountResource,
  Row,
  Defaulted extends keyof R['fields'],
  Parent = undefined,
  Prepared = undefined,
> {
  resource: R
  /** Slow work on the sent members (opening a private key, for example), done before the transaction begins. */
  prepare?(accountId: number, members: Partial<NewMembers<R, Defaulted>>): Promise<Prepared>
  /** The resource that these belong to, from the parameters of the path. @throws ShelfwireError unknown-* when the account has none such. */
  parent?(reader: Reader, accountId: number, params: Readonly<Record<string, unknown>>): Promise<Parent>
  /** All of the account, or of the parent, in list order. */
  list(reader: Reader, accountId: number, parent: Parent): Promise<readonly Row[]>
  /** Reads single rows and pages, for collections too large to list as a whole. */
  apart?: Apart<Row, Parent>
  keyOf(row: Row): Key
  /** The stored form of a key from a path or body, where several spellings exist; left out: the key as it is. */
  canonicalKey?(given: string): string
  represent(row: Row): Readonly<Record<MemberNames<R>, unknown>>
  /** Values of members that a body leaves out, or that a patch sets to null. */
  defaults: Readonly<Record<Defaulted, unknown>>
  create(
    tx: Tx,
    accountId: number,
    members: NewMembers<R, Defaulted>,
    parent: Parent,
    prepared: Prepared,
  ): Promise<Written<Key | Made>>
  /** Sets the given members. */
  edit(tx: Tx, accountId: number, row: Row, members: ChangedMembers<R, Defaulted>, prepared: Prepared): Promise<Written>
  /** Sets all members, for PUT; `edit` when left out. */
  replace?(
    tx: Tx,
    accountId: number,
    row: Row,
    members: Omit<NewMembers<R, Defaulted>, R['fixed'][number]>,
  ): Promise<Written>
  remove(tx: Tx, accountId: number, row: Row): Promise<Written>
  /** Members in which null inside a patch has its own meaning (an entry of a map): they are passed on unchanged. */
  merged?: readonly (keyof R['fields'])[]
}

/** Reads of single resources and of pages. */
interface Apart<Row, Parent = unknown> {
  get(reader: Reader, accountId: number, key: Key, parent: Parent): Promise<Row | undefined>
  /** The rows after a key, at most `limit` and fewer where they are large, with the total of the collection. Left out: `list` is read whole. */
  page?(
    reader: Reader,
    accountId: number,
    after: Key,
    limit: number,
  ): Promise<{ rows: readonly Row[]; next: Key | null; total: number }>
}

/** A collection without the types of its members, for the code that all collections share, and for commands. */
// `any`: the type of a row is known only to its own collection, which gets back only rows that it returned itself
// oxlint-disable-next-line typescript/no-explicit-any
export interface Untyped<Row = any> {
  resource: AccountResource
  prepare?(accountId: number, members: Members): Promise<unknown>
  parent?(reader: Reader, accountId: number, params: Members): Promise<unknown>
  list(reader: Reader, accountId: number, parent: unknown): Promise<readonly Row[]>
  apart?: Apart<Row>
  keyOf(row: Row): Key
  canonicalKey?(given: string): string
  represent(row: Row): Members
  defaults: Members
  create(tx: Tx, accountId: number, members: Members, parent: unknown, prepared?: unknown): Promise<Written<Key | Made>>
  edit(tx: Tx, accountId: number, row: Row, members: Members, prepared?: unknown): Promise<Written>
  replace?(tx: Tx, accountId: number, row: Row, members: Members): Promise<Written>
  remove(tx: Tx, accountId: number, row: Row): Promise<Written>
  merged?: readonly string[]
}

/** Declares an account resource. The types check it against the resource's declaration; the value is returned unchanged. */
export function collection<
  R extends AccountResource,
  Row,
  Defaulted extends keyof R['fields'],
  Parent = undefined,
  Prepared = undefined,
>(typed: Collection<R, Row, Defaulted, Parent, Prepared>): Untyped {
  // bodies are checked by the same schemas that the types come from
  return typed as unknown as Untyped
}

/** One resource by its key, in the stored form. */
export async function findOne<Row>(
  collection: Untyped<Row>,
  reader: Reader,
  accountId: number,
  wanted: Key,
  parent: unknown,
): Promise<Row | undefined> {
  if (collection.apart !== undefined && typeof wanted === typeof firstKey(collection.resource))
    return collection.apart.get(reader, accountId, wanted, parent)
  return (await collection.list(reader, accountId, parent)).find((row) => collection.keyOf(row) === wanted)
}

/** Sorts before every key. */
const firstKey = ({ key }: AccountResource): Key => (key.isText ? '' : 0)

/** Handlers of GET, POST, PUT (where the owner chooses the key), PATCH and DELETE of one account resource. */
export function collectionHandlers<Row>(collection: Untyped<Row>): Handlers {
  const { resource } = collection
  const { path, noun, key } = resource
  const routes = routesOfResource(resource)
  const given = Object.keys(resource.given)
  const stateNames = Object.keys(resource.state ?? {})

  const canonical = collection.canonicalKey ?? ((sent: string) => sent)
  const keyOf = ({ params }: { params: Members }): Key => {
    const wanted = params[key.name] as Key
    return typeof wanted === 'string' ? canonical(wanted) : wanted
  }
  const parentOf = async (reader: Reader, accountId: number, params: Members) =>
    collection.parent?.(reader, accountId, params)
  const find = (reader: Reader, accountId: number, wanted: Key, parent: unknown) =>
    findOne(collection, reader, accountId, wanted, parent)
  const missing = (wanted: Key) =>
    new ShelfwireError('unknown-reference', `the account has no ${noun} "${String(wanted).slice(0, 80)}"`)
  /** A row split into the members that are set and those that change without an edit. */
  const represent = (row: Row) => partState(collection.represent(row), stateNames)
  const represented = async (tx: Tx, accountId: number, wanted: Key, parent: unknown) => {
    const row = await find(tx, accountId, wanted, parent)
    if (row === undefined) throw missing(wanted)
    return represent(row)
  }
  const location = (params: Members, wanted: Key) =>
    `/v1/account/${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))}/${encodeURIComponent(wanted)}`

  return (app, context) => {
    /** The rows of a page, the cursor of the next page or null, and the total. */
    const pageOf = async (accountId: number, params: Members, after: Key | undefined, perPage: number) => {
      if (collection.apart?.page !== undefined)
        return collection.apart.page(context.db, accountId, after ?? firstKey(resource), perPage)
      const parent = await parentOf(context.db, accountId, params)
      const all = [...(await collection.list(context.db, accountId, parent))].sort((a, b) =>
        isBefore(collection.keyOf(a), collection.keyOf(b)) ? -1 : 1,
      )
      const rest = after === undefined ? all : all.filter((row) => isBefore(after, collection.keyOf(row)))
      const rows = rest.slice(0, perPage)
      const last = rows.at(-1)
      return {
        rows,
        next: rest.length > perPage && last !== undefined ? collection.keyOf(last) : null,
        total: all.length,
      }
    }

    /** A write of settings that takes its lock before the first read, so that If-Match is checked against the state that is overwritten. */
    const change = async (
      { caller, request, reply, params }: Replied & { params: Members },
      sent: Members | null,
      work: (tx: Tx, accountId: number, parent: unknown, prepared: unknown) => Promise<Outcome>,
    ) => {
      const prepared = sent === null ? undefined : await collection.prepare?.(caller.accountId, sent)
      return answerWrite(context, request, reply, async (tx, accountId) => {
        await settingsLock(tx, accountId)
        return work(tx, accountId, await parentOf(tx, accountId, params), prepared)
      })
    }

    handle(app, routes.list, async (call) => {
      const { per_page: perPage, after } = call.query as { per_page: number; after: Key | undefined }
      return answerHeavyPage(context.largeAnswers, call, perPage, async () => {
        const page = await pageOf(call.caller.accountId, call.params, after, perPage)
        return {
          ...page,
          keyOf: (row) => collection.keyOf(row),
          represent: (row) => collection.represent(row),
          meta: (next) => ({ per_page: perPage, total: page.total, next_after: next }),
        }
      })
    })
    handle(app, routes.get, async (call) => {
      const wanted = keyOf(call)
      const { accountId } = call.caller
      const row = await find(context.db, accountId, wanted, await parentOf(context.db, accountId, call.params))
      if (row === undefined) throw missing(wanted)
      const { data, state } = represent(row)
      return answerData(call, data, undefined, state)
    })
    handle(app, routes.create, (call) => {
      const members = withDefaults(call.body as Members, collection.defaults)
      return change(call, members, async (tx, accountId, parent, prepared) => {
        const own = key.isText ? canonical(members[key.name] as string) : null
        if (own !== null && (await find(tx, accountId, own, parent)) !== undefined) {
          throw new ShelfwireError(
            'conflict',
            `${withArticle(noun)} "${own.slice(0, 80)}" exists already; PUT replaces it, PATCH changes it`,
          )
        }
        const made = await writing(() => collection.create(tx, accountId, members, parent, prepared))
        const { value } = made
        const [madeKey, once] =
          typeof value === 'object' ? [value.key, value.once(context.publicUrl())] : [value, undefined]
        return {
          ...waitFor(made),
          status: 201,
          ...(await represented(tx, accountId, madeKey, parent)),
          location: location(call.params, madeKey),
          ...(once === undefined ? {} : { once }),
        }
      })
    })
    if (routes.put !== null) {
      handle(app, routes.put, (call) => {
        const wanted = keyOf(call)
        const { members: sent, echoed } = splitEchoedMembers(call.body as Members, [key.name, ...given, ...stateNames])
        const members = withDefaults(sent, collection.defaults)
        return change(call, members, async (tx, accountId, parent, prepared) => {
          const row = await find(tx, accountId, wanted, parent)
          const current = row === undefined ? null : represent(row).data
          requireMatch(call.request, current)
          requireEchoed(noun, without(echoed, stateNames), current ?? { [key.name]: wanted })
          if (row === undefined || current === null) {
            const made = await writing(() =>
              collection.create(tx, accountId, { ...members, [key.name]: wanted }, parent, prepared),
            )
            return {
              ...waitFor(made),
              status: 201,
              ...(await represented(
                tx,
                accountId,
                typeof made.value === 'object' ? made.value.key : made.value,
                parent,
              )),
              location: location(call.params, wanted),
            }
          }
          const { members: rest, echoed: fixed } = splitEchoedMembers(members, resource.fixed)
          requireEchoed(noun, fixed, current, 'never changes')
          const written = await writing(() =>
            (collection.replace ?? collection.edit)(tx, accountId, row, rest, prepared),
          )
          return { ...waitFor(written), status: 200, ...(await represented(tx, accountId, wanted, parent)) }
        })
      })
    }
    handle(app, routes.patch, (call) => {
      const wanted = keyOf(call)
      return change(call, call.body as Members, async (tx, accountId, parent, prepared) => {
        const row = await find(tx, accountId, wanted, parent)
        if (row === undefined) throw missing(wanted)
        const current = represent(row).data
        requireMatch(call.request, current)
        const members = patched(collection, current, call.body as Members)
        const written = await writing(() => collection.edit(tx, accountId, row, members, prepared))
        return { ...waitFor(written), status: 200, ...(await represented(tx, accountId, wanted, parent)) }
      })
    })
    handle(app, routes.delete, (call) => {
      const wanted = keyOf(call)
      return change(call, null, async (tx, accountId, parent) => {
        const row = await find(tx, accountId, wanted, parent)
        if (row === undefined) throw missing(wanted)
        requireMatch(call.request, represent(row).data)
        return { ...waitFor(await collection.remove(tx, accountId, row)), status: 204 }
      })
    })
  }
}

/** Splits a representation: `data` has the members that are set, `state`, if there are any, those that change without an edit. */
function partState(members: Members, names: readonly string[]): { data: Members; state?: Members } {
  if (names.length === 0) return { data: members }
  return {
    data: without(members, names),
    state: Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name))),
  }
}

function without(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

/** The error for an id in a path that the account does not have. */
export const unknownOne = ({ noun }: AccountResource, wanted: Key) =>
  new ShelfwireError('unknown-reference', `the account has no ${noun} "${String(wanted).slice(0, 80)}"`)

/**
 * The members that the body of a PATCH sets. @param current the present representation of the resource.
 * @throws ShelfwireError invalid-input for a member that cannot be set and differs, or that cannot be null.
 */
export function membersOfPatch<R extends AccountResource, Row, Defaulted extends keyof R['fields']>(
  typed: Collection<R, Row, Defaulted>,
  current: Members,
  body: Members,
): ChangedMembers<R, Defaulted> {
  // bodies are checked by the same schemas that the types come from
  return patched(typed as unknown as Untyped<Row>, current, body) as ChangedMembers<R, Defaulted>
}

function patched<Row>(collection: Untyped<Row>, current: Members, body: Members): Members {
  const { noun, fixed, given, state } = collection.resource
  const stateNames = Object.keys(state ?? {})
  const { members, echoed } = splitEchoedMembers(body, [...fixed, ...Object.keys(given), ...stateNames])
  requireEchoed(noun, without(echoed, stateNames), current)
  return reset(collection, members)
}

/** A patch with each null replaced by the default. */
function reset<Row>({ resource, defaults, merged = [] }: Untyped<Row>, patch: Members): Members {
  const faults = Object.entries(patch).flatMap(([name, value]) =>
    value === null && resource.required.includes(name) ? [{ name, reason: 'is required and has no default' }] : [],
  )
  const [first] = faults
  if (first !== undefined)
    throw new ShelfwireError('invalid-input', `${resource.noun}: ${first.name} ${first.reason}`, { faults })
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => [
      name,
      value === null && !merged.includes(name) ? (defaults[name] ?? null) : value,
    ]),
  )
}

/** Runs `work`, and turns its unknown-* errors into invalid-input: an unknown id in a body is a fault of the body, not of the path. */
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

function isBefore(a: Key, b: Key): boolean {
  return a < b
}
