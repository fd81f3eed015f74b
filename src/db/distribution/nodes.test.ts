import { expect, test } from 'vitest'
import { isConnectionError, isNodeAway } from '../connections/connection-errors.ts'
import { Nodes } from './nodes.ts'
import { shardHash } from './shard-hash.ts'

// A coordinator with two workers, of which those in `silent` do not answer. Accounts with a negative hash are on the
// first one.

const HALVES = [
  { first: -(2 ** 31), last: -1, groupId: 1 },
  { first: 0, last: 2 ** 31 - 1, groupId: 2 },
]
const onFirst = (accountId: number) => shardHash(accountId) < 0

/** An error of the coordinator in the form of node-postgres. */
const nodeError = () =>
  Object.assign(new Error('connection to the remote node a:1 failed'), {
    code: '08006',
    routine: 'ReportConnectionError',
  })

function cluster(accountsTotal: number) {
  const state = {
    now: 0,
    silent: new Set<number>(),
    hash: shardHash,
    /** Number of statements of each kind. */
    asked: { nodes: 0, shards: 0, accounts: 0 },
    changes: [] as string[],
  }
  const ask = async (text: string, values: readonly number[]) => {
    if (text.includes('citus_check_connection_to_node')) {
      state.asked.nodes++
      return [1, 2].map((groupId) => ({
        groupId,
        name: `worker-${groupId}:5432`,
        answers: !state.silent.has(groupId),
        hash: state.hash(values[0] ?? 0),
      }))
    }
    if (text.includes('pg_dist_shard')) {
      state.asked.shards++
      return HALVES
    }
    state.asked.accounts++
    const [after = 0, limit = 0] = values
    return Array.from({ length: accountsTotal }, (_, i) => ({ accountId: i + 1 }))
      .filter(({ accountId }) => accountId > after)
      .slice(0, limit)
  }
  const nodes = new Nodes({ ask, askApart: ask }, () => state.now)
  nodes.onChange((away) => state.changes.push(away.join()))
  /** Accounts that a scan, which finds nothing, was run over. */
  const looked: (readonly number[] | null)[] = []
  const scan = (options = {}) =>
    nodes.scan(
      'a scan',
      async (accounts) => {
        looked.push(accounts)
        if (accounts === null ? state.silent.size > 0 : accounts.some((id) => state.silent.has(onFirst(id) ? 1 : 2)))
          throw nodeError()
        return accounts ?? [0]
      },
      options,
    )
  return { state, nodes, scan, looked }
}

/** Lets everything run that is waiting only for a turn of the event loop. */
const turns = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

test('while nothing fails a scan is one statement, and nothing else is asked', async () => {
  const { state, nodes, scan, looked } = cluster(10)
  expect(await scan()).toEqual({ rows: [0], isWhole: true, isEnd: true })
  expect(nodes.isAway(1)).toBe(false)
  expect(await nodes.unlessAway(1, async () => 'done')).toBe('done')
  expect(looked).toEqual([null])
  expect(state.asked).toEqual({ nodes: 0, shards: 0, accounts: 0 })
})

test('errors that are not of nodes pass, and nothing is asked', async () => {
  const { state, nodes } = cluster(10)
  const lost = Object.assign(new Error('terminating connection'), { code: '57P01', routine: 'ProcessInterrupts' })
  nodes.note(lost)
  await expect(nodes.unlessAway(1, () => Promise.reject(lost))).rejects.toBe(lost)
  await expect(nodes.scan('x', () => Promise.reject(lost))).rejects.toBe(lost)
  expect(state.asked.nodes).toBe(0)
})

test('while a node is away a scan goes over parts of the others’ accounts in rotation, and every account gets its turn', async () => {
  const { state, nodes, scan, looked } = cluster(100)
  state.silent.add(1)
  expect(await scan()).toEqual({ rows: [], isWhole: false, isEnd: false })
  expect(state.changes).toEqual(['worker-1:5432'])
  expect(nodes.away()).toEqual(['worker-1:5432'])
  looked.splice(0)
  const ends: boolean[] = []
  while (!ends.includes(true)) {
    ends.push((await scan({ part: 30 })).isEnd)
    state.now += 1_000
  }
  const present = Array.from({ length: 100 }, (_, i) => i + 1).filter((id) => !onFirst(id))
  expect(looked.flat()).toEqual(present)
  expect(ends).toEqual([false, false, false, true])
  // the whole scan was not tried, and the node was checked at intervals
  expect(looked).not.toContain(null)
  expect(state.asked.nodes).toBeLessThanOrEqual(4)
})

test('a scan over parts rests, so that it takes a bounded share of the time', async () => {
  const { state, nodes } = cluster(1_000)
  state.silent.add(1)
  nodes.note(nodeError())
  await turns()
  let parts = 0
  const scan = () =>
    nodes.scan(
      'slow',
      async () => {
        parts++
        state.now += 40
        return []
      },
      { part: 100 },
    )
  await scan()
  // until 100 ms have passed
  expect(parts).toBe(3)
  for (; state.now < 1_200; state.now += 10) await scan()
  expect(parts).toBe(3)
  state.now += 200
  await scan()
  expect(parts).toBe(6)
})

test('when the node is back, scans are whole again and its accounts are there', async () => {
  const { state, nodes, scan, looked } = cluster(10)
  state.silent.add(1)
  await scan()
  const lost = [1, 2, 3, 4, 5].find(onFirst) ?? 0
  expect(nodes.isAway(lost)).toBe(true)
  expect(() => nodes.requirePresent(lost)).toThrow('could not be reached')
  state.silent.clear()
  state.now += 1_000
  // the first caller causes the check and does not wait for it
  expect(nodes.isAway(lost)).toBe(true)
  await turns()
  expect(nodes.isAway(lost)).toBe(false)
  expect(state.changes).toEqual(['worker-1:5432', ''])
  looked.splice(0)
  expect((await scan()).isWhole).toBe(true)
  expect(looked).toEqual([null])
})

test('a node that stays away is looked for at growing intervals of at most five seconds', async () => {
  const { state, nodes } = cluster(10)
  state.silent.add(1)
  nodes.note(nodeError())
  await turns()
  for (let second = 0; second < 600; second++) {
    state.now += 100
    nodes.isAway(1)
    await turns()
  }
  // at 0, 1, 3 and 7 s, then every 5 s for a minute
  expect(state.asked.nodes).toBeGreaterThanOrEqual(13)
  expect(state.asked.nodes).toBeLessThanOrEqual(15)
})

test('failed statements cause one look a second, however many they are', async () => {
  const { state, nodes } = cluster(10)
  for (let i = 0; i < 100; i++) {
    nodes.note(nodeError())
    await turns()
    state.now += 50
  }
  expect(state.asked.nodes).toBe(5)
})

test('the work of an account whose node is away is left alone; an error that no node explains is thrown', async () => {
  const { state, nodes } = cluster(10)
  const [lost, kept] = [[1, 2, 3, 4, 5].find(onFirst) ?? 0, [1, 2, 3, 4, 5].find((id) => !onFirst(id)) ?? 0]
  let tries = 0
  const fail = () => {
    tries++
    return Promise.reject(nodeError())
  }
  await expect(nodes.unlessAway(lost, fail)).rejects.toThrow('remote node')
  state.silent.add(1)
  state.now += 10
  expect(await nodes.unlessAway(lost, fail)).toBeUndefined()
  expect(tries).toBe(2)
  expect(await nodes.unlessAway(lost, fail)).toBeUndefined()
  expect(tries).toBe(2)
  expect(await nodes.unlessAway(kept, async () => 'done')).toBe('done')
  await expect(nodes.unlessAway(kept, fail)).rejects.toThrow('remote node')
})

test('a scan over parts that fails without another node away is thrown', async () => {
  const { state, nodes, scan } = cluster(10)
  state.silent.add(1)
  await scan()
  await expect(nodes.scan('another', () => Promise.reject(nodeError()))).rejects.toThrow('remote node')
  state.silent.add(2)
  state.now += 10
  expect(await nodes.scan('third', () => Promise.reject(nodeError()))).toMatchObject({ rows: [], isWhole: false })
})

test('with a server that hashes otherwise nothing counts as away', async () => {
  const { state, nodes, scan } = cluster(10)
  state.hash = () => 1
  state.silent.add(1)
  await expect(scan()).rejects.toThrow('remote node')
  expect(nodes.isAway(1)).toBe(false)
})

test('errors about nodes are told from errors of the connection to the coordinator', () => {
  const error = (code: string, routine?: string, message = 'x') =>
    Object.assign(new Error(message), { code, ...(routine === undefined ? {} : { routine }) })
  const ofNodes = [
    error('08006', 'ReportConnectionError'),
    error('08006', 'CheckConnectionTimeout'),
    error('57P01', 'ReportResultError'),
    error('XX000', 'ReportResultError', 'server closed the connection unexpectedly'),
    error('XX000', 'ErrorIfPostCommitFailedShardPlacements'),
    error('XX000', 'CheckRemoteTransactionsHealth'),
  ]
  expect(ofNodes.map(isNodeAway)).toEqual(ofNodes.map(() => true))
  expect(ofNodes.map(isConnectionError)).toEqual(ofNodes.map(() => false))
  const others = [
    error('57P01', 'ProcessInterrupts'),
    error('57P03', 'ProcessStartupPacket'),
    // errors of a pooler have no function
    error('08006'),
    error('ECONNRESET'),
  ]
  expect(others.map(isNodeAway)).toEqual(others.map(() => false))
  expect(others.map(isConnectionError)).toEqual(others.map(() => true))
  const ofStatements = [
    error('08P01', 'exec_bind_message'),
    error('XX000', 'ReportResultError'),
    error('23505', 'ReportResultError'),
  ]
  expect(ofStatements.map(isNodeAway)).toEqual(ofStatements.map(() => false))
})
