import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { BodyBudget, type BodySender } from './body-budget.ts'

const SMALL = LIMITS.largeBodyBytes

/** A reply with as much as a place uses: the event of a closed connection, and the headers of a refusal. */
function reply(): FastifyReply {
  const answer = { raw: new EventEmitter(), request: { headers: {} }, header: () => answer }
  return answer as unknown as FastifyReply
}

/** Opens places of this size until one is refused. @returns the number of places, and the reason of the refusal */
function fill(budget: BodyBudget, sender: BodySender, bytes: number): { places: number; why: string } {
  for (let places = 0; ; places++) {
    try {
      budget.open(sender, reply()).grow(bytes)
    } catch (error) {
      if (error instanceof ShelfwireError) return { places, why: error.message }
      throw error
    }
  }
}

test('accounts that hold all they may leave room for the bodies of others', () => {
  const budget = new BodyBudget()
  const filled = Array.from({ length: 12 }, (_, i) => fill(budget, { kind: 'account', key: i + 1 }, SMALL))
  expect(filled.map(({ places }) => places).slice(0, 6)).toEqual([16, 16, 16, 8, 4, 2])
  expect(filled[0]!.why).toMatch(/^this account has as many/)
  expect(filled[3]!.why).toMatch(/^the service has as many/)
  expect(() => budget.open({ kind: 'account', key: 100 }, reply()).grow(SMALL / 4)).not.toThrow()
})

test('each kind of sender has bytes of its own, and what has ended is free again', () => {
  const budget = new BodyBudget()
  const answer = reply()
  budget.open({ kind: 'stranger', key: '192.0.2.1' }, answer).grow(LIMITS.strangersBodiesBytesPerAddressMax)
  for (let i = 0; i < 70; i++) fill(budget, { kind: 'stranger', key: `2001:db8::${i}` }, 65_536)
  expect(fill(budget, { kind: 'stranger', key: '192.0.2.1' }, 1).why).toMatch(/^your address has as many/)
  expect(fill(budget, { kind: 'person', key: 'person 1' }, 65_536)).toMatchObject({
    places: LIMITS.peoplesBodiesBytesPerPersonMax / 65_536,
    why: expect.stringMatching(/^you have as many/),
  })
  expect(fill(budget, { kind: 'account', key: 1 }, SMALL).places).toBe(16)
  answer.raw.emit('close')
  expect(fill(budget, { kind: 'stranger', key: '192.0.2.1' }, 65_536).places).toBeGreaterThan(1)
})
