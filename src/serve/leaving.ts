import type { FastifyReply } from 'fastify'
import { ShelfwireError } from '../platform/errors.ts'

/** Aborted when the connection closes before the answer has been sent, because the work is then not needed any more. */
export function leaving({ raw }: FastifyReply): AbortSignal {
  const ending = new AbortController()
  const leave = () => {
    if (!raw.writableFinished) ending.abort(new ShelfwireError('bad-request', 'the client is gone'))
  }
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return ending.signal
}
