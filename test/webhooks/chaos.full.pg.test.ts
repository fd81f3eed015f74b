import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openWake } from '../../src/db/wake.ts'
import { pick, prng } from '../../src/demo/catalog/prng.ts'
import { silentLog } from '../../src/platform/log.ts'
import { Shelf } from '../../src/shelf/shelf.ts'
import { killChild, startChild } from '../crash/webhook-child.ts'
import type { TestProcess } from '../harness/child-process.ts'
import { openBench } from '../harness/account.ts'
import { createDatabase } from '../harness/database.ts'
import { openWebhooks, TEST_KEY } from '../harness/delivering.ts'
import { seedFor, until } from '../harness/interleave.ts'
import { judge, learn, look, type Lesson, type Watched } from './chaos-record.ts'
import { startChaosReceiver, type Treatment } from './chaos-receiver.ts'
import {
  openPlot,
  sendAgain,
  requestOn,
  writeOn,
  type Plot,
  type RequestName,
  type WriteName,
} from './chaos-writers.ts'

// shorter on a cluster, whose tests run after the others in a gate
const SECONDS = Number(process.env['CHAOS_SECONDS'] ?? (process.env['SHELFWIRE_TEST_SERVER'] === 'citus' ? 40 : 60))
const WRITERS = 16
const ENDPOINTS = 100
const ACCOUNTS = 6
const WORKERS = 2
/** The time until everything is delivered after the storm, with the lease of a killed worker and a backlog. */
const CALM_MS = 90_000

test(
  `16 writers, 100 endpoints, two workers killed at random for ${SECONDS} s: every endpoint hears what it should and nothing else`,
  { timeout: SECONDS * 1_000 + 180_000 },
  async () => {
    const seed = seedFor('webhook chaos')
    const random = prng(seed)
    await using database = await createDatabase({ connectionsMax: 24 })
    await using bench = { ...openBench(database.db), [Symbol.asyncDispose]: async () => {} }
    const lookDb = openDb({ url: database.url, connectionsMax: 6, applicationName: 'chaos-look' })
    await using webhooks = openWebhooks(bench)
    const wrong: string[] = []
    const say = (found: readonly string[]) =>
      void (wrong.length < 20 && wrong.push(...found.slice(0, 20 - wrong.length)))
    const byPath = new Map<string, Watched>()
    const badUntil = new Map<string, number>()
    /** Paths that refuse deliveries with a certain product during the storm. */
    const picky = new Map<string, number>()
    const lessons = new WeakMap<object, Lesson>()
    const seen = { arrived: 0, acknowledged: 0, ids: new Set<string>(), checked: 0, kills: 0 }
    const phase = { isCalm: false, isDone: false }

    /** Mostly a success; at random a slow answer, an error status, a reset connection, or failures for some seconds. */
    const treat = (path: string, productIds: readonly number[]): Treatment => {
      if (phase.isCalm) return { status: 200, delayMs: 0 }
      if (productIds.includes(picky.get(path) ?? 0)) return { status: 422, delayMs: 0 }
      if (Date.now() < (badUntil.get(path) ?? 0)) return { status: 503, delayMs: 5 }
      const kind = random()
      if (kind < 0.005) badUntil.set(path, Date.now() + 5_000 + random() * 7_000)
      if (kind < 0.05) return { status: 500, delayMs: random() * 50 }
      if (kind < 0.08) return { status: pick([400, 422, 413], random), delayMs: 0 }
      if (kind < 0.12) return { status: null, delayMs: random() * 100 }
      if (kind < 0.22) return { status: 200, delayMs: 300 + random() * 1_500 }
      return { status: 200, delayMs: random() * 60 }
    }
    await using receiver = await startChaosReceiver(
      async (arrival) => {
        const endpoint = byPath.get(arrival.path)
        if (endpoint === undefined) return { status: 404, delayMs: 0 }
        seen.arrived++
        seen.ids.add(arrival.deliveryId)
        const judged = await judge(lookDb, endpoint, arrival).catch((error: unknown) => ({
          wrong: [`the look failed: ${String(error)}`],
          lesson: [],
        }))
        say(judged.wrong)
        lessons.set(arrival, judged.lesson)
        return treat(arrival.path, arrival.productIds)
      },
      (arrival) => {
        seen.acknowledged++
        learn(byPath.get(arrival.path)!, lessons.get(arrival) ?? [])
      },
    )

    const plots: Plot[] = []
    for (let i = 0; i < ACCOUNTS; i++) {
      const count = Math.floor(ENDPOINTS / ACCOUNTS) + (i < ENDPOINTS % ACCOUNTS ? 1 : 0)
      plots.push(await openPlot(bench, webhooks.endpoints, receiver.url, `acme${i}`, count, random))
    }
    for (const { endpoints, productIds } of plots) {
      for (const endpoint of endpoints) byPath.set(endpoint.path, endpoint)
      for (const endpoint of endpoints.slice(0, 2)) picky.set(endpoint.path, pick(productIds, random))
    }
    expect(byPath.size).toBe(ENDPOINTS)

    const end = performance.now() + SECONDS * 1_000
    const isOver = () => performance.now() > end || wrong.length > 0
    const children = new Set<TestProcess>()
    const startWorker = async (i: number) => {
      const child = await startChild({ url: database.url, name: `chaos-worker-${i}`, key: TEST_KEY })
      children.add(child)
      void child.ended.then(({ signal, code, said }) => {
        children.delete(child)
        if (signal !== 'SIGKILL') say([`a worker ended by itself (${code}, ${signal}): ${said}`])
      })
      return child
    }
    const worker = async (i: number) => {
      const random = prng(seed + 100 + i)
      for (let child = await startWorker(i); !isOver(); child = await startWorker(i)) {
        await sleep(Math.min(2_000 + random() * 6_000, Math.max(0, end - performance.now())))
        if (isOver()) return
        await killChild(child)
        seen.kills++
      }
    }
    /** Shortens waits for retries and pauses, but not for leases. */
    const hurry = async () => {
      while (!phase.isDone) {
        for (const { accountId } of plots) {
          await inTransaction(
            database.db,
            (tx) => tx`
              update endpoint_state set retry_at = now(), due_at = now() where account_id = ${accountId} and ctid = any(array(
                select ctid from endpoint_state where account_id = ${accountId} and retry_at > now() and lease_id is null
                for update skip locked))`,
          )
        }
        await sleep(phase.isCalm ? 200 : 700)
      }
    }
    const watching = async () => {
      while (!phase.isDone) {
        say(receiver.overlaps.splice(0))
        for (const { accountId, endpoints } of plots) {
          const found = await look(lookDb, accountId, endpoints, false)
          say(found.wrong)
          seen.checked += found.checked
        }
        await sleep(150)
      }
    }

    const shelfWake = openWake(database.db, silentLog)
    await shelfWake.start()
    const shelver = new Shelf(database.db, shelfWake, silentLog).startWorker('chaos')
    const writes = new Map<WriteName, number>()
    const requests = new Map<RequestName, number>()
    try {
      const background = Promise.all([hurry(), watching()])
      const storm = [
        ...Array.from({ length: WRITERS }, (_, i) => writeOn(bench, plots, isOver, prng(seed + i), writes)),
        ...plots.map((plot, i) =>
          requestOn(bench, webhooks.endpoints, receiver.url, plot, isOver, prng(seed + 200 + i), requests),
        ),
        ...Array.from({ length: WORKERS }, (_, i) => worker(i)),
      ]
      // a failure of any of them ends the storm
      await Promise.all(
        storm.map((part) =>
          part.catch((error: unknown) =>
            say([`the storm failed: ${error instanceof Error ? (error.stack ?? '') : String(error)}`]),
          ),
        ),
      )
      expect(wrong, `SEED=${seed}`).toEqual([])
      phase.isCalm = true
      for (const { accountId } of plots) await bench.shelf.drain(accountId)
      const parkedByNow = (
        await Promise.all(
          [...byPath.values()].map((endpoint) => sendAgain(database.db, webhooks.endpoints, endpoint, 'parked', 100)),
        )
      ).reduce((sum, count) => sum + count, 0)
      const from = performance.now()
      await until(
        'everything is delivered',
        async () => {
          await sleep(100)
          const [row] = await database.db<{ busy: number }[]>`
        select count(*)::int as busy from endpoint_state s join change_counter c using (account_id)
        where s.position < c.last_id or s.lease_id is not null
          or exists (select from delivery d where d.account_id = s.account_id and d.endpoint_id = s.endpoint_id and d.state = 'waiting')`
          return row?.busy === 0 || wrong.length > 0
        },
        CALM_MS,
      )
      const calmMs = performance.now() - from
      phase.isDone = true
      await background
      const last = await Promise.all(plots.map(({ accountId, endpoints }) => look(lookDb, accountId, endpoints, true)))
      say(last.flatMap((found) => found.wrong))
      const outcomes = await database.db<
        { outcome: string; n: number }[]
      >`select outcome, count(*)::int as n from attempt group by 1 order by 1`
      const notices = await database.db<
        { kind: string; n: number }[]
      >`select kind, count(*)::int as n from notice group by 1 order by 1`
      process.stdout.write(
        `${JSON.stringify({
          kills: seen.kills,
          arrived: seen.arrived,
          acknowledged: seen.acknowledged,
          deliveries: seen.ids.size,
          checked: seen.checked,
          finally: last.reduce((sum, found) => sum + found.checked, 0),
          parkedByNow,
          calmMs: Math.round(calmMs),
          writes: Object.fromEntries(writes),
          requests: Object.fromEntries(requests),
          attempts: Object.fromEntries(outcomes.map(({ outcome, n }) => [outcome, n])),
          notices: Object.fromEntries(notices.map(({ kind, n }) => [kind, n])),
        })}\n`,
      )
      say(receiver.overlaps)
      expect(wrong, `SEED=${seed}`).toEqual([])
      expect(seen.kills).toBeGreaterThanOrEqual(Math.floor(SECONDS / 10))
      expect(last.every((found) => found.checked > 0)).toBe(true)
      expect(seen.arrived).toBeGreaterThan(seen.ids.size)
      expect([...byPath.values()].filter(({ delivered }) => delivered.size === 0).map(({ path }) => path)).toEqual([])
    } finally {
      phase.isDone = true
      await shelver.stop()
      await shelfWake.stop()
      await Promise.all([...children].map(killChild))
      await bench.wake.stop()
      await lookDb.end({ timeout: 5 })
    }
  },
)
