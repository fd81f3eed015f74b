import { writeFile } from 'node:fs/promises'
import { openDb } from '../src/db/open-db.ts'
import type { Db } from '../src/db/sql.ts'
import { explain, recordStatements, type PlanMode, type Statement } from '../test/harness/plans.ts'
import { hotQueries, readSubject } from '../test/harness/hot-queries.ts'
import { fillEndpoints, webhookQueries } from '../test/harness/webhook-queries.ts'
import type { Environment } from './environment.ts'

const BATCH = 500

/**
 * Runs every hot query and writes the plans of its statements to `file`. @returns the execution times of the custom plans in
 * ms
 */
export async function writePlans(
  { databaseUrl, runtime: { db } }: Environment,
  account: { accountId: number; supplierId: number },
  file: string,
  onProgress: (done: number, total: number) => void,
): Promise<{ name: string; ms: number }[]> {
  const subject = await readSubject(db, account.accountId, account.supplierId, BATCH)
  await fillEndpoints(db, account.accountId, 20, 1_000)
  const queries = [...hotQueries(db, subject), ...(await webhookQueries(db, subject))]
  const session = openDb({ url: databaseUrl, connectionsMax: 1 })
  const blocks: string[] = []
  const times: { name: string; mode: PlanMode; ms: number; buffers: string; rows: string }[] = []
  try {
    for (const [i, query] of queries.entries()) {
      // the first run warms the caches, and only the second one is recorded
      await query.run()
      const statements = await recordStatements(db, query.run)
      for (const statement of statements) {
        for (const mode of ['custom', 'generic'] as const) {
          const lines = await analyse(session, statement, mode)
          const ms = Number(/Execution Time: ([\d.]+)/.exec(lines.join('\n'))?.[1] ?? 0)
          const buffers = lines.find((line) => line.includes('Buffers:'))?.trim() ?? ''
          times.push({
            name: query.name,
            mode,
            ms,
            buffers,
            rows: /rows=([\d.]+) loops/.exec(lines[0] ?? '')?.[1] ?? '',
          })
          blocks.push(
            `## ${query.name}, ${mode} plan\n\n${mode === 'custom' ? `${statement.text.trim()}\n\n` : ''}${lines.join('\n')}\n`,
          )
        }
      }
      onProgress(i + 1, queries.length)
    }
  } finally {
    await session.end()
  }
  const table = times.map(
    (row) =>
      `${row.name.padEnd(38)} ${row.mode.padEnd(8)} ${row.ms.toFixed(3).padStart(10)} ms  rows ${row.rows.padStart(8)}  ${row.buffers}`,
  )
  await writeFile(file, `${table.join('\n')}\n\n${blocks.join('\n')}`)
  return times.filter((row) => row.mode === 'custom').map(({ name, ms }) => ({ name, ms }))
}

async function analyse(session: Db, statement: Statement, mode: PlanMode): Promise<string[]> {
  await session.unsafe('begin')
  try {
    const rows = await explain(session, statement, mode, 'analyze, buffers, format text')
    return rows.map((row) => String(row['QUERY PLAN']))
  } finally {
    await session.unsafe('rollback')
  }
}
