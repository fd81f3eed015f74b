import { Pool } from 'undici'
import type { Db } from '../src/db/sql.ts'
import { maintain, type Environment } from './environment.ts'
import { median, quantile } from './processes.ts'
import type { Report } from './report.ts'

// What lies between a commit and the receipt of its delivery, whoever does it: a notification, a wait for the database, a commit that is flushed to
// the disk, and a POST. Each is measured alone, with the same rests as the deliveries. Their sum is about the floor: sending the notification, which
// is part of the first, begins before the writer knows that its commit is done.

const ROUNDS = 300
const CHANNEL = 'bench_path'
/** An account of the benchmark has as many endpoints, whose deliveries are written together. */
const ROWS = 20

/** @param restMs between two rounds, because a quiet machine is slower after a pause */
export async function deliveryPath(
  environment: Environment,
  receiverUrl: string,
  restMs: number,
  report: Report,
): Promise<void> {
  const { db } = environment.runtime
  await maintain(environment, [
    'create table bench_path (id bigint generated always as identity primary key, body text)',
  ])
  const body = 'x'.repeat(500)
  const pool = new Pool(receiverUrl, { connections: 1 })
  let heard: (() => void) | undefined
  const listener = await db.listen(
    CHANNEL,
    () => heard?.(),
    () => {},
  )
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    'a notification': () => notified(db, (resolve) => (heard = resolve)),
    'a wait for the database': async () => await db`select 1`,
    [`a commit of ${ROWS} rows`]: async () =>
      await db`insert into bench_path (body) select ${body} from generate_series(1, ${ROWS}::int)`,
    'a POST': async () => {
      const answer = await pool.request({ method: 'POST', path: '/path', body })
      await answer.body.dump()
    },
  }
  const times = new Map(Object.keys(steps).map((name) => [name, [] as number[]]))
  const sums: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    let sum = 0
    for (const [name, step] of Object.entries(steps)) {
      const from = performance.now()
      await step()
      const ms = performance.now() - from
      times.get(name)?.push(ms)
      sum += ms
    }
    sums.push(sum)
    await new Promise((resolve) => setTimeout(resolve, restMs))
  }
  await listener.stop()
  await pool.close()
  await maintain(environment, ['drop table bench_path'])
  const shown = (all: readonly number[]) => `p50 ${median(all).toFixed(1)}, p99 ${quantile(all, 0.99).toFixed(1)} ms`
  report.figure(
    'about the floor from commit to receipt: one step after the other, in one process beside an idle service',
    `${shown(sums)} (${[...times].map(([name, all]) => `${name} ${shown(all)}`).join('; ')})`,
  )
}

async function notified(db: Db, onNext: (resolve: () => void) => void): Promise<void> {
  const next = new Promise<void>(onNext)
  await db`select pg_notify(${CHANNEL}, '')`
  await next
}
