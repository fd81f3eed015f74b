import { describe, expect, test } from 'vitest'
import { afterAcceptance, afterRefusal, NO_REFUSALS, isRefusal, type RefusalState } from './refusal.ts'

const ids = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i)

/** The number of products sent at each attempt if the answer is always the same. @param waiting products in order. */
function sizes(status: number, waiting: readonly number[], attempts: number): number[] {
  let state: RefusalState = NO_REFUSALS
  return Array.from({ length: attempts }, () => {
    // a window with suspects continues with the product after them
    const rest = waiting.filter((id) => !state.suspectIds.includes(id))
    const sent = (rest.length > 0 ? rest : waiting).slice(0, state.batchLimit)
    ;({ state } = afterRefusal(state, status, sent))
    return sent.length
  })
}

describe('what counts as a refusal of the body', () => {
  test.each([400, 413, 422])('%i', (status) => expect(isRefusal(status)).toBe(true))
  test.each([200, 204, 299, 301, 401, 403, 404, 408, 409, 410, 415, 429, 500, 503])('not %i', (status) =>
    expect(isRefusal(status)).toBe(false),
  )
  test('not: no answer', () => expect(isRefusal(null)).toBe(false))
})

describe('halving', () => {
  test('413 at once, and at each, down to one', () => {
    expect(sizes(413, ids(500), 9)).toEqual([500, 250, 125, 62, 31, 15, 7, 3, 1])
  })

  test.each([400, 422])('%i after three refusals, then at each', (status) => {
    expect(sizes(status, ids(500), 11)).toEqual([500, 500, 500, 250, 125, 62, 31, 15, 7, 3, 1])
  })

  test('the plan stays as it is until then, and is void when the limit is lowered', () => {
    const first = afterRefusal(NO_REFUSALS, 400, ids(10))
    expect(first).toMatchObject({ isVoid: false, state: { batchLimit: 500, refusals: 1, suspectIds: [] } })
    const second = afterRefusal(first.state, 422, ids(10))
    expect(second).toMatchObject({ isVoid: false, state: { batchLimit: 500, refusals: 2 } })
    expect(afterRefusal(second.state, 400, ids(10))).toMatchObject({
      isVoid: true,
      state: { batchLimit: 5, suspectIds: [] },
    })
    expect(afterRefusal(NO_REFUSALS, 413, ids(10))).toMatchObject({ isVoid: true, state: { batchLimit: 5 } })
  })

  test('half of what was sent, where that was less than the limit', () => {
    expect(afterRefusal(NO_REFUSALS, 413, ids(7)).state.batchLimit).toBe(3)
    expect(afterRefusal(NO_REFUSALS, 413, ids(2)).state.batchLimit).toBe(1)
    expect(afterRefusal({ ...NO_REFUSALS, batchLimit: 4 }, 413, ids(20)).state.batchLimit).toBe(2)
  })

  test('once the limit is lowered 400 and 422 halve it at each, whatever lowered it and whatever was accepted since', () => {
    const { state } = afterRefusal(NO_REFUSALS, 413, ids(100))
    expect(afterRefusal(state, 400, ids(50))).toMatchObject({ isVoid: true, state: { batchLimit: 25 } })
    expect(afterAcceptance({ ...state, refusals: 7 })).toMatchObject({ batchLimit: 50, refusals: 0 })
    expect(afterRefusal(afterAcceptance(state), 422, ids(50))).toMatchObject({
      isVoid: true,
      state: { batchLimit: 25 },
    })
  })

  test('a 2xx in between begins the count of refusals again', () => {
    const { state } = afterRefusal(afterRefusal(NO_REFUSALS, 400, ids(10)).state, 400, ids(10))
    expect(afterRefusal(afterAcceptance(state), 400, ids(10))).toMatchObject({
      isVoid: false,
      state: { batchLimit: 500 },
    })
  })
})

describe('one product', () => {
  const alone: RefusalState = { batchLimit: 1, refusals: 5, accepted: 0, suspectIds: [] }

  test('that is refused alone is a suspect, and the next one is tried', () => {
    const { state, isVoid } = afterRefusal(alone, 400, [7])
    expect(isVoid).toBe(true)
    expect(state).toMatchObject({ batchLimit: 1, suspectIds: [7] })
  })

  test('that is the only one takes three refusals by 400 and 422, and one by 413', () => {
    const second = afterRefusal(afterRefusal(NO_REFUSALS, 422, [7]).state, 400, [7])
    expect(second).toMatchObject({ isVoid: false, state: { suspectIds: [] } })
    expect(afterRefusal(second.state, 422, [7])).toMatchObject({ isVoid: true, state: { suspectIds: [7] } })
    expect(afterRefusal(NO_REFUSALS, 413, [7])).toMatchObject({ isVoid: true, state: { suspectIds: [7] } })
  })

  test('the next one is accepted: there are no suspects and windows are full again', () => {
    expect(afterAcceptance(afterRefusal(alone, 400, [7]).state)).toEqual(NO_REFUSALS)
  })

  test('suspects are kept in the order of the log, each once', () => {
    let state = alone
    for (const id of [7, 3, 7, 5]) ({ state } = afterRefusal(state, 422, [id]))
    expect(state.suspectIds).toEqual([7, 3, 5])
  })

  test('when one after the other is refused it is the endpoint: no suspects, full windows', () => {
    let state = alone
    let steps = 0
    while (state.batchLimit === 1 && steps < 100) {
      ;({ state } = afterRefusal(state, 400, [100 + steps]))
      steps++
    }
    expect(steps).toBeGreaterThan(1)
    expect(steps).toBeLessThan(20)
    expect(state).toEqual(NO_REFUSALS)
  })

  test('a body without products that is refused halves and suspects nothing', () => {
    for (const status of [400, 413, 422]) {
      expect(afterRefusal({ ...NO_REFUSALS, refusals: 9 }, status, [])).toMatchObject({
        isVoid: false,
        state: { batchLimit: 500, suspectIds: [] },
      })
    }
  })
})

describe('coming back', () => {
  /** The limit after that many accepted deliveries. */
  const after = (accepted: number, from: RefusalState) => {
    let state = from
    for (let i = 0; i < accepted; i++) state = afterAcceptance(state)
    return state
  }
  const lowered: RefusalState = { batchLimit: 62, refusals: 4, accepted: 0, suspectIds: [] }

  test('a lowered limit is doubled after 20 accepted deliveries, and again after 20 more, to 500 at most', () => {
    expect([0, 19, 20, 39, 40, 60, 80].map((count) => after(count, lowered).batchLimit)).toEqual([
      62, 62, 124, 124, 248, 496, 500,
    ])
    expect(after(81, lowered)).toEqual(NO_REFUSALS)
  })

  test('a refusal in between begins the 20 again', () => {
    const { state } = afterRefusal(after(19, lowered), 413, ids(62))
    expect(state.batchLimit).toBe(31)
    expect(after(19, state).batchLimit).toBe(31)
    expect(after(20, state).batchLimit).toBe(62)
  })

  test('a full limit stays', () => {
    expect(after(50, NO_REFUSALS)).toEqual(NO_REFUSALS)
  })
})
