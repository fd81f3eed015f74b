import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ShelfwireError } from '../../platform/errors.ts'

/** Identifies what people edit of a thing: it changes when somebody has edited it, and not with its health or use. */
export function revisionOf(settings: unknown): string {
  return hash('sha256', JSON.stringify(settings), 'base64url').slice(0, 16)
}

/** @param current as it is under the lock. @throws ShelfwireError precondition-failed when If-Match names another revision */
export function requireRevision(request: FastifyRequest, current: string): void {
  const wanted = request.headers['if-match']
  if (wanted === undefined || wanted.trim() === '*' || wanted.trim() === `"${current}"`) return
  throw new ShelfwireError(
    'precondition-failed',
    'somebody else has changed it meanwhile; read it again and repeat your change on what it is now',
  )
}
