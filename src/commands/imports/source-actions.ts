import { productsWritten } from '../../catalog/stale/written.ts'
import { suppliersList } from '../../catalog/settings/suppliers/suppliers.sql.ts'
import type { Reader } from '../../db/sql.ts'
import { trySource } from '../../imports/fetch/try-source.ts'
import { createSource, deleteSource, editSource, type SourceChanges } from '../../imports/sources/edit-sources.ts'
import { prepareSource } from '../../imports/sources/prepare-source.ts'
import { runSource } from '../../imports/runs/sources/source-runs.ts'
import { sourceNamed, sourcesList, type SourceKind, type SourceRow } from '../../imports/sources/sources.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { sourceRules } from '../../runtime.ts'
import { settingMembers, statusMembers } from '../../serve/account/imports/source-members.ts'
import { EXIT_INCOMPLETE } from '../console/exit-codes.ts'
import { named, SUPPLIER } from '../console/named.ts'
import { credentialsIn, mappingDocument, type MappingOptions } from '../console/option-files.ts'
import { withRuntime } from '../console/run.ts'
import { terminal } from '../console/terminal.ts'
import { withoutUndefined, type Common } from '../console/write.ts'
import { must } from '../../platform/must.ts'

/** Options of the commands for sources; sources.ts says which command has which. */
export interface SourceOptions extends Common, MappingOptions {
  supplier?: string
  source?: string
  url?: string
  path?: string
  upload?: true
  credentials?: string | false
  hostKey?: string
  forgetHostKey?: true
  delta?: true
  full?: true
  cron?: string
  timeZone?: string
  every?: number
  schedule?: boolean
  active?: boolean
  dryRun?: true
  confirm?: true
}

/** The actions of the commands. */
export const ACTIONS = {
  async create(options: SourceOptions): Promise<void> {
    await withRuntime(options, async ({ runtime, printer }) => {
      const { account } = options
      const { source: name = '', supplier = '' } = options
      const settings = await settingsOf(options)
      if (settings.mapping === undefined)
        throw new ShelfwireError(
          'invalid-input',
          'a new source needs --mapping: a mapping file, or the name of a ready mapping',
        )
      const { mapping } = settings
      const kind = kindOf(options)
      const prepared = await prepareSource(account, settings, runtime.keys)
      const written = await runtime.writes.write(
        account,
        async (tx) => {
          const supplierId = await supplierOf(tx, account, supplier)
          const blank = {
            url: null,
            path: null,
            hostKey: null,
            mode: 'full',
            cron: null,
            timeZone: null,
            everyMinutes: null,
          } as const
          const source = { ...blank, credentials: null, isActive: true, ...settings, mapping, name, kind }
          await createSource(tx, account, supplierId, source, sourceRules(runtime), prepared)
          return productsWritten([], await sourceOf(tx, account, supplier, name))
        },
        { waitMs: 0 },
      )
      if (!written.isReplay)
        printer.result(
          shown(supplier, written.value),
          `source ${name} of ${supplier} created\n${described(written.value)}`,
        )
    })
  },

  async list(options: SourceOptions): Promise<void> {
    await withRuntime(options, async ({ runtime: { db }, printer }) => {
      const { account, supplier } = options
      const wanted = supplier === undefined ? null : await supplierOf(db, account, supplier)
      const suppliers = (await suppliersList(db, account)).filter(
        ({ supplierId }) => wanted === null || supplierId === wanted,
      )
      const found: { code: string; row: SourceRow }[] = []
      for (const { supplierId, code } of suppliers)
        for (const row of await sourcesList(db, account, supplierId)) found.push({ code, row })
      printer.result(
        { sources: found.map(({ code, row }) => shown(code, row)) },
        found.length === 0 ? 'no sources' : found.map(({ code, row }) => line(code, row)).join('\n'),
      )
    })
  },

  async show(options: SourceOptions): Promise<void> {
    await withRuntime(options, async ({ runtime, printer }) => {
      const { supplier = '', source = '' } = options
      const row = await sourceOf(runtime.db, options.account, supplier, source)
      printer.result(shown(supplier, row), described(row))
    })
  },

  async edit(options: SourceOptions): Promise<void> {
    await withRuntime(options, async ({ runtime, printer }) => {
      const { account } = options
      const { supplier = '', source: name = '' } = options
      const settings = await settingsOf(options)
      const prepared = await prepareSource(account, settings, runtime.keys)
      const written = await runtime.writes.write(
        account,
        async (tx) => {
          const row = await sourceOf(tx, account, supplier, name)
          // a schedule of one kind replaces one of the other
          const schedule = withoutUndefined({
            ...(settings.cron === undefined ? {} : { everyMinutes: null }),
            ...(settings.everyMinutes === undefined ? {} : { cron: null }),
            ...(options.schedule === false ? { cron: null, everyMinutes: null } : {}),
          })
          await editSource(tx, account, row, { ...schedule, ...settings }, sourceRules(runtime), prepared)
          return productsWritten([], await sourceOf(tx, account, supplier, name))
        },
        { waitMs: 0 },
      )
      if (!written.isReplay)
        printer.result(
          shown(supplier, written.value),
          `source ${name} of ${supplier} changed\n${described(written.value)}`,
        )
    })
  },

  async delete(options: SourceOptions): Promise<void> {
    await withRuntime(options, async ({ runtime, printer }) => {
      const { account } = options
      const { supplier = '', source: name = '' } = options
      await runtime.writes.write(
        account,
        async (tx) => {
          const { sourceId } = await sourceOf(tx, account, supplier, name)
          await deleteSource(tx, account, sourceId)
          return productsWritten([], sourceId)
        },
        { waitMs: 0 },
      )
      printer.result({ supplier, source: name }, `source ${name} of ${supplier} deleted`)
    })
  },

  async run(options: SourceOptions): Promise<void> {
    await withRuntime(options, async ({ runtime, printer }) => {
      const { account } = options
      const { supplier = '', source: name = '' } = options
      const written = await runtime.writes.write(
        account,
        async (tx) => {
          const { sourceId } = await sourceOf(tx, account, supplier, name)
          const asked = { isDryRun: options.dryRun === true, isConfirmed: options.confirm === true }
          return productsWritten([], await runSource(tx, account, sourceId, asked))
        },
        { waitMs: 0 },
      )
      runtime.wake.notify('import', account)
      if (!written.isReplay)
        printer.result(
          { run_id: written.value },
          `run ${written.value} is waiting for its turn; a running service does it`,
        )
    })
  },

  async test(options: SourceOptions): Promise<void> {
    await withRuntime(options, async ({ runtime, printer }) => {
      const { account } = options
      const { supplier = '', source: name = '' } = options
      const row = await sourceOf(runtime.db, account, supplier, name)
      const { isOk, fault, detail, fileName, bytes, format, preset, hostKey } = await trySource(
        { fetching: runtime.fetching, readers: runtime.imports.readers },
        account,
        row,
        new AbortController().signal,
      )
      printer.result(
        { is_ok: isOk, fault, detail, file_name: fileName, bytes, format, preset, host_key: hostKey },
        `${isOk ? 'works' : 'does not work'}: ${detail}${hostKey === null ? '' : `\nkey of the server: ${hostKey}`}`,
      )
      if (!isOk) terminal().exitCode = EXIT_INCOMPLETE
    })
  },
}

async function supplierOf(reader: Reader, accountId: number, code: string): Promise<number> {
  return (await named(reader, accountId, SUPPLIER, code)).supplierId
}

async function sourceOf(reader: Reader, accountId: number, code: string, name: string): Promise<SourceRow> {
  const found = await sourceNamed(reader, accountId, await supplierOf(reader, accountId, code), name)
  if (found === undefined) throw new ShelfwireError('unknown-reference', `the supplier ${code} has no source "${name}"`)
  return found
}

/** The kind of a new source, which follows from its location. */
function kindOf({ url, path, upload }: SourceOptions): SourceKind {
  if ([url, path, upload].filter((option) => option !== undefined).length !== 1)
    throw new ShelfwireError('invalid-input', 'a new source needs one of --url, --path and --upload')
  if (upload === true) return 'upload'
  if (path !== undefined) return 'directory'
  const protocol = /^[a-z]+/i.exec(must(url))?.[0].toLowerCase() ?? ''
  if (protocol === 'sftp') return 'sftp'
  return protocol.startsWith('ftp') ? 'ftp' : 'http'
}

/** The settings that the options give. */
async function settingsOf(options: SourceOptions): Promise<SourceChanges> {
  const { credentials } = options
  return withoutUndefined({
    url: options.url,
    path: options.path,
    credentials:
      typeof credentials === 'string' ? await credentialsIn(credentials) : credentials === false ? null : undefined,
    hostKey: options.forgetHostKey === true ? null : options.hostKey,
    mapping: options.mapping === undefined ? undefined : await mappingDocument(options),
    mode: options.delta === true ? ('delta' as const) : options.full === true ? ('full' as const) : undefined,
    cron: options.cron,
    timeZone: options.timeZone,
    everyMinutes: options.every,
    isActive: options.active,
  })
}

/** A source as the API shows it, with the supplier's code. */
const shown = (supplier: string, row: SourceRow) => ({
  supplier,
  source_id: row.sourceId,
  ...settingMembers(row),
  ...statusMembers(row),
})

function scheduleOf({ cron, timeZone, everyMinutes, isActive }: SourceRow): string {
  const when =
    cron !== null ? `${cron} (${timeZone})` : everyMinutes !== null ? `every ${everyMinutes} minutes` : 'by request'
  return isActive ? when : `${when}, inactive`
}

function line(code: string, row: SourceRow): string {
  return [
    code,
    row.name,
    row.url ?? row.path ?? 'upload',
    row.mode,
    scheduleOf(row),
    row.nextRunAt === null ? '-' : `next ${formatTimestamp(row.nextRunAt)}`,
    row.failure ?? 'ok',
  ].join('\t')
}

function described(row: SourceRow): string {
  const preset = row.mapping['preset']
  return [
    `from:        ${row.url ?? row.path ?? 'files that are sent'}`,
    `mapping:     ${typeof preset === 'string' ? preset : 'its own'}, ${row.mode}`,
    `credentials: ${row.credentialsKind ?? 'none'}`,
    ...(row.hostKey === null ? [] : [`host key:    ${row.hostKey}`]),
    `fetched:     ${scheduleOf(row)}`,
    ...(row.nextRunAt === null ? [] : [`next:        ${formatTimestamp(row.nextRunAt)}`]),
    ...(row.lastRunAt === null ? [] : [`last:        ${formatTimestamp(row.lastRunAt)}`]),
    ...(row.failure === null
      ? []
      : [
          `failing:     since ${row.failedSince === null ? '' : formatTimestamp(row.failedSince)}, ${row.failures} failures to fetch it: ${row.failure}`,
        ]),
  ].join('\n')
}

export type SourceAction = keyof typeof ACTIONS
