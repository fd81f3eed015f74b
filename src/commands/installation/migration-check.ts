import {
  checkMigrations,
  type CheckedMigration,
  type CheckedTable,
  type MigrationCheck,
} from '../../db/checks/migration-check.ts'
import type { Blocked, Work } from '../../db/checks/migration-locks.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { openExisting } from './doctor.ts'
import { openPrinter } from '../console/print.ts'
import { readEnvironment } from '../console/run.ts'
import { terminal } from '../console/terminal.ts'

const BLOCKED: Readonly<Record<Blocked, string>> = {
  none: 'others go on',
  writes: 'nobody else writes it',
  'reads and writes': 'nobody else reads or writes it',
}
const WORK: Readonly<Record<Exclude<Work, 'none'>, string>> = {
  scan: 'all of it is read',
  index: 'an index is built',
  rewrite: 'all of it is written anew',
  rows: 'rows are changed',
}

/** `shelfwire migrate --check`: exit code 1 where this release does not start on the database. */
export async function printMigrationCheck(options: { json?: true }): Promise<void> {
  const { settings, log } = readEnvironment('warn')
  await using open = new AsyncDisposableStack()
  const db = await openExisting(settings, log, open)
  if (db === null)
    throw new ShelfwireError(
      'database-unusable',
      `there is no database in ${settings.dataDir} yet; set DATA_DIR or DATABASE_URL to the one to be upgraded`,
    )
  const check = await checkMigrations(db)
  openPrinter(options.json === true).result(jsonOf(check), textOf(check))
  if (check.refused !== null) terminal().exitCode = 1
}

const jsonOf = ({ unknown, refused, migrations, seconds, waitsFor }: MigrationCheck) => ({
  unknown,
  refused,
  migrations: migrations.map(({ name, tables, seconds: of }) => ({
    name,
    seconds: Math.ceil(of),
    tables: tables.map(({ table, blocked, work, megabytes }) => ({
      table,
      blocked,
      work,
      megabytes: Math.ceil(megabytes),
    })),
  })),
  seconds: Math.ceil(seconds),
  waits_for: waitsFor,
})

function textOf({ unknown, refused, migrations, seconds, waitsFor }: MigrationCheck): string {
  if (unknown.length > 0)
    return `the database is of a newer release (${unknown.join(', ')}): this one does not start on it`
  if (refused !== null) return `this release does not start on the database: ${refused}`
  if (migrations.length === 0) return 'the schema is that of this release: nothing is missing'
  const touching = migrations.filter(({ tables }) => tables.length > 0)
  return [
    `${migrations.length} migrations are missing; each keeps its locks until it has ended`,
    ...touching.flatMap((migration) => [`${migration.name}: ${duration(migration)}`, ...migration.tables.map(lineOf)]),
    ...(touching.length < migrations.length
      ? [`${migrations.length - touching.length} others touch only tables that are new or empty`]
      : []),
    `all together: ${duration({ seconds })}, where nothing has to be waited for`,
    ...waitsFor.map(
      ({ pid, seconds: since, role, application, tables }) =>
        `a transaction that is open for ${since === null ? 'an unknown time' : `${since} s`} would be waited for, with everybody behind: process ${pid} of the database (${[role, application].filter((part) => part !== '').join(', ')}), ${tables.join(', ')}`,
    ),
    ...(waitsFor.some(({ seconds: since }) => since === null)
      ? ['for how long other roles are open is seen with: grant pg_read_all_stats to the role of DATABASE_URL']
      : []),
  ].join('\n')
}

const duration = ({ seconds }: Pick<CheckedMigration, 'seconds'>): string =>
  seconds < 1 ? 'less than a second' : `about ${Math.ceil(seconds)} s at the most`

const lineOf = ({ table, blocked, work, megabytes }: CheckedTable): string => {
  const done = work.flatMap((each) => (each === 'none' ? [] : [WORK[each]]))
  return `  ${table} (${Math.ceil(megabytes)} MB): ${[BLOCKED[blocked], ...done].join('; ')}`
}
