import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openFairTurns, TurnRefused, type Turn } from './fair-turns.ts'
import { TurnOrder, type Ticket, type TurnLimits } from './turn-order.ts'

const seed = Number(process.env['SEED'] ?? 20_261_123)

type Step = { do: 'ask'; key: number; weight: number } | { do: 'end'; at: number } | { do: 'cancel'; at: number }

const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('ask' as const), key: fc.nat(5), weight: fc.integer({ min: 1, max: 3 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), at: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), at: fc.nat() }) },
  ),
  { maxLength: 120, size: 'max' },
)
const limitsOf = fc.record({
  atOnce: fc.integer({ min: 1, max: 5 }),
  perKey: fc.integer({ min: 1, max: 5 }),
  waitingMax: fc.integer({ min: 0, max: 40 }),
  waitingPerKeyMax: fc.integer({ min: 0, max: 20 }),
})

/** Keeps its own records of an order, and checks its promises. */
class Watched {
  readonly #limits: TurnLimits
  readonly order: TurnOrder
  waiting: Ticket[] = []
  running: Ticket[] = []
  /** For each waiting key that is below its own limit: how often each other key has begun since. */
  readonly passed = new Map<number, Map<number, number>>()

  constructor(limits: TurnLimits) {
    this.#limits = limits
    this.order = new TurnOrder(limits)
  }

  of(key: number): number {
    return this.running.filter((ticket) => ticket.key === key).reduce((sum, { weight }) => sum + weight, 0)
  }

  all(): number {
    return this.running.reduce((sum, { weight }) => sum + weight, 0)
  }

  step(step: Step): void {
    if (step.do === 'ask') {
      const ticket = this.order.ask(step.key, step.weight)
      const isFree =
        this.of(step.key) + step.weight <= this.#limits.perKey && this.all() + step.weight <= this.#limits.atOnce
      if (isFree && !this.waiting.some(({ key }) => key === step.key || this.#mayBegin(key as number)))
        expect(typeof ticket, 'one that can begin at once is not refused').toBe('object')
      if (typeof ticket === 'string') {
        const own = this.waiting.filter(({ key }) => key === step.key).length
        if (ticket === 'key-full') expect(own).toBeGreaterThanOrEqual(this.#limits.waitingPerKeyMax)
        else expect(this.waiting.length).toBeGreaterThanOrEqual(this.#limits.waitingMax)
      } else this.waiting.push(ticket)
    } else {
      const among = step.do === 'end' ? this.running : this.waiting
      const [ticket] = among.length === 0 ? [] : among.splice(step.at % among.length, 1)
      if (ticket !== undefined) this.order.end(ticket)
    }
    this.#begin()
    this.check()
  }

  #begin(): void {
    for (let ticket = this.order.next(); ticket !== undefined; ticket = this.order.next()) {
      const at = this.waiting.indexOf(ticket)
      // within a key, requests begin in their order
      expect(at).toBe(this.waiting.findIndex(({ key }) => key === ticket.key))
      this.waiting.splice(at, 1)
      const key = ticket.key as number
      this.passed.delete(key)
      this.#forgetThoseThatMayNotBegin()
      for (const [other, times] of this.passed) {
        const count = (times.get(key) ?? 0) + 1
        expect(count, `key ${key} begins twice before key ${other}`).toBe(1)
        times.set(key, count)
      }
      this.running.push(ticket)
    }
    this.#forgetThoseThatMayNotBegin()
    for (const { key } of this.waiting)
      if (this.#mayBegin(key as number) && !this.passed.has(key as number)) this.passed.set(key as number, new Map())
  }

  /** Counting starts anew for a key that no longer waits, or that has reached its own limit. */
  #forgetThoseThatMayNotBegin(): void {
    for (const key of this.passed.keys()) if (!this.#mayBegin(key)) this.passed.delete(key)
  }

  #mayBegin(key: number): boolean {
    const first = this.waiting.find((ticket) => ticket.key === key)
    return first !== undefined && this.of(key) + first.weight <= this.#limits.perKey
  }

  check(): void {
    expect(this.all()).toBeLessThanOrEqual(this.#limits.atOnce)
    for (const { key } of this.running) expect(this.of(key as number)).toBeLessThanOrEqual(this.#limits.perKey)
    expect(this.order.waiting).toBe(this.waiting.length)
    expect(this.order.running).toBe(this.all())
    expect(this.order.keys).toBe(new Set([...this.waiting, ...this.running].map(({ key }) => key)).size)
    expect(this.waiting.length).toBeLessThanOrEqual(this.#limits.waitingMax)
    // no place stays free into which one of the requests that may begin would fit
    const ready = this.waiting.filter(({ key }) => this.#mayBegin(key as number))
    if (ready.length > 0) expect(ready.some(({ weight }) => this.all() + weight > this.#limits.atOnce)).toBe(true)
  }
}

test(`nobody waits longer than for one turn of each other key, limits hold, and nothing is left (SEED=${seed})`, () => {
  fc.assert(
    fc.property(limitsOf, steps, (limits, all) => {
      const watched = new Watched(limits)
      for (const step of all) watched.step(step)
      while (watched.running.length > 0) watched.step({ do: 'end', at: 0 })
      expect([watched.order.waiting, watched.order.running, watched.order.keys]).toEqual([0, 0, 0])
    }),
    { seed, numRuns: 150 },
  )
})

test(`nothing leaks when requests are aborted at any time (SEED=${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(limitsOf, steps, async (limits, all) => {
      const turns = openFairTurns('tests', limits)
      const begun: Turn[] = []
      const asked: AbortController[] = []
      let answered = 0
      for (const step of all) {
        if (step.do === 'ask') {
          const giving = new AbortController()
          asked.push(giving)
          void turns
            .acquire(step.key, { weight: step.weight, signal: giving.signal })
            .then((turn) => begun.push(turn))
            .catch(() => {})
            .finally(() => answered++)
        } else if (step.do === 'cancel') asked[step.at % Math.max(1, asked.length)]?.abort()
        else begun.splice(step.at % Math.max(1, begun.length), 1)[0]?.[Symbol.dispose]()
        await Promise.resolve()
      }
      for (const giving of asked) giving.abort()
      await new Promise((resolve) => setImmediate(resolve))
      for (const turn of begun) {
        turn[Symbol.dispose]()
        turn[Symbol.dispose]()
      }
      expect(answered).toBe(asked.length)
      expect(turns.state).toEqual({ waiting: 0, running: 0, keys: 0, isFull: false })
    }),
    { seed, numRuns: 50 },
  )
})

const LIMITS_OF_TEST = { atOnce: 2, perKey: 1, waitingMax: 3, waitingPerKeyMax: 2 }

test('one key leaves a place to others, and a refusal says whose limit is reached', async () => {
  const turns = openFairTurns('imports', LIMITS_OF_TEST)
  const first = await turns.acquire(1)
  const waiting = [turns.acquire(1), turns.acquire(1)]
  await expect(turns.acquire(1)).rejects.toMatchObject({ refusal: 'key-full', key: 1, limit: 2, what: 'imports' })
  // another key begins at once, although two requests wait before it
  const other = await turns.acquire(2)
  waiting.push(turns.acquire(2))
  await expect(turns.acquire('192.0.2.1')).rejects.toThrow('imports: 3 requests wait already')
  expect(turns.take(3)).toBeUndefined()
  first[Symbol.dispose]()
  other[Symbol.dispose]()
  for (const turn of waiting) (await turn)[Symbol.dispose]()
  expect(turns.state).toEqual({ waiting: 0, running: 0, keys: 0, isFull: false })
})

test('work in a turn ends it also when it fails; closing rejects those that wait', async () => {
  const turns = openFairTurns('imports', LIMITS_OF_TEST)
  await expect(turns.run(1, async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  const taken = turns.take(1)
  const waits = turns.acquire(1)
  turns.close(new Error('closed'))
  await expect(waits).rejects.toThrow('closed')
  await expect(turns.acquire(2)).rejects.toThrow('closed')
  taken?.[Symbol.dispose]()
  expect(turns.state).toEqual({ waiting: 0, running: 0, keys: 0, isFull: false })
  expect(new TurnRefused('imports', 1, 'key-full', 2).message).toBe('imports: 2 requests of 1 wait already')
})
