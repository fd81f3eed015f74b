import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { openDownloadSlots, sendParts } from '../../src/serve/download.ts'
import type { Slots } from '../../src/serve/slots.ts'

// How an answer is streamed in parts, with parts that count when they are made.

/** Text that hardly compresses. */
const PART = randomBytes(300_000).toString('base64')
let app: FastifyInstance
let slots: Slots
let made: number
let endings: number
let failAt: number
beforeEach(async () => {
  ;[made, endings, failAt] = [0, 0, Infinity]
  slots = openDownloadSlots()
  app = fastify()
  app.get('/', (request, reply) => sendParts(request, reply, slots.take(1), parts(1_000), { 'X-Head': 'yes' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => app.close())

async function* parts(count: number): AsyncGenerator<string> {
  try {
    for (let i = 0; i < count; i++) {
      if (i === failAt) throw new Error('no more')
      await sleep(1)
      made++
      yield PART
    }
  } finally {
    endings++
  }
}
async function begin(coding = 'identity'): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get({ port, host: '127.0.0.1', agent: false, headers: { 'accept-encoding': coding } }, resolve).on('error', reject)
  return await promise
}
/** Waits until no more parts are made. @returns how many were. */
async function settled(): Promise<number> {
  for (let before = -1; before !== made; await sleep(200)) before = made
  return made
}
/** How many more exports could start now. */
function free(): number {
  const taken: (() => void)[] = []
  try {
    for (;;) taken.push(slots.take(1))
  } catch {
    for (const release of taken) release()
    return taken.length
  }
}

test.each(['identity', 'gzip'])(
  'no more is made than a client takes, and nothing once it hangs up (%s)',
  async (coding) => {
    const answer = await begin(coding)
    answer.pause()
    const ahead = await settled()
    // only as many as fit into the buffers of the operating system
    expect(ahead).toBeLessThan(100)
    expect(free()).toBe(LIMITS.exportsPerAccountMax - 1)
    answer.destroy()
    expect((await settled()) - ahead).toBeLessThan(3)
    await expect.poll(() => [endings, free()]).toEqual([1, LIMITS.exportsPerAccountMax])
  },
)

test('a client that hangs up before the first part is made leaves nothing behind', async () => {
  const { port } = app.server.address() as AddressInfo
  for (let i = 0; i < 10; i++) {
    const request = get({ port, host: '127.0.0.1', agent: false })
    request.on('error', () => {})
    await once(request, 'socket').then(([socket]) => once(socket as never, 'connect'))
    setTimeout(() => request.destroy(), i / 2)
  }
  await settled()
  await expect.poll(free).toBe(LIMITS.exportsPerAccountMax)
  expect(made).toBeLessThan(300)
})

test('what fails before the first part is an answer; what fails later cuts the body off', async () => {
  failAt = 0
  const refused = await begin()
  expect([refused.statusCode, refused.headers['x-head']]).toEqual([500, undefined])
  refused.resume()
  expect(free()).toBe(LIMITS.exportsPerAccountMax)
  for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
    failAt = 3
    const answer = await begin(coding)
    expect([answer.statusCode, answer.headers['x-head']]).toEqual([200, 'yes'])
    await expect(once(answer.resume(), 'end'), coding).rejects.toThrow('aborted')
    await expect.poll(free).toBe(LIMITS.exportsPerAccountMax)
  }
})

test.each(['gzip', 'br', 'zstd'])('what is made is sent at once (%s)', async (coding) => {
  failAt = 2
  const answer = await begin(coding)
  const [first] = (await once(answer, 'data')) as [Buffer]
  expect(first.length).toBeGreaterThan(0)
  await expect(once(answer.resume(), 'end')).rejects.toThrow('aborted')
})

test('a place is taken once and given back once', () => {
  const releases = Array.from({ length: LIMITS.exportsPerAccountMax }, () => slots.take(2))
  expect(() => slots.take(2)).toThrow(/at most 4/)
  releases[0]!()
  releases[0]!()
  slots.take(2)
  expect(() => slots.take(2)).toThrow(/at most 4/)
  expect(() => slots.take(3)()).not.toThrow()
})
