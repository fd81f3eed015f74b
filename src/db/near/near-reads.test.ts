import { expect, test } from 'vitest'
import { must } from '../../platform/must.ts'
import { silentLog } from '../../platform/log.ts'
import { shardHash } from '../distribution/shard-hash.ts'
import { NearReads } from './near-reads.ts'
import type { NodeConnections, NodeOptions } from './node-connections.ts'
import { NEAR_TABLES } from './shard-texts.ts'

const TEXT = 'select last_id from change_counter where account_id = $1'
const HASHED = 1_234_567_890_123
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A cluster of one node, with control over the answers. */
function open() {
  const state = {
    now: 1_000,
    port: 5_433,
    hash: shardHash(HASHED),
    /** The node's answer; null: none, so the coordinator is queried. */
    rows: [{}] as object[] | null,
    isReached: true,
    /** Pending until a connection is open. */
    opening: Promise.resolve(),
    /** Identities of nodes, as the coordinator reports them. */
    identities: () => Promise.resolve([{ nodeId: 2, identity: `started ${state.port}` }]),
    /** The error of opening a connection. */
    refusal: null as Error | null,
    looks: 0,
    /** Texts sent to the node. */
    sent: [] as string[],
    coordinator: 0,
    nodes: [] as { options: NodeOptions; isClosed: boolean }[],
  }
  const openNode = (options: NodeOptions) => {
    if (state.refusal !== null) throw state.refusal
    const node = { options, isClosed: false }
    state.nodes.push(node)
    return {
      open: () => (state.isReached ? state.opening : Promise.reject(new Error('refused'))),
      ask(text: string) {
        state.sent.push(text)
        return Promise.resolve(state.rows === null ? undefined : { rows: state.rows })
      },
      count: () => 1,
      trim: () => {},
      abandon: () => void (node.isClosed = true),
      close() {
        node.isClosed = true
        return Promise.resolve()
      },
    } as unknown as NodeConnections
  }
  const near = new NearReads({
    url: 'postgres://u@coordinator/shop',
    config: {},
    connectionsMax: 4,
    openNode,
    now: () => state.now,
    onStatement: () => {},
    askApart(text) {
      if (text.includes('run_command_on_all_nodes')) return state.identities()
      state.looks++
      const place = { nodeId: 2, groupId: 1, host: 'worker-1', port: state.port, hash: state.hash }
      return Promise.resolve(
        NEAR_TABLES.map((table, i) => ({ ...place, table, shardId: 100 + i, first: -(2 ** 31), last: 2 ** 31 - 1 })),
      )
    },
  })
  const run = near.orElse(() => {
    state.coordinator++
    return Promise.resolve({ rows: [{ isOfCoordinator: true }] } as never)
  })
  /** Sends one statement. @returns what answered it */
  const ask = async (text = TEXT) => {
    const before = state.coordinator
    await run(text, [7], true)
    await settled()
    await settled()
    return state.coordinator === before ? 'node' : 'coordinator'
  }
  return { state, near, ask }
}

/** A cluster whose node is in use. */
async function begun() {
  const opened = open()
  opened.near.begin(silentLog)
  expect(await opened.ask()).toBe('coordinator')
  expect(await opened.ask()).toBe('node')
  return opened
}

test('a read is sent to the node under the name of its shard, once the node is connected', async () => {
  const { state, near } = await begun()
  expect(state.sent).toEqual([
    `select near.* from (select last_id from change_counter_101 where account_id = $1) near where exists (
    select from pg_catalog.pg_dist_placement where shardid = 101 and groupid = 1)`,
  ])
  expect(must(state.nodes[0]).options).toMatchObject({
    url: 'postgres://u@worker-1:5433/shop',
    identity: 'started 5433',
    connectionsMax: 4,
  })
  expect(near.answered).toEqual({ node: 1, coordinator: 1 })
})

test('an answer without rows, or none, is asked at the coordinator (I177)', async () => {
  const { state, ask } = await begun()
  state.rows = []
  expect(await ask()).toBe('coordinator')
  state.rows = null
  expect(await ask()).toBe('coordinator')
  expect(state.sent).toHaveLength(3)
})

test('the places of shards are read again after five seconds, and not used after ten (I177)', async () => {
  const { state, ask } = await begun()
  state.now += 4_900
  expect(await ask()).toBe('node')
  expect(state.looks).toBe(1)
  state.now += 200
  expect(await ask()).toBe('node')
  expect(state.looks).toBe(2)
  state.now += 10_100
  expect(await ask()).toBe('coordinator')
  expect(state.looks).toBe(3)
  expect(await ask()).toBe('node')
})

test('a node that was replaced is left with the next look', async () => {
  const { state, ask } = await begun()
  state.port = 5_434
  state.now += 5_100
  await ask()
  expect(must(state.nodes[0]).isClosed).toBe(true)
  expect(await ask()).toBe('node')
  expect(must(state.nodes[1]).options).toMatchObject({
    url: 'postgres://u@worker-1:5434/shop',
    identity: 'started 5434',
  })
})

test('a node that leaves while it is being connected is closed', async () => {
  const { state, near, ask } = open()
  const { promise, resolve } = Promise.withResolvers<void>()
  state.opening = promise
  near.begin(silentLog)
  await ask()
  expect(state.nodes).toHaveLength(1)
  state.port = 5_434
  state.now += 5_100
  await ask()
  resolve()
  await settled()
  expect(must(state.nodes[0]).isClosed).toBe(true)
  state.now += 5_100
  await ask()
  expect(await ask()).toBe('node')
  expect(near.connections()).toBe(1)
})

test('a node that is lost is asked who it is before it is used again, at growing intervals', async () => {
  const { state, ask } = await begun()
  state.isReached = false
  must(state.nodes[0]).options.onLost(new Error('gone'))
  expect(must(state.nodes[0]).isClosed).toBe(true)
  const triedAt: number[] = []
  const began = state.now
  for (let i = 0; i < 60; i++) {
    const before = state.nodes.length
    expect(await ask()).toBe('coordinator')
    if (state.nodes.length > before) triedAt.push(state.now - began)
    state.now += 5_100
  }
  expect(triedAt.length).toBeGreaterThan(5)
  expect(triedAt.length).toBeLessThan(12)
  state.isReached = true
  state.now += 60_000
  await ask()
  expect(await ask()).toBe('node')
})

test('what is lost together with others makes the pause no longer', async () => {
  const { state, ask } = await begun()
  const { onLost } = must(state.nodes[0]).options
  for (let i = 0; i < 4; i++) onLost(new Error('gone'))
  state.now += 5_100
  await ask()
  expect(state.nodes).toHaveLength(2)
  expect(await ask()).toBe('node')
})

test.each<[string, string, (state: ReturnType<typeof open>['state']) => void]>([
  [
    'cannot be asked for',
    'permission denied',
    (state) => (state.identities = () => Promise.reject(new Error('permission denied'))),
  ],
  [
    'are unknown to the coordinator',
    'the coordinator does not reach it',
    (state) => (state.identities = () => Promise.resolve([])),
  ],
  ['have no valid address', 'no URL', (state) => (state.refusal = new Error('no URL'))],
])('nodes that %s are not asked, and the log says it once', async (_, fault, change) => {
  const { state, near, ask } = open()
  const warned: unknown[] = []
  near.begin({ ...silentLog, warn: (fields: unknown) => void warned.push(fields) } as typeof silentLog)
  change(state)
  for (let i = 0; i < 5; i++) {
    expect(await ask()).toBe('coordinator')
    state.now += 5_100
  }
  expect(warned).toEqual([{ nodes: [{ name: 'worker-1:5433', fault }] }])
  expect(state.nodes).toEqual([])
})

test('everything goes through the coordinator if hashes differ, on plain PostgreSQL, and after it was closed', async () => {
  const other = open()
  other.state.hash++
  other.near.begin(silentLog)
  for (let i = 0; i < 3; i++) expect(await other.ask()).toBe('coordinator')
  const plain = open()
  for (let i = 0; i < 3; i++) expect(await plain.ask()).toBe('coordinator')
  expect(plain.state.looks).toBe(0)
  const { near, ask, state } = await begun()
  await near.end()
  expect(await ask()).toBe('coordinator')
  expect(must(state.nodes[0]).isClosed).toBe(true)
})

test('its end does not wait for a coordinator that does not answer', async () => {
  const near = new NearReads({
    url: 'postgres://u@coordinator/shop',
    config: {},
    connectionsMax: 4,
    askApart: () => new Promise(() => {}),
    onStatement: () => {},
  })
  near.begin(silentLog)
  await near.orElse(() => Promise.resolve({ rows: [] } as never))(TEXT, [7], true)
  const began = performance.now()
  await near.end()
  expect(performance.now() - began).toBeLessThan(5_000)
})
