import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createToken } from '../../src/accounts/create-token.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { openCommands } from '../harness/command.ts'
import { until } from '../harness/interleave.ts'
import { client, type Answer } from '../harness/service.ts'
import { filled } from './filled.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// The largest allowed bulk, over HTTP, with the service killed in its middle.

const PRODUCTS = 1_000
const directory = directoryOfFile('bulk')
const { database, bench } = worldOfFile()
const commands = openCommands(database, directory)
const running = new Set<{ kill(signal: NodeJS.Signals): boolean }>()
afterAll(async () => {
  // processes that a failed test left running
  for (const child of running) child.kill('SIGKILL')
})

async function serve(token: string) {
  const child = commands.start(['serve'], { PORT: '0', LOG_LEVEL: 'info' })
  running.add(child)
  const exit = once(child, 'exit')
  let url = ''
  for await (const line of createInterface({ input: child.stderr })) {
    url = (JSON.parse(line) as { url?: string }).url ?? ''
    if (url !== '') break
  }
  child.stderr.resume()
  return {
    http: client(url, token),
    async end(signal: NodeJS.Signals) {
      child.kill(signal)
      await exit
      running.delete(child)
    },
  }
}

test(
  '100,000 stock rows with bad ones among them, killed in the middle and sent again under the same key: each good one is written once, each bad one named',
  { timeout: 180_000 },
  async () => {
    const { accountId, ids } = await filled(bench, 'large', PRODUCTS)
    const { token } = await inTransaction(database.db, (tx) =>
      createToken(tx, { accountId, access: 'full', name: 'bulk', expiresAt: null }),
    )
    // a trigger counts the writes, so that a second write of a row is noticed
    await database.db.unsafe(`create table written (product_id bigint, quantity int);
    create function count_write() returns trigger language plpgsql as $$ begin insert into written values (new.product_id, new.quantity); return new; end $$;
    create trigger count_write after insert or update on own_stock for each row execute function count_write()`)
    const isBad = (row: number) => row % 100 === 37
    const quantityOf = (row: number) => Math.floor(row / PRODUCTS) + 1
    const rows = Array.from({ length: LIMITS.bulkRowsMax }, (_, row) => ({
      product_id: ids[row % PRODUCTS],
      quantity: isBad(row) ? 'many' : quantityOf(row),
    }))
    const body = JSON.stringify({ rows })
    const send = (http: (path: string, init?: RequestInit) => Promise<Answer>) =>
      http('/v1/account/bulk/stock', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'stock-of-today' },
        body,
      })

    const first = await serve(token)
    const taken = await send(first.http)
    expect([taken.status, taken.headers.get('idempotent-replayed')]).toEqual([202, null])
    const location = taken.headers.get('location') ?? ''
    const done = async () =>
      (await database.db<{ done: number }[]>`select done from operation where account_id = ${accountId}`)[0]?.done ?? 0
    await until('some of it is written', async () => (await done()) >= 10_000, 60_000)
    await first.end('SIGKILL')
    expect(await done()).toBeLessThan(LIMITS.bulkRowsMax)

    const second = await serve(token)
    const again = await send(second.http)
    expect([again.status, again.headers.get('idempotent-replayed'), again.headers.get('location')]).toEqual([
      202,
      'true',
      location,
    ])
    let operation: { ended_at: string | null } | undefined
    while (operation === undefined || operation.ended_at === null) {
      await sleep(100)
      operation = (await second.http(location)).body.data
    }
    const bad = rows.flatMap((_, row) => (isBad(row) ? [row] : []))
    expect(operation).toMatchObject({
      state: 'succeeded',
      total: rows.length,
      done: rows.length,
      changed: rows.length - bad.length,
      failed: bad.length,
    })
    const errors = (await second.http(`${location}/errors?per_page=1000`)).body
    expect(errors.data).toEqual(
      bad.map((row) => ({
        row,
        errors: [{ name: 'quantity', reason: 'must be a quantity such as 12, ">10" or "10+", not "many"' }],
      })),
    )
    expect((await second.http('/v1/account/operations')).body.data).toHaveLength(1)
    const last = ids[11]
    expect((await second.http(`/v1/account/products/${last}/stock`)).body.data.quantity).toBe(
      LIMITS.bulkRowsMax / PRODUCTS,
    )
    await second.end('SIGTERM')

    const expected = new Map<string, number>()
    for (const [row, { product_id: id }] of rows.entries()) if (!isBad(row)) expected.set(`${id} ${quantityOf(row)}`, 1)
    const written = await database.db<
      { key: string; count: number }[]
    >`select product_id || ' ' || quantity as key, count(*)::int as count from written group by 1`
    expect(new Map(written.map(({ key, count }) => [key, count]))).toEqual(expected)
    expect(await auditAccount(database.db, accountId)).toMatchObject({
      isStale: false,
      differencesTotal: 0,
      payloads: PRODUCTS,
    })
  },
)
