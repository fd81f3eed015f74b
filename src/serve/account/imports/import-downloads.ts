import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import type { Route } from '../../../../contract/route.ts'
import { GET_IMPORT_FILE, GET_IMPORT_REFUSALS } from '../../../../contract/routes/imports.ts'
import { refusalsAs } from '../../../imports/runs/refusals/refusals-as.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import { LIMITS } from '../../../platform/limits.ts'
import { weightsOf } from '../../coding.ts'
import type { Handlers, ServeContext } from '../../context.ts'
import { openDownloadSlots, sendParts } from '../../download.ts'
import { handle, type Call } from '../../handle.ts'
import { existingRun } from './existing-run.ts'

const CSV = 'text/csv'
const LINES = 'application/x-ndjson'

/** A request for a download, from /v1/account or from a link of the panel. */
interface DownloadCall<R extends Route> extends Pick<Call<R>, 'request' | 'reply' | 'query'> {
  accountId: number
  params: { id: number }
}

/** Sends the files of runs. The limits on concurrent downloads are those of exports, but counted separately. */
export interface RunDownloads {
  /** The file of a run, byte for byte. @throws ShelfwireError unknown-run; unknown-reference when the file has been deleted */
  file(call: DownloadCall<typeof GET_IMPORT_FILE>): Promise<FastifyReply>
  /** Every refused row. @throws ShelfwireError as above */
  refusals(call: DownloadCall<typeof GET_IMPORT_REFUSALS>): Promise<FastifyReply>
}

export function openRunDownloads({ db, runFiles }: Pick<ServeContext, 'db' | 'runFiles'>): RunDownloads {
  const slots = openDownloadSlots()
  return {
    async file({ accountId, params: { id }, request, reply }) {
      const { runId, fileKey, fileName, fileBytes } = await existingRun(db, accountId, id)
      if (fileName === null || fileBytes === null)
        throw gone(`run ${runId} has no file: it is not here yet, or the run undoes another`)
      const release = slots.take(accountId)
      try {
        const stream = fileKey === null ? undefined : await runFiles.read(fileKey)
        if (stream === undefined)
          throw gone(
            `the file of run ${runId} is not kept any more: files are kept for ${LIMITS.importFileDaysMax} days`,
          )
        stream.once('close', release)
        // if the client has disconnected before, no event will close the stream
        if (request.raw.socket.destroyed) stream.destroy()
        void reply
          .header('Content-Type', 'application/octet-stream')
          .header('Content-Length', String(fileBytes))
          .header('Content-Disposition', contentDisposition(fileName))
        reply.raw.setTimeout(LIMITS.exportStallMs)
        return await reply.send(stream)
      } catch (error) {
        release()
        throw error
      }
    },
    async refusals({ accountId, params, query, request, reply }) {
      const run = await existingRun(db, accountId, params.id)
      const weights = weightsOf(request.headers.accept ?? '')
      const isLines =
        query.format === undefined ? (weights.get(LINES) ?? 0) > (weights.get(CSV) ?? 0) : query.format === 'ndjson'
      const release = slots.take(accountId)
      try {
        const stream = run.refusalsKey === null ? undefined : await runFiles.read(run.refusalsKey)
        if (stream === undefined && run.endedAt !== null && run.refused + run.stale > 0)
          throw gone(
            `the refused rows of run ${run.runId} are not kept any more: they are kept for ${LIMITS.importFileDaysMax} days, and GET …/imports/${run.runId} groups them`,
          )
        const parts = refusalsAs(isLines ? 'ndjson' : 'csv', stream)
        return await sendParts(request, reply, release, parts, {
          'Content-Type': isLines ? LINES : `${CSV}; charset=utf-8`,
          'Content-Disposition': contentDisposition(`refusals-${run.runId}.${isLines ? 'ndjson' : 'csv'}`),
          Vary: 'Authorization, Cookie, Accept, Accept-Encoding',
        })
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

/** GET /v1/account/imports/{id}/file and /refusals */
export const downloadHandlers: Handlers = (app, context) => {
  const { file, refusals } = openRunDownloads(context)
  handle(app, GET_IMPORT_FILE, ({ caller, ...call }) => file({ ...call, accountId: caller.accountId }))
  handle(app, GET_IMPORT_REFUSALS, ({ caller, ...call }) => refusals({ ...call, accountId: caller.accountId }))
}

const gone = (detail: string) => new ShelfwireError('unknown-reference', detail)
