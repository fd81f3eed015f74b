import { setImmediate as turned } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { LIMITS } from '../../platform/limits.ts'
import { openAccountTurns } from './account-turns.ts'
import type { Run } from './template.ts'

const limits: { requestStatementsWaitMs: number; requestStatementsWaitingPerAccountMax: number } = LIMITS
const before = { ...limits }
afterAll(() => Object.assign(limits, before))

const OF_ACCOUNT = 'select 1 from store s where s.slug = $1 and s.account_id = $2 limit $3'

/** Ten connections, on which statements run until the test ends them. */
function held() {
  const running: { of: unknown; end: () => void }[] = []
  const run: Run = (_text, values) =>
    new Promise((resolve) => running.push({ of: values?.[1], end: () => resolve([]) }))
  return { running, send: openAccountTurns(run, 10) }
}
const ofAccount = (accountId: number) => ['main', accountId, 1]

test('statements of one account have half of the connections, and those of another pass what it waits with (I180)', async () => {
  const { running, send } = held()
  const all = Array.from({ length: 30 }, () => send(OF_ACCOUNT, ofAccount(7), true))
  const others = [8, 9].map((accountId) => send(OF_ACCOUNT, ofAccount(accountId), true))
  await turned()
  expect(running.map(({ of }) => of)).toEqual([7, 7, 7, 7, 7, 8, 9])
  // each that ends makes room for the next of its account, until all have run
  for (let ended = 0; ended < 32; ended++) {
    running[ended]!.end()
    await turned()
    expect(running.slice(ended + 1).filter(({ of }) => of === 7).length).toBeLessThanOrEqual(5)
  }
  await Promise.all([...all, ...others])
})

test('statements of no account, or of several, have no turn', async () => {
  const { running, send } = held()
  const texts = ['select 1 where $1 = $2', 'select 1 from store where account_id = any($2) and slug = $1']
  const all = Array.from({ length: 12 }, (_, i) => send(texts[i % 2]!, ofAccount(7), true))
  await turned()
  expect(running).toHaveLength(12)
  for (const { end } of running) end()
  await Promise.all(all)
})

test('a statement that waits behind too many, or too long, is refused with the time to come again, and the others are done', async () => {
  Object.assign(limits, { requestStatementsWaitMs: 50, requestStatementsWaitingPerAccountMax: 2 })
  const { running, send } = held()
  const all = Array.from({ length: 5 }, () => send(OF_ACCOUNT, ofAccount(7), true))
  const late = Array.from({ length: 2 }, () => send(OF_ACCOUNT, ofAccount(7), true))
  const refusal = { code: 'rate-limited', retryAfterSeconds: LIMITS.requestStatementsRetrySeconds }
  await expect(send(OF_ACCOUNT, ofAccount(7), true)).rejects.toMatchObject(refusal)
  for (const statement of late) await expect(statement).rejects.toMatchObject(refusal)
  for (const { end } of running.splice(0)) end()
  await Promise.all(all)
  const next = send(OF_ACCOUNT, ofAccount(7), true)
  await turned()
  running[0]!.end()
  await next
})
