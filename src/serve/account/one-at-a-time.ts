import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../accounts/authenticate.ts'
import { ShelfwireError } from '../../platform/errors.ts'

/**
 * Lets each account try one thing at a time, because the other side may take long to answer. A try is aborted when its client disconnects.
 * @param what is tried, for the error message of a second try. @throws ShelfwireError conflict while another one runs
 */
export function oneAtATimePerAccount(what: string) {
  const trying = new Set<number>()
  return async <T>(
    { caller: { accountId }, request }: { caller: Caller; request: FastifyRequest },
    work: (accountId: number, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    if (trying.has(accountId))
      throw new ShelfwireError('conflict', `another ${what} of the account is being tried; try this one after it`)
    trying.add(accountId)
    const ending = new AbortController()
    const end = () => ending.abort(new Error('the client is gone'))
    request.raw.socket.once('close', end)
    try {
      return await work(accountId, ending.signal)
    } finally {
      request.raw.socket.off('close', end)
      trying.delete(accountId)
    }
  }
}
