import { RUN_SOURCE, TEST_SOURCE } from '../../../../contract/routes/account-resources.ts'
import { SOURCES } from '../../../../contract/supplier-sources.ts'
import { productsWritten } from '../../../catalog/stale/written.ts'
import type { Reader } from '../../../db/sql.ts'
import { trySource } from '../../../imports/fetch/try-source.ts'
import {
  createSource,
  deleteSource,
  editSource,
  type NewSource,
  type SourceRules,
} from '../../../imports/sources/edit-sources.ts'
import { prepareSource } from '../../../imports/sources/prepare-source.ts'
import { runSource } from '../../../imports/runs/sources/source-runs.ts'
import { sourceNamed, sourcesList, type SourceRow } from '../../../imports/sources/sources.sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import type { Handlers } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerWrite } from '../../writing/answer-write.ts'
import { collection } from '../collection.ts'
import { toFields } from '../member-names.ts'
import { oneAtATimePerAccount } from '../one-at-a-time.ts'
import { settingMembers, statusMembers } from './source-members.ts'
import { supplierOf } from '../supplier-of.ts'

const represent = (row: SourceRow) => ({ id: row.sourceId, ...settingMembers(row), status: statusMembers(row) })

const DEFAULTS = {
  url: null,
  path: null,
  credentials: null,
  host_key: null,
  mode: 'full',
  cron: null,
  time_zone: null,
  every_minutes: null,
  is_active: true,
}

async function sourceOf(reader: Reader, accountId: number, code: string, name: string): Promise<SourceRow> {
  const { supplierId } = await supplierOf(reader, accountId, code)
  const found = await sourceNamed(reader, accountId, supplierId, name)
  if (found === undefined)
    throw new ShelfwireError('unknown-reference', `the supplier has no source "${name.slice(0, 80)}"`)
  return found
}

/** /v1/account/suppliers/{code}/sources */
export const sourcesWith = (rules: SourceRules) =>
  collection({
    resource: SOURCES,
    parent: async (reader, accountId, params) =>
      (await supplierOf(reader, accountId, String(params['code']))).supplierId,
    list: sourcesList,
    apart: { get: (reader, accountId, name, supplierId) => sourceNamed(reader, accountId, supplierId, String(name)) },
    keyOf: (row) => row.name,
    represent,
    defaults: DEFAULTS,
    prepare: (accountId, { credentials, cron }) => prepareSource(accountId, { credentials, cron }, rules.keys),
    async create(tx, accountId, members, supplierId, prepared) {
      await createSource(tx, accountId, supplierId, toFields(members) as NewSource, rules, prepared)
      return productsWritten([], members.name)
    },
    async edit(tx, accountId, row, members, prepared) {
      await editSource(tx, accountId, row, toFields(members), rules, prepared)
      return productsWritten([])
    },
    async remove(tx, accountId, row) {
      await deleteSource(tx, accountId, row.sourceId)
      return productsWritten([])
    },
  })

/** Runs of a source outside its schedule, and tries of its connection. */
export const sourceHandlers: Handlers = (app, context) => {
  // a try holds a connection and a file
  const oneTry = oneAtATimePerAccount('source')

  handle(app, RUN_SOURCE, async ({ params, body, request, reply }) => {
    const answer = await answerWrite(context, request, reply, async (tx, accountId) => {
      const source = await sourceOf(tx, accountId, params.code, params.name)
      const { dry_run: isDryRun = false, confirm: isConfirmed = false } = body
      const runId = await runSource(tx, accountId, source.sourceId, { isDryRun, isConfirmed })
      return { status: 201, data: { run_id: runId } }
    })
    if (request.caller !== null) context.wake.notify('import', request.caller.accountId)
    return answer
  })

  handle(app, TEST_SOURCE, async (call) => {
    const source = await sourceOf(context.db, call.caller.accountId, call.params.code, call.params.name)
    return oneTry(call, async (accountId, signal) => {
      const trial = await trySource(context.sources, accountId, source, signal)
      return call.reply.send({
        data: {
          is_ok: trial.isOk,
          fault: trial.fault,
          detail: trial.detail,
          file_name: trial.fileName,
          bytes: trial.bytes,
          format: trial.format,
          preset: trial.preset,
          host_key: trial.hostKey,
        },
      })
    })
  })
}
