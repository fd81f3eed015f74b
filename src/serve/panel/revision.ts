import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ShelfwireError } from '../../platform/errors.ts'

/** Identifies a state of what people edit, for If-Match. It changes with every edit, but not with health or use. */
export function revisionOf(settings: unknown): string {
  return hash('sha256', JSON.stringify(settings), 'base64url').slice(0, 16)
}

/** @param current the revision, read under the lock. @throws ShelfwireError precondition-failed when If-Match names another one */
export function requireRevision(request: FastifyRequest, current: string): void {
  const wanted = request.headers['if-match']
  if (wanted === undefined || wanted.trim() === '*' || wanted.trim() === `"${current}"`) return
  throw new ShelfwireError(
    'precondition-failed',
    'somebody else has changed it meanwhile; read it again and repeat your change on what it is now',
  )
}
