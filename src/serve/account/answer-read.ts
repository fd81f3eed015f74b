import type { FastifyReply, FastifyRequest } from 'fastify'
import { answer } from '../answer.ts'
import { sourceTag } from '../writing/preconditions.ts'

/** Answers `{data}`, or `{data, meta}` for a page of a list, under the tag that a write of the same would be answered with. */
export function answerData(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  data: unknown,
  meta?: Readonly<Record<string, unknown>>,
): FastifyReply | Promise<FastifyReply> {
  // without meta the text is that of sourceBody: meta is left out when it is undefined
  const body = JSON.stringify({ data, meta })
  return answer(request, reply, body, sourceTag(body))
}
