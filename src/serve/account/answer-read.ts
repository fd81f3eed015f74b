import type { FastifyReply, FastifyRequest } from 'fastify'
import { answer } from '../answer.ts'
import { sourceTag } from '../writing/preconditions.ts'

/** Answers `{data}`, or `{data, meta}` for a page of a list, under the same tag as the answer of a write. */
export function answerData(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  data: unknown,
  meta?: Readonly<Record<string, unknown>>,
): FastifyReply | Promise<FastifyReply> {
  // without meta this is the text of sourceBody: JSON omits meta when it is undefined
  const body = JSON.stringify({ data, meta })
  return answer(request, reply, body, sourceTag(body))
}
