import type { FastifyReply, FastifyRequest } from 'fastify'
import { answer } from '../answer.ts'
import { taggedBody } from '../writing/preconditions.ts'

/**
 * Answers `{data}`, or `{data, meta}` for a page of a list, under the same tag as the answer of a write.
 * @param state members of `data` that change by themselves; see taggedBody.
 */
export function answerData(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  data: unknown,
  meta?: Readonly<Record<string, unknown>>,
  state?: Readonly<Record<string, unknown>>,
): FastifyReply | Promise<FastifyReply> {
  const { body, tag } = taggedBody(data, { meta, state })
  return answer(request, reply, body, tag)
}
