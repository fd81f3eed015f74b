import type { FastifyRequest } from 'fastify'
import { ShelfwireError } from '../../platform/errors.ts'
import { tagOf } from '../answer.ts'

/** The tag of a representation that has only settings of the account, so that an import does not change it. */
export function sourceTag(body: string): string {
  return tagOf(body)
}

/** The JSON text of an answer with this representation, from which its tag is computed. */
export function sourceBody(representation: unknown): string {
  return JSON.stringify({ data: representation })
}

/**
 * The JSON text of an answer and its tag. With `state`, which are members that change without an edit, the tag has a second part for
 * them: answers that differ have different tags, but If-Match compares only the first part.
 */
export function taggedBody(
  data: unknown,
  { meta, state }: { meta?: unknown; state?: Readonly<Record<string, unknown>> | undefined } = {},
): { body: string; tag: string } {
  // without meta this equals sourceBody: JSON omits an undefined meta
  const body = JSON.stringify({ data, meta })
  if (state === undefined) return { body, tag: sourceTag(body) }
  const second = sourceTag(JSON.stringify(state)).slice(0, STATE_TAG_LENGTH)
  return {
    body: JSON.stringify({ data: { ...(data as object), ...state }, meta }),
    tag: `${sourceTag(body)}.${second}`,
  }
}

const STATE_TAG_LENGTH = 8

/**
 * Checks If-Match and If-None-Match of a write against the present state, which the caller has locked.
 * @param current the `data` that a GET would answer; null if the resource does not exist.
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

/** Whether `*` or a list of entity tags contains a tag. The suffix for a coding (serve/answer.ts) and the part for the state are ignored. */
function isAmong(header: string, tag: string | null): boolean {
  if (tag === null) return false
  return (
    header.trim() === '*' ||
    header
      .split(',')
      .some((entry) => entry.trim().replace(/(?:\.[\w-]{8})?(?:-(?:gzip|br|zstd))?"$/, '"') === `"${tag}"`)
  )
}
