import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { openAnswerDeadlines } from '../connections/answer-deadlines.ts'
import { NODE_ANSWER_MS, NodeConnections } from './node-connections.ts'

const IDENTITY = 'started once'

afterEach(() => void vi.useRealTimers())

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const int16 = (value: number) => int32(value).subarray(2)
const text = (value: string) => Buffer.from(`${value}\0`)
const column = (name: string, type: number) =>
  Buffer.concat([text(name), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)])
const value = (bytes: string) => Buffer.concat([int32(bytes.length), Buffer.from(bytes)])

const READY = message('Z', Buffer.from('I'))
const WELCOME = Buffer.concat([message('R', int32(0)), READY])
const TOO_MANY = message('E', text('SFATAL'), text('C53300'), text('Mtoo many clients'), Buffer.alloc(1))
const DONE = Buffer.concat([message('C', text('SELECT 0')), READY])
const WHO = (identity: string) =>
  Buffer.concat([
    message('T', int16(2), column('identity', 25), column('isStandby', 16)),
    message('D', int16(2), value(identity), value('f')),
    DONE,
  ])

/**
 * A node that never closes a connection, like one whose machine has lost power, and that answers "select slow" only when told
 * to.
 */
async function startNode() {
  const state = { tried: 0, isFull: false, identity: IDENTITY, answerSlow: () => {} }
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    state.tried++
    socket.on('error', () => {})
    socket.once('data', () => {
      if (state.isFull) socket.end(TOO_MANY)
      else socket.write(WELCOME)
      socket.on('data', (sent) => {
        if (socket.writableEnded) return
        if (sent.includes('pg_postmaster_start_time')) socket.write(WHO(state.identity))
        else if (sent.includes('select slow')) state.answerSlow = () => void socket.write(DONE)
        else if (sent[0] === 'Q'.charCodeAt(0)) socket.write(DONE)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const deadlines = openAnswerDeadlines(NODE_ANSWER_MS)
  const lost: unknown[] = []
  const connections = new NodeConnections({
    url: `postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/shop`,
    config: {},
    connectionsMax: 2,
    identity: IDENTITY,
    deadlines,
    onLost: (error) => void lost.push(error),
  })
  return {
    state,
    connections,
    lost,
    [Symbol.dispose]() {
      deadlines.stop()
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test('its end waits a second for a server that has vanished, and leaves what is being asked', async () => {
  using node = await startNode()
  const { connections, state } = node
  await connections.open()
  await connections.open()
  const asked = connections.ask('select slow', undefined)
  const began = performance.now()
  await connections.close()
  expect(performance.now() - began).toBeLessThan(3_000)
  expect(connections.count()).toBe(1)
  state.answerSlow()
  expect(await asked).toMatchObject({ rows: [] })
  expect(connections.count()).toBe(0)
})

test('a node that is lost is left at once', async () => {
  using node = await startNode()
  await node.connections.open()
  node.connections.abandon()
  expect(node.connections.count()).toBe(0)
  expect(await node.connections.ask('select 1', undefined)).toBeUndefined()
  expect(node.state.tried).toBe(1)
})

test('a connection that was not used for a minute frees its place at once, even if the server has vanished', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  using node = await startNode()
  await node.connections.open()
  await node.connections.open()
  vi.advanceTimersByTime(59_000)
  node.connections.trim()
  expect(node.connections.count()).toBe(2)
  vi.advanceTimersByTime(2_000)
  node.connections.trim()
  expect(node.connections.count()).toBe(0)
  expect(await node.connections.ask('select 1', undefined)).toBeUndefined()
  await expect.poll(() => node.connections.ask('select 1', undefined)).toBeDefined()
  expect(node.lost).toEqual([])
})

test('one that cannot be opened beside others costs none of these, and is tried again after a second', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  using node = await startNode()
  const { connections, state, lost } = node
  await connections.open()
  state.isFull = true
  const asked = connections.ask('select slow', undefined)
  const askAnother = async () => {
    expect(await connections.ask('select 1', undefined)).toBeUndefined()
    await expect.poll(() => connections.count()).toBe(1)
    return state.tried
  }
  expect(await askAnother()).toBe(2)
  expect(await askAnother()).toBe(2)
  vi.advanceTimersByTime(1_100)
  expect(await askAnother()).toBe(3)
  state.answerSlow()
  expect(await asked).toBeDefined()
  expect(await connections.ask('select 1', undefined)).toBeDefined()
  expect(lost).toEqual([])
})

test('a node counts as lost if its only connection cannot be opened, or leads to another server', async () => {
  using node = await startNode()
  const { connections, state, lost } = node
  state.isFull = true
  await connections.ask('select 1', undefined)
  await expect.poll(() => lost).toMatchObject([{ code: '53300' }])
  state.isFull = false
  await connections.open()
  state.identity = 'started later'
  void connections.ask('select slow', undefined)
  await connections.ask('select 1', undefined)
  await expect.poll(() => lost).toHaveLength(2)
  expect(String(lost[1])).toContain('is another server')
})
