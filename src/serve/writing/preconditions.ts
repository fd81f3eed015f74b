import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ShelfwireError } from '../../platform/errors.ts'

/** The tag of a representation: of what the account sets only, so that an import does not change it. */
export function sourceTag(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, 24)
}

/** The JSON text in which a representation is answered, and which its tag is made of. */
export function sourceBody(representation: unknown): string {
  return JSON.stringify({ data: representation })
}

/**
 * Checks If-Match and If-None-Match of a write against what is there now, which the caller has locked.
 * @param current what a GET would answer; null when there is nothing.
 * @throws ShelfwireError precondition-failed.
 */
export function requireMatch(request: FastifyRequest, current: unknown): void {
  const tag = current === null ? null : sourceTag(sourceBody(current))
  const wanted = request.headers['if-match']
  if (wanted !== undefined && !isAmong(wanted, tag)) {
    throw new ShelfwireError(
      'precondition-failed',
      tag === null
        ? 'there is nothing at this address that If-Match could name'
        : 'it was changed since the ETag that If-Match names; read it again and repeat the change on what it is now',
    )
  }
  const unwanted = request.headers['if-none-match']
  if (unwanted !== undefined && isAmong(unwanted, tag)) {
    throw new ShelfwireError(
      'precondition-failed',
      'there is something at this address already, which If-None-Match forbids',
    )
  }
}

/** Whether a list of entity tags, or `*`, names a tag. A coding's suffix is ours (serve/answer.ts) and says nothing here. */
function isAmong(header: string, tag: string | null): boolean {
  if (tag === null) return false
  return (
    header.trim() === '*' ||
    header.split(',').some((entry) => entry.trim().replace(/-(?:gzip|br|zstd)"$/, '"') === `"${tag}"`)
  )
}
