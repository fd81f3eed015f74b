import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { QueryOf } from '../../../../contract/route.ts'
import {
  CANCEL_IMPORT,
  CONFIRM_IMPORT,
  GET_IMPORT,
  LIST_IMPORT_CHANGES,
  LIST_IMPORTS,
  PREVIEW_UNDO,
  REPEAT_IMPORT,
  UNDO_IMPORT,
  UPLOAD_FILE,
} from '../../../../contract/routes/imports.ts'
import type { Reader, Tx } from '../../../db/sql.ts'
import { pageOfWeighed } from '../../../db/fragments/within-weight.sql.ts'
import type { KeptFile } from '../../../imports/files/run-files.ts'
import { productsOfOffers } from '../../../catalog/products/offers/offer-resource.sql.ts'
import { previewUndo } from '../../../imports/runs/undo/preview-undo.ts'
import { requireFileRoom } from '../../../imports/runs/file-room.ts'
import { cancelRun, confirmRun, enqueueRun, repeatRun, undoRun } from '../../../imports/runs/runs.ts'
import { changesFound, runGroups, runsAfter } from '../../../imports/runs/runs.sql.ts'
import { sourceNamesOf } from '../../../imports/sources/sources.sql.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { readMappingDocument } from '../../../supplier-files/mapping-document.ts'
import type { Handlers, ServeContext } from '../../context.ts'
import { handle } from '../../handle.ts'
import { answerWrite, type Outcome } from '../../writing/answer-write.ts'
import { receiveFiles, type SentFiles } from '../../writing/sent-file.ts'
import type { SentFile } from '../../writing/sent-form.ts'
import { must } from '../../../platform/must.ts'
import { answerData, answerHeavyPage } from '../answer-read.ts'
import { existingRun } from './existing-run.ts'
import { downloadHandlers } from './import-downloads.ts'
import { mappingOf, mappingOfQuery, type OfQuery } from './import-mapping.ts'
import {
  changeMembers,
  leftMembers,
  namesOfRun,
  previewMembers,
  runDetails,
  runMembers,
  runNames,
} from './import-members.ts'
import { importPreviewHandlers } from './import-previews.ts'
import { supplierOf } from '../supplier-of.ts'

/** Uploads of suppliers' files, and the runs that import them. */
export const importHandlers: Handlers = (app, context) => {
  void app.register((uploads, _options, done) => {
    const files = receiveFiles(uploads)
    uploadHandler(files)(uploads, context)
    importPreviewHandlers(files)(uploads, context)
    done()
  })
  runHandlers(app, context)
  repeatHandler(app, context)
  downloadHandlers(app, context)
}

/** POST /v1/account/suppliers/{code}/imports */
const uploadHandler =
  (files: SentFiles): Handlers =>
  (app, context) => {
    handle(app, UPLOAD_FILE, async ({ params, query, caller: { accountId }, request, reply }) => {
      const supplier = await supplierOf(context.db, accountId, params.code)
      const ofQuery = await mappingOfQuery(context.db, accountId, supplier, query)
      // refused before the file is received
      await requireFileRoom(context.db, accountId, null)
      const { kept, document } = await files.receive(request, reply, (file) =>
        keep(context, accountId, query, ofQuery, file),
      )
      let isNamed = false
      try {
        request.bodyDigest = hash('sha256', `${kept.hash}\n${JSON.stringify(document)}`, 'base64url')
        return await answerWrite(context, request, reply, async (tx) => {
          const runId = await enqueueRun(tx, accountId, {
            supplierId: supplier.supplierId,
            sourceId: null,
            trigger: 'upload',
            mode: ofQuery.mode ?? query.mode ?? 'full',
            mapping: document,
            file: kept,
            isDryRun: query.dry_run,
            isConfirmed: query.confirm,
          })
          const outcome = await runOutcome(tx, accountId, runId, 202)
          isNamed = true
          return outcome
        })
      } finally {
        // the upload is kept only if the new run uses it: a repeated request returns the first one's run, a refused one makes none
        if (!isNamed) await context.runFiles.remove(kept.key)
        else context.wake.notify('import', accountId)
      }
    })
  }

/** Stores a file while it arrives. If it is cut off or refused, the part that was stored is removed. */
async function keep(
  context: ServeContext,
  accountId: number,
  query: QueryOf<typeof UPLOAD_FILE>,
  ofQuery: OfQuery,
  file: SentFile,
): Promise<{ kept: KeptFile; document: unknown }> {
  const { document } = mappingOf(ofQuery, file)
  const kept = await context.runFiles.keep(accountId, file.bytes, fileName(query.file_name ?? file.name))
  if (kept.bytes > 0) return { kept, document }
  await context.runFiles.remove(kept.key)
  throw new ShelfwireError('invalid-input', 'the file is empty: send it as the body, or as the part file of a form', {
    faults: [{ name: 'file', reason: 'is empty' }],
  })
}

/** The file name to show: without characters that change the direction of text or are invisible. keep() removes folders from it. */
const fileName = (given: string | null) => (given ?? 'upload').replaceAll(/[\p{Cf}\p{Zl}\p{Zp}]/gu, '')

const runHandlers: Handlers = (app, context) => {
  handle(app, LIST_IMPORTS, async (call) => {
    const { per_page: perPage, before, supplier: code, source, state } = call.query
    const { accountId } = call.caller
    const supplierId = code === undefined ? undefined : (await supplierOf(context.db, accountId, code)).supplierId
    const sourceId =
      supplierId === undefined || source === undefined
        ? undefined
        : await sourceIdOf(context.db, accountId, supplierId, source)
    const filter = {
      ...(supplierId === undefined ? {} : { supplierId }),
      ...(sourceId === undefined ? {} : { sourceId }),
      ...(before === undefined ? {} : { before }),
      ...(state === undefined ? {} : { state }),
      limit: perPage + 1,
    }
    const names = await runNames(context.db, accountId)
    return answerHeavyPage(context.largeAnswers, call, perPage, async () => ({
      ...pageOfWeighed(await runsAfter(context.db, accountId, filter), perPage, (row) => row.runId),
      represent: (row) => runMembers(row, names),
      meta: (next) => ({ per_page: perPage, next_before: next }),
    }))
  })
  handle(app, GET_IMPORT, async (call) => {
    const { accountId } = call.caller
    const row = await existingRun(context.db, accountId, call.params.id)
    const [names, groups] = await Promise.all([
      namesOfRun(context.db, accountId, row),
      runGroups(context.db, accountId, row.runId),
    ])
    return answerData(call, runDetails(row, names, groups))
  })
  handle(app, LIST_IMPORT_CHANGES, async (call) => {
    const { per_page: perPage, after = '', kind, sku, field } = call.query
    const { accountId } = call.caller
    const { runId, supplierId } = await existingRun(context.db, accountId, call.params.id)
    return answerHeavyPage(context.largeAnswers, call, perPage, async () => {
      const found = await changesFound(context.db, accountId, runId, { kind, sku, field }, after, perPage + 1)
      const page = pageOfWeighed(found, perPage, (row) => row.supplierSku)
      const keys = page.rows.map((row) => row.supplierSku)
      const offers = await productsOfOffers(context.db, accountId, supplierId, keys)
      const productOf = new Map(offers.map(({ supplierSku, productId }) => [supplierSku, productId]))
      return {
        ...page,
        represent: (row) => changeMembers(row, productOf.get(row.supplierSku) ?? null),
        meta: (next) => ({ per_page: perPage, next_after: next }),
      }
    })
  })
  handle(app, PREVIEW_UNDO, async (call) => {
    const { per_page: perPage, after = '' } = call.query
    const { accountId } = call.caller
    const preview = await previewUndo(context.db, accountId, call.params.id, after, perPage)
    return answerData(call, preview.left.map(leftMembers), { per_page: perPage, ...previewMembers(preview) })
  })
  const changing = (
    request: FastifyRequest,
    reply: FastifyReply,
    runId: number,
    change: (tx: Tx, accountId: number, runId: number) => Promise<number | void>,
    status: 200 | 202 = 200,
  ) =>
    answerWrite(context, request, reply, async (tx, accountId) => {
      const changed = await change(tx, accountId, runId)
      return runOutcome(tx, accountId, changed ?? runId, status)
    }).finally(() => context.wake.notify('import', must(request.caller).accountId))
  handle(app, CONFIRM_IMPORT, ({ params, request, reply }) => changing(request, reply, params.id, confirmRun))
  handle(app, CANCEL_IMPORT, ({ params, request, reply }) => changing(request, reply, params.id, cancelRun))
  handle(app, UNDO_IMPORT, ({ params, query, request, reply }) =>
    changing(
      request,
      reply,
      params.id,
      (tx, accountId, runId) => undoRun(tx, accountId, runId, query.restore_changed),
      202,
    ),
  )
}

/** POST /v1/account/imports/{id}/repeat */
const repeatHandler: Handlers = (app, context) =>
  handle(app, REPEAT_IMPORT, async ({ params, body, request, reply }) => {
    const { mapping, mode, dry_run: isDryRun = false, confirm: isConfirmed = false } = body
    if (mapping !== undefined) requireMapping(mapping)
    const options = {
      isDryRun,
      isConfirmed,
      ...(mapping === undefined ? {} : { mapping }),
      ...(mode === undefined ? {} : { mode }),
    }
    return answerWrite(context, request, reply, async (tx, accountId) =>
      runOutcome(tx, accountId, await repeatRun(tx, accountId, params.id, options), 202),
    ).finally(() => context.wake.notify('import', must(request.caller).accountId))
  })

/** @throws ShelfwireError invalid-input with all faults, named by their paths in the body */
function requireMapping(document: unknown): void {
  try {
    readMappingDocument(document)
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    const faults = error.faults.map(({ name, reason }) => ({
      name: name === '' ? 'mapping' : `mapping.${name}`,
      reason,
    }))
    throw new ShelfwireError('invalid-input', error.message, { faults })
  }
}

/** @throws ShelfwireError unknown-reference */
async function sourceIdOf(reader: Reader, accountId: number, supplierId: number, name: string): Promise<number> {
  const found = (await sourceNamesOf(reader, accountId, supplierId)).find((row) => row.name === name)
  if (found === undefined) throw new ShelfwireError('unknown-reference', `the supplier has no source "${name}"`)
  return found.sourceId
}

/** The answer to a write of a run. */
async function runOutcome(tx: Tx, accountId: number, runId: number, status: 200 | 202): Promise<Outcome> {
  const run = await existingRun(tx, accountId, runId)
  const data = runMembers(run, await namesOfRun(tx, accountId, run))
  return { status, data, ...(status === 202 ? { location: `/v1/account/imports/${runId}` } : {}) }
}
