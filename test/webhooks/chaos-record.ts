import type { Db } from '../../src/db/sql.ts'
import { CHANGE_KINDS, type ChangeKind } from '../../src/model/change.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import type { StartNumbers } from '../../src/webhooks/plan/plan.ts'
import type { Arrival } from './chaos-receiver.ts'

// The deliveries that each endpoint must and must not receive, recorded by the test and compared with the `change` table.

type Key = `${ChangeKind}.${number}`
const keyOf = (kind: ChangeKind, storeId: number): Key => `${kind}.${storeId}`

export interface Wanted {
  kinds: readonly ChangeKind[]
  /** null: all stores. */
  storeId: number | null
}

/** A subscription of an endpoint for some time; two overlap while an owner's request is in progress. */
interface Version extends Wanted {
  from: number
  to: number
  /** No change up to this number is for it; null while it is being moved back. */
  floors: ReadonlyMap<Key, number> | null
}

export interface Watched extends Wanted {
  path: string
  accountId: number
  storeIds: readonly number[]
  endpointId: number
  isEnabled: boolean
  versions: Version[]
  /** Every change above it must be delivered. */
  must: Map<Key, number>
  /** kind.store.product -> the number of the change when the acknowledged delivery arrived. */
  delivered: Map<string, number>
  /** An owner's request is in progress; a check that began before one is dropped. */
  isBusy: boolean
  epoch: number
  requestedAt: number
}

/**
 * The longest time between the claim of a delivery and its signature. A second is added for a process that is halted between its
 * last check of the clock and the signature. The arrival says less: on a loaded machine it was 8 seconds later.
 */
const LATE_MS = LIMITS.webhookStartLatenessMs + 1_000
const SLACK_MS = 20

export function watch(
  path: string,
  accountId: number,
  endpointId: number,
  storeIds: readonly number[],
  wanted: Wanted,
  before: number,
  after: number,
  from: number,
): Watched {
  const keys = keysOf(storeIds, wanted)
  const floors = new Map(keys.map((key) => [key, before]))
  return {
    ...wanted,
    path,
    accountId,
    storeIds,
    endpointId,
    isEnabled: true,
    must: new Map(keys.map((key) => [key, after])),
    delivered: new Map(),
    versions: [{ ...wanted, from, to: Infinity, floors }],
    isBusy: false,
    epoch: 0,
    requestedAt: 0,
  }
}

function keysOf(storeIds: readonly number[], { kinds, storeId }: Wanted): Key[] {
  return kinds.flatMap((kind) => (storeId === null ? storeIds : [storeId]).map((id) => keyOf(kind, id)))
}

export async function headOf(db: Db, accountId: number): Promise<number> {
  const [row] = await db<{ last_id: number }[]>`select last_id from change_counter where account_id = ${accountId}`
  return row?.last_id ?? 0
}

/** Runs an owner's request: deliveries of both the old and the new subscription are allowed until it has ended. */
async function ownerRequest(endpoint: Watched, next: Version, work: () => Promise<Version>): Promise<void> {
  endpoint.isBusy = true
  endpoint.epoch++
  const old = endpoint.versions.at(-1)!
  endpoint.versions.push(next)
  const done = await work()
  Object.assign(next, done)
  old.to = Date.now()
  endpoint.versions.splice(0, Math.max(0, endpoint.versions.length - 60))
  endpoint.requestedAt = Date.now()
  endpoint.isBusy = false
}

export async function edited(db: Db, endpoint: Watched, wanted: Wanted, edit: () => Promise<void>): Promise<void> {
  const head = await headOf(db, endpoint.accountId)
  const old = endpoint.versions.at(-1)!
  const keys = keysOf(endpoint.storeIds, wanted)
  const floors = new Map(keys.map((key) => [key, old.floors?.get(key) ?? head]))
  await ownerRequest(endpoint, { ...wanted, from: Date.now(), to: Infinity, floors }, async () => {
    await edit()
    const after = await headOf(db, endpoint.accountId)
    endpoint.must = new Map(keys.map((key) => [key, endpoint.must.get(key) ?? after]))
    Object.assign(endpoint, wanted)
    return endpoint.versions.at(-1)!
  })
}

/** Everything that changed at or after `since` must be delivered again. */
export async function rewound(db: Db, endpoint: Watched, since: Date, rewind: () => Promise<void>): Promise<void> {
  const kept = endpoint.delivered
  const old = endpoint.versions.at(-1)!
  // later changes can only move this position further back
  const [row] = await db<{ place: number }[]>`
    select coalesce(max(change_id), 0) as place from change where account_id = ${endpoint.accountId} and changed_at < date_trunc('second', ${since}::timestamptz)`
  const place = row?.place ?? 0
  await ownerRequest(endpoint, { ...old, from: Date.now(), to: Infinity, floors: null }, async () => {
    endpoint.delivered = new Map()
    await rewind()
    const [state] = await db<{ starts: StartNumbers }[]>`
      select starts from endpoint_state where account_id = ${endpoint.accountId} and endpoint_id = ${endpoint.endpointId}`
    for (const [key, number] of kept)
      if (number <= place && (endpoint.delivered.get(key) ?? 0) < number) endpoint.delivered.set(key, number)
    endpoint.must = new Map([...endpoint.must].map(([key, start]) => [key, Math.min(start, place)]))
    const startOf = (kind: ChangeKind, storeId: number) =>
      state?.starts[kind]?.[storeId] ?? state?.starts[kind]?.[0] ?? Infinity
    const floors = endpoint.kinds.flatMap((kind) =>
      endpoint.storeIds.map((id): [Key, number] => {
        const key = keyOf(kind, id)
        return [key, Math.min(startOf(kind, id), old.floors?.get(key) ?? Infinity)]
      }),
    )
    return { ...endpoint.versions.at(-1)!, floors: new Map(floors.filter(([, floor]) => floor !== Infinity)) }
  })
}

/** Runs a request that changes neither kinds nor stores, but voids earlier plans. */
export async function switched(endpoint: Watched, isEnabled: boolean, work: () => Promise<void>): Promise<void> {
  await ownerRequest(endpoint, { ...endpoint.versions.at(-1)!, from: Date.now(), to: Infinity }, async () => {
    await work()
    endpoint.isEnabled = isEnabled
    return endpoint.versions.at(-1)!
  })
}

interface Row {
  storeId: number
  productId: number
  price: number | null
  content: number | null
  removed: number | null
  newest: number
  isReadable: boolean
  isPartly: boolean
}

/** The changes that a client knows from an acknowledged delivery. */
export type Lesson = [key: string, number: number][]

/** Checks a delivery when it arrives, by one query. */
export async function judge(db: Db, endpoint: Watched, arrival: Arrival): Promise<{ wrong: string[]; lesson: Lesson }> {
  const { accountId, endpointId } = endpoint
  const kind = CHANGE_KINDS.find((known) => known === arrival.event)
  const stores = arrival.storeId === null ? endpoint.storeIds : [arrival.storeId]
  const rows = await db<(Row & { state: string | null; origin: string | null; createdAt: number | null })[]>`
    select d.state, d.origin, d.created as "createdAt", c.* from (select 1) one
    left join lateral (select state, origin, (extract(epoch from created_at) * 1000)::float8 as created from delivery
      where account_id = ${accountId} and endpoint_id = ${endpointId} and delivery_id = ${arrival.deliveryId} offset 0) d on true
    left join lateral (
      select c.store_id as "storeId", c.product_id as "productId", c.price_id as price, c.content_id as content, c.removed_id as removed,
        c.change_id as newest, p.product_id is not null and t.product_id is not null as "isReadable", (p.product_id is null) <> (t.product_id is null) as "isPartly"
      from unnest(${[...stores]}::bigint[]) as s (store_id) cross join unnest(${arrival.productIds}::bigint[]) as w (product_id)
      join change c on c.account_id = ${accountId} and c.store_id = s.store_id and c.product_id = w.product_id
      left join payload_price p on p.account_id = ${accountId} and p.store_id = s.store_id and p.product_id = w.product_id
      left join payload_content t on t.account_id = ${accountId} and t.store_id = s.store_id and t.product_id = w.product_id
      offset 0
    ) c on true`
  const { state = null, origin = null, createdAt = null } = rows[0] ?? {}
  const found = Map.groupBy(
    rows.filter((row) => row.productId !== null),
    (row) => row.productId,
  )
  const wrong: string[] = []
  const say = (what: string) =>
    wrong.push(`${arrival.path} ${arrival.deliveryId} (${origin}, ${state}): ${what}: ${arrival.body.slice(0, 200)}`)
  if (kind === undefined || createdAt === null)
    return { wrong: [`${arrival.path}: unknown event or delivery: ${arrival.body.slice(0, 200)}`], lesson: [] }
  if (state !== 'waiting' && !(endpoint.isBusy || arrival.sentAt - endpoint.requestedAt < LATE_MS))
    say(
      `sent though it is over, ${arrival.sentAt - endpoint.requestedAt} ms after the request, and arrived ${arrival.at - arrival.sentAt} ms later`,
    )
  if (!endpoint.isEnabled && !endpoint.isBusy && arrival.sentAt - endpoint.requestedAt > LATE_MS)
    say('sent while it is switched off')
  if (new Set(arrival.productIds).size !== arrival.productIds.length || arrival.productIds.length === 0)
    say('ids twice, or none')
  const versions = endpoint.versions.filter(
    ({ from, to }) => from <= arrival.at + SLACK_MS && to >= createdAt - SLACK_MS,
  )
  // a redelivery that an owner requests has the current state, whenever it changed
  const isAnyTime = origin === 'redelivery'
  const isWanted = ({ kinds, storeId, floors }: Version) =>
    kinds.includes(kind) &&
    (storeId === null ? stores.every((id) => endpoint.storeIds.includes(id)) : storeId === arrival.storeId) &&
    arrival.productIds.every((id) => {
      const delivered = (found.get(id) ?? []).filter(
        (row) =>
          (row[kind] ?? row.newest) >
          (isAnyTime || floors === null ? 0 : (floors.get(keyOf(kind, row.storeId)) ?? Infinity)),
      )
      return delivered.length >= (arrival.storeId === null ? 2 : 1)
    })
  if (!versions.some(isWanted))
    say(
      `not for this endpoint, ${JSON.stringify(versions.map(({ kinds, storeId, floors }) => [kinds, storeId, [...(floors ?? [])]]))}`,
    )
  for (const id of arrival.productIds) {
    const each = found.get(id) ?? []
    if (each.some((row) => row.isPartly || row.isReadable !== (row.removed === null)))
      say(`product ${id} is half there`)
    const readable = each.filter((row) => row.isReadable).length
    const isGone = each.some((row) => row.removed !== null)
    if (kind !== 'removed' && readable < (arrival.storeId === null ? 2 : 1) && !isGone)
      say(`product ${id} cannot be read`)
    if (kind === 'removed' && each.some((row) => row.isReadable && (row.price ?? 0) === 0))
      say(`product ${id} is still there`)
  }
  const lesson = rows.flatMap((row): Lesson =>
    row.productId !== null && row[kind] !== null ? [[`${kind}.${row.storeId}.${row.productId}`, row[kind]]] : [],
  )
  return { wrong, lesson }
}

export function learn(endpoint: Watched, lesson: Lesson): void {
  for (const [key, number] of lesson) endpoint.delivered.set(key, Math.max(number, endpoint.delivered.get(key) ?? 0))
}

type Packed = [storeId: number, productId: number, price: number | null, content: number | null, removed: number | null]

export interface Look {
  wrong: string[]
  /** The number of changes that were compared with deliveries. */
  checked: number
}

/** Checks that each endpoint received everything up to its position; with `isFinal`, everything at all. */
export async function look(db: Db, accountId: number, endpoints: readonly Watched[], isFinal: boolean): Promise<Look> {
  const before = endpoints.map(({ isBusy, epoch }) => (isBusy ? -1 : epoch))
  const [row] = await db<
    { positions: [number, number][]; changes: Packed[]; aside: [number, ChangeKind, number][] | null }[]
  >`
    select (select json_agg(json_build_array(endpoint_id, position)) from endpoint_state where account_id = ${accountId}) as positions,
      (select json_agg(json_build_array(store_id, product_id, price_id, content_id, removed_id)) from change where account_id = ${accountId}) as changes,
      (select json_agg(json_build_array(endpoint_id, event, p)) from delivery,
          unnest(coalesce(product_ids, array(select jsonb_array_elements_text(body::jsonb -> 'product_ids')::bigint))) as p
        where account_id = ${accountId} and origin <> 'log' and state in ('waiting', 'parked')) as aside`
  const positions = new Map(row!.positions)
  const aside = new Set(
    (row!.aside ?? []).map(([endpointId, event, productId]) => `${endpointId}.${event}.${productId}`),
  )
  const seen: Look = { wrong: [], checked: 0 }
  for (const [i, endpoint] of endpoints.entries()) {
    if (endpoint.isBusy || endpoint.epoch !== before[i]) continue
    const position = isFinal ? Infinity : (positions.get(endpoint.endpointId) ?? 0)
    for (const [storeId, productId, ...numbers] of row!.changes) {
      for (const [k, kind] of CHANGE_KINDS.entries()) {
        const number = numbers[k] ?? 0
        if (number <= (endpoint.must.get(keyOf(kind, storeId)) ?? Infinity) || number > position) continue
        seen.checked++
        const delivered = endpoint.delivered.get(`${kind}.${storeId}.${productId}`) ?? 0
        if (delivered < number && !aside.has(`${endpoint.endpointId}.${kind}.${productId}`)) {
          seen.wrong.push(
            `${endpoint.path}: ${kind} of ${productId} in store ${storeId} is number ${number} and was delivered as ${delivered}; position ${positions.get(endpoint.endpointId)}`,
          )
        }
      }
    }
  }
  return seen
}
