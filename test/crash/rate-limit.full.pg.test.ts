import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { createDatabase } from '../harness/database.ts'
import { NO_PGBOUNCER, startPgBouncer } from '../harness/pgbouncer.ts'
import { sendFor, type Counted } from '../harness/requests.ts'
import { client } from '../harness/service.ts'

// One token used at several real processes, one of which is killed.

const PER_SECOND = 50
const BURST = PER_SECOND * LIMITS.rateBurstSeconds
const PORTION = Math.ceil(BURST / LIMITS.ratePortionsPerBurst)
const SKIPPED = NO_PGBOUNCER === null ? '' : ` (skipped: ${NO_PGBOUNCER})`

test.each([
  { way: 'directly', isPooled: false },
  { way: `through PgBouncer${SKIPPED}`, isPooled: true },
])(
  'three processes, one of which is killed and replaced, keep one limit: $way',
  { timeout: 120_000, retry: 2 },
  async (given) => {
    if (given.isPooled && NO_PGBOUNCER !== null) return
    await using cleanup = new AsyncDisposableStack()
    const database = cleanup.use(await createDatabase())
    const directory = await mkdtemp(join(tmpdir(), 'shelfwire-rates-'))
    cleanup.defer(() => rm(directory, { recursive: true }))
    const { accountId } = await createAccount(openBench(database.db))
    const { token } = await inTransaction(database.db, (tx) => createToken(tx, { accountId, access: 'connector' }))
    const pooled = given.isPooled ? cleanup.use(await startPgBouncer(database.url, 6)).url : null
    const commands = openCommands({ url: pooled ?? database.url }, directory)
    const start = async () => {
      const child = commands.start(['serve', '--roles', 'api'], {
        PORT: '0',
        RATE_LIMIT_PER_SECOND: String(PER_SECOND),
        LOG_LEVEL: 'info',
        ...(pooled === null ? {} : { DATABASE_PREPARE: 'false', DATABASE_DIRECT_URL: database.url }),
      })
      const exit = once(child, 'exit')
      const kill = async () => {
        child.kill('SIGKILL')
        await exit
      }
      cleanup.defer(kill)
      let printed = ''
      child.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()))
      await expect.poll(() => printed, { timeout: 30_000 }).toMatch(/"url":"http/)
      return { read: client(/"url":"(http[^"]+)"/.exec(printed)![1]!, token), kill }
    }
    const [one, two, killed] = await Promise.all([start(), start(), start()])

    const from = performance.now()
    const ending = new AbortController()
    const lasting = sendFor(60_000, [one.read, two.read], { signal: ending.signal })
    const short = await sendFor(1_500, [killed.read])
    await killed.kill()
    await sleep(500)
    const replaced = await start()
    const last = await sendFor(1_500, [replaced.read])
    // until now requests exceeded the limit, however long the other process took to start
    ending.abort()
    const counts: Counted[] = [short, last, await lasting]
    const seconds = (performance.now() - from) / 1_000
    const admitted = counts.reduce((sum, count) => sum + count.admitted, 0)
    const limit = BURST + PER_SECOND * seconds
    // every process refused requests, so each of them got more than the limit allowed
    for (const { refused } of counts) expect(refused).toBeGreaterThan(20)
    expect(admitted).toBeLessThanOrEqual(limit + 4 * 2 * PORTION)
    // the portion of the killed process is lost once; and no requests were sent to a process while it got no processor time
    const held = Math.max(...counts.map(({ slowestMs }) => slowestMs)) / 1_000
    expect(admitted).toBeGreaterThan(0.85 * (limit - PER_SECOND * held) - PORTION)
  },
)
