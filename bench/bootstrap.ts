import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { Shelfwire } from '../client/src/shelfwire.ts'
import { SqliteTarget } from '../client/src/targets/sqlite.ts'
import { createToken } from '../src/accounts/create-token.ts'
import { sweepAppend } from '../src/catalog/stale/sweeps.sql.ts'
import { inTransaction } from '../src/db/sql.ts'
import { maintain, openEnvironment, startService } from './environment.ts'
import { createFilledAccount, fillProducts } from './fill.ts'

// `node bench/bootstrap.ts [products]`: time and peak memory of the client while it fills a mirror in SQLite, compared with a program that
// reads the same export and discards it. They run in turns, each in a process of its own, apart from the service and its database.

const TURNS = 3
const LINE_FEED = 10
const READERS: Readonly<Record<string, (url: string, token: string, file: string) => Promise<number>>> = {
  async export(url, token) {
    const answer = await fetch(`${url}/v1/export?store=main`, { headers: { authorization: `Bearer ${token}` } })
    if (answer.status !== 200 || answer.body === null) throw new Error(`the export answered ${answer.status}`)
    let lines = 0
    for await (const bytes of answer.body)
      for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines++
    // the first and the last line belong to the export itself
    return lines - 2
  },
  async mirror(url, token, file) {
    const target = new SqliteTarget(file)
    await new Shelfwire({ url, token }).sync({ stores: ['main'], target }).once()
    target.close()
    using db = new DatabaseSync(file, { readOnly: true })
    return Number(db.prepare('select count(*) as count from shelfwire_product').get()?.['count'])
  },
}

interface Read {
  count: number
  seconds: number
  cpuSeconds: number
  megabytes: number
}

const [, , first = '1000000', ...rest] = process.argv
const reader = READERS[first]
if (reader === undefined) await measure(Number(first))
else {
  const [url = '', token = '', file = ''] = rest
  const from = performance.now()
  const count = await reader(url, token, file)
  const { user, system } = process.cpuUsage()
  process.send?.({
    count,
    seconds: (performance.now() - from) / 1_000,
    cpuSeconds: (user + system) / 1e6,
    megabytes: Math.round(process.resourceUsage().maxRSS / 1_024),
  })
}

async function measure(products: number): Promise<void> {
  await using environment = await openEnvironment()
  const { db, shelf } = environment.runtime
  const account = await createFilledAccount(db, 'bootstrap', 1)
  await fillProducts(db, account, products)
  await inTransaction(db, (tx) => sweepAppend(tx, account.accountId, 'filled'))
  await shelf.drain(account.accountId)
  await maintain(environment, ['vacuum analyze'])
  const { token } = await inTransaction(db, (tx) =>
    createToken(tx, { accountId: account.accountId, access: 'connector' }),
  )
  const service = await startService(environment)
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-bootstrap-'))
  try {
    for (let turn = 0; turn < TURNS; turn++)
      for (const name of Object.keys(READERS)) {
        const { seconds, cpuSeconds, megabytes, count } = await read(
          name,
          service.url,
          token,
          join(directory, `${turn}.db`),
        )
        console.log(
          `${name}: ${count} in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)}/s, ${cpuSeconds.toFixed(1)} s of processor, ${megabytes} MB at the most`,
        )
      }
  } finally {
    await service.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function read(...[name, ...of]: [name: string, url: string, token: string, file: string]) {
  const child = fork(fileURLToPath(import.meta.url), [name, ...of])
  const [told] = (await once(child, 'message')) as [Read]
  await once(child, 'exit')
  return told
}
