import { expect, test, vi } from 'vitest'
import { LIMITS } from '../platform/limits.ts'
import { JoinedWrites, type JoinedBatch, type JoinedOptions } from './joined-writes.ts'

type Half = 'price' | null
interface Begun {
  batch: JoinedBatch<string>
  /** @param skipped products that another transaction has locked */
  end(skipped?: readonly number[], marked?: ReadonlyMap<number, readonly number[]>): void
  fail(error: Error): void
}

/** Writes whose batches the test ends. */
function open(most = 32) {
  const begun: Begun[] = []
  const writes = new JoinedWrites<string>({
    shelve: (batch) => {
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<JoinedOptions<string>['shelve']>>>()
      begun.push({ batch, end: (skipped = [], marked = new Map()) => resolve({ skipped, marked }), fail: reject })
      return promise
    },
    mostOf: () => most,
    failsAll: (error) => error instanceof Error && error.message === 'away',
  })
  const done: string[] = []
  let count = 0
  const write = (productId: number, { accountId = 1, half = 'price' }: { accountId?: number; half?: Half } = {}) => {
    const name = `${accountId}/${productId}${half === null ? ' whole' : ''}#${++count}`
    writes.shelved(accountId, productId, half, name).then(
      () => done.push(name),
      (error: Error) => done.push(`${name}: ${error.message}`),
    )
  }
  const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))
  /** Ends the batches that have begun since. */
  const endAll = async () => {
    for (const { end } of begun.splice(0)) end()
    await settled()
  }
  return { begun, done, write, writes, settled, endAll }
}
const productsOf = ({ batch }: Begun) => batch.productIds

test('what is alone begins at once, and what comes meanwhile goes together afterwards, each product once', async () => {
  const { begun, done, write, settled, endAll } = open()
  write(5)
  expect(begun.map(productsOf)).toEqual([[5]])
  // the product written again while it is being shelved is part of the next batch too
  for (const id of [9, 5, 7, 9]) write(id)
  await settled()
  expect(begun).toHaveLength(1)
  await endAll()
  expect(done).toEqual(['1/5#1'])
  expect(begun.map(({ batch }) => batch)).toEqual([
    { accountId: 1, productIds: [5, 7, 9], half: 'price', contexts: ['1/9#2', '1/5#3', '1/7#4', '1/9#5'] },
  ])
  await endAll()
  expect(done).toEqual(['1/5#1', '1/9#2', '1/5#3', '1/7#4', '1/9#5'])
  // nothing is left of the account
  write(1)
  expect(begun.map(productsOf)).toEqual([[1]])
})

test('accounts, and whole products beside price halves, have batches of their own', async () => {
  const { begun, write, endAll } = open()
  write(1)
  write(2, { accountId: 2 })
  expect(begun.map(({ batch }) => batch.accountId)).toEqual([1, 2])
  write(3)
  write(4, { half: null })
  write(5)
  await endAll()
  expect(begun.map(({ batch }) => [batch.half, batch.productIds])).toEqual([['price', [3, 5]]])
  await endAll()
  expect(begun.map(({ batch }) => [batch.half, batch.productIds])).toEqual([[null, [4]]])
})

test('a batch has no more products than it may, and those that came first', async () => {
  const { begun, write, endAll } = open(2)
  for (const id of [1, 9, 8, 7]) write(id)
  await endAll()
  expect(begun.map(productsOf)).toEqual([[8, 9]])
  await endAll()
  expect(begun.map(productsOf)).toEqual([[7]])
})

test('what one product fails by is told to its writer alone', async () => {
  const { begun, done, write, settled, endAll } = open()
  write(1)
  for (const id of [2, 3, 4]) write(id)
  await endAll()
  begun.splice(0)[0]?.fail(new Error('together'))
  await settled()
  expect(done).toEqual(['1/1#1'])
  // none waits for another one
  expect(begun.map(productsOf)).toEqual([[2], [3], [4]])
  begun.splice(1, 1)[0]?.fail(new Error('by itself'))
  await settled()
  expect(done).toEqual(['1/1#1', '1/3#3: by itself'])
  await endAll()
  expect(done).toEqual(['1/1#1', '1/3#3: by itself', '1/2#2', '1/4#4'])
  // and later ones are shelved as ever
  write(6)
  await settled()
  await endAll()
  expect(done.at(-1)).toBe('1/6#5')
})

test('what all fail by is told to all at once: nothing is tried again', async () => {
  const { begun, done, write, settled, endAll } = open()
  write(1)
  for (const id of [2, 3]) write(id)
  await endAll()
  begun.splice(0)[0]?.fail(new Error('away'))
  await settled()
  expect(done).toEqual(['1/1#1', '1/2#2: away', '1/3#3: away'])
  expect(begun).toEqual([])
})

test('a product that somebody has locked is waited for by itself, and the others of its batch are answered', async () => {
  const { begun, done, write, settled, endAll } = open()
  write(1)
  for (const id of [2, 3, 2, 4]) write(id)
  await endAll()
  begun.splice(0)[0]?.end([2])
  await settled()
  expect(done).toEqual(['1/1#1', '1/3#3', '1/4#5'])
  expect(begun.map(productsOf)).toEqual([[2], [2]])
  await endAll()
  expect(done).toEqual(['1/1#1', '1/3#3', '1/4#5', '1/2#2', '1/2#4'])
})

test('while a batch waits for long, others begin beside it, up to a limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { begun, done, write, settled } = open()
    for (let id = 1; id <= 6; id++) {
      write(id)
      vi.advanceTimersByTime(LIMITS.joinedBatchMs)
      await settled()
    }
    expect(begun.map(productsOf)).toEqual([[1], [2], [3], [4]].slice(0, LIMITS.joinedBatchesAtOnce))
    begun[2]?.end()
    await settled()
    expect(begun.map(productsOf).at(-1)).toEqual([5, 6])
    for (const { end } of begun) end()
    await settled()
    expect(done).toHaveLength(6)
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('other products that one had marked are told to its writers, and to nobody else', async () => {
  const { begun, writes, settled } = open()
  const first = writes.shelved(1, 4, null, 'first')
  const [mover, again, bystander] = [5, 5, 6].map((productId) => writes.shelved(1, productId, null, 'next'))
  begun[0]?.end()
  expect(await first).toEqual([])
  await settled()
  begun[1]?.end([], new Map([[5, [7, 8]]]))
  expect(await Promise.all([mover, again, bystander])).toEqual([[7, 8], [7, 8], []])
})
