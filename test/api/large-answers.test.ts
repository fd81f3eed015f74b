import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LIMITS } from '../../src/platform/limits.ts'
import { openLargeAnswers, type ListParts } from '../../src/serve/large-answers.ts'

// How many large lists are read, held in memory and compressed at the same time.

const MEGABYTES = 1_048_576
const small: ListParts = { head: '[', members: ['1', '"ä"', '"€"'], tail: ']', tag: 'small' }
/** A list of this many megabytes. */
const large = (megabytes: number): ListParts => ({
  head: '[',
  members: Array.from({ length: megabytes }, () => `"${'x'.repeat(MEGABYTES - 3)}"`),
  tail: ']',
  tag: 'large',
})
const OWN = LIMITS.largeAnswersBytesPerAccountMax / MEGABYTES

test('a list is the same text, whether it is large or not, and a small one has no place', async () => {
  const answers = openLargeAnswers()
  expect(await answers.read(1, 3, async () => small)).toEqual({ body: '[1,"ä","€"]', tag: 'small' })
  const members = ['"ä"', `"${'€'.repeat(MEGABYTES)}"`, '"😀"']
  const { body, tag, place } = await answers.read(1, 3, async () => ({ ...small, members, tail: '],"ö"' }))
  expect(Buffer.isBuffer(body) && body.toString() === `[${members.join(',')}],"ö"`).toBe(true)
  expect([tag, answers.state.held]).toEqual(['small', Buffer.byteLength(body)])
  place!.end()
  place!.end()
  expect(answers.state.held).toBe(0)
  const empty = await answers.read(1, 0, async () => ({ ...small, members: [], head: 'x'.repeat(2 * MEGABYTES) }))
  expect(empty.body).toHaveLength(2 * MEGABYTES + 1)
  empty.place!.end()
})

test('an account holds so many bytes: its next large list is read again when there is a place, small ones and others go on', async () => {
  const answers = openLargeAnswers()
  const first = await answers.read(1, 200, async () => large(OWN - 1))
  let reads = 0
  const waits = answers.read(1, 200, async () => {
    reads++
    return large(2)
  })
  expect((await answers.read(1, 200, async () => small)).place).toBeUndefined()
  const other = await answers.read(2, 200, async () => large(2))
  await expect.poll(() => answers.state.waiting).toBe(1)
  expect([reads, answers.state.held]).toEqual([1, (OWN + 1) * MEGABYTES + (other.body.length - 2 * MEGABYTES) * 2])
  first.place!.end()
  const second = await waits
  expect([reads, second.tag]).toEqual([2, 'large'])
  other.place!.end()
  second.place!.end()
  expect(answers.state.held).toBe(0)
})

test('no list is larger than what an account may hold: it waits for all of it', async () => {
  const answers = openLargeAnswers()
  const first = await answers.read(1, 200, async () => large(OWN + 5))
  const others = [5, 2 - OWN].map(async (more) => {
    const { place } = await answers.read(1, 200, async () => large(OWN + more))
    const { held } = answers.state
    place!.end()
    return held
  })
  await expect.poll(() => answers.state).toEqual({ held: OWN * MEGABYTES, waiting: 2 })
  first.place!.end()
  const held = await Promise.all(others)
  expect([held[0], held[1]! < 3 * MEGABYTES, answers.state.held]).toEqual([OWN * MEGABYTES, true, 0])
})

test('a list that is small or fails when it is read again gives its place back', async () => {
  const answers = openLargeAnswers()
  const first = await answers.read(1, 200, async () => large(OWN))
  let reads = 0
  const smaller = answers.read(1, 200, async () => (reads++ === 0 ? large(2) : small))
  let tries = 0
  const failing = answers.read(1, 200, async () => {
    if (tries++ > 0) throw new Error('no more')
    return large(2)
  })
  await expect.poll(() => answers.state.waiting).toBe(2)
  first.place!.end()
  expect((await smaller).tag).toBe('small')
  await expect(failing).rejects.toThrow('no more')
  expect([reads, tries, answers.state]).toEqual([2, 2, { held: 0, waiting: 0 }])
})

test('products are read for lists so many at a time, half of them for one account, in turn', async () => {
  const answers = openLargeAnswers()
  const running: Record<number, number> = { 1: 0, 2: 0, 3: 0 }
  const most = { own: 0, all: 0 }
  const end = Promise.withResolvers<void>()
  const lists = [1, 2, 3].flatMap((accountId) =>
    Array.from({ length: 20 }, () =>
      answers.read(accountId, 200, async () => {
        running[accountId]!++
        most.own = Math.max(most.own, running[accountId]!)
        most.all = Math.max(most.all, running[1]! + running[2]! + running[3]!)
        await end.promise
        running[accountId]!--
        return small
      }),
    ),
  )
  await expect.poll(() => running[2]).toBe(LIMITS.listProductsPerAccountMax / 200)
  const begun = { ...running }
  end.resolve()
  await Promise.all(lists)
  expect([begun, most]).toEqual([
    { 1: LIMITS.listProductsPerAccountMax / 200, 2: LIMITS.listProductsPerAccountMax / 200, 3: 0 },
    { own: LIMITS.listProductsPerAccountMax / 200, all: LIMITS.listProductsAtOnce / 200 },
  ])
})

test('what waits is bounded', async () => {
  const answers = openLargeAnswers()
  const end = Promise.withResolvers<ListParts>()
  const lists = Array.from({ length: 8 + LIMITS.listsWaitingPerAccountMax }, () =>
    answers.read(1, 200, () => end.promise),
  )
  await expect(answers.read(1, 200, async () => small)).rejects.toMatchObject({
    code: 'rate-limited',
    retryAfterSeconds: LIMITS.listRetrySeconds,
  })
  end.resolve(small)
  await Promise.all(lists)
})

test('large answers are coded one at a time for an account, and two for all', async () => {
  const answers = openLargeAnswers()
  let [running, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    await sleep(10)
    running--
  }
  const lists = await Promise.all([1, 1, 2, 3].map((accountId) => answers.read(accountId, 1, async () => large(2))))
  await Promise.all(lists.slice(0, 2).map(({ place }) => place!.code(work)))
  expect(most).toBe(1)
  await Promise.all(lists.map(({ place }) => place!.code(work)))
  expect(most).toBe(LIMITS.largeAnswersCodedAtOnce)
})
