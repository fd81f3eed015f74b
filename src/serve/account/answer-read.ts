import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../platform/limits.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import type { Caller } from '../../accounts/authenticate.ts'
import { answer, answerFound, openTag } from '../answer.ts'
import type { LargeAnswers, ListParts } from '../large-answers.ts'
import { taggedBody } from '../writing/preconditions.ts'

interface Replied {
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Answers `{data}`, or `{data, meta}` for a page of a list, with the same ETag as the answer of a write.
 * @param state members of `data` that change without an edit; see taggedBody.
 */
export function answerData(
  { request, reply }: Replied,
  data: unknown,
  meta?: Readonly<Record<string, unknown>>,
  state?: Readonly<Record<string, unknown>>,
): FastifyReply | Promise<FastifyReply> {
  const { body, tag } = taggedBody(data, { meta, state })
  return answer(request, reply, body, tag)
}

/** Rows of a page that may be heavy, and how they are answered. */
interface HeavyPage<Row, Key> {
  rows: readonly Row[]
  /** The cursor of the next page, even if its row has been deleted meanwhile. Null: this is the last page. */
  next: Key | null
  keyOf(row: Row): Key
  represent(row: Row): unknown
  /** @param next the cursor above, or the key of the last row that fits into one answer */
  meta(next: Key | null): Readonly<Record<string, unknown>>
}

/**
 * Answers a page of a list whose rows may be heavy. It ends after LIMITS.listCharacters, whatever `per_page` says, yields to other
 * requests while it is built, and occupies a place among large answers.
 * @param read called again if the answer had to wait for its place
 */
export async function answerHeavyPage<Row, Key>(
  largeAnswers: LargeAnswers,
  { request, reply, caller }: Replied & { caller: Caller },
  perPage: number,
  read: () => Promise<HeavyPage<Row, Key>>,
): Promise<FastifyReply> {
  const weight = Math.min(perPage, LIMITS.listHeavyRows)
  const found = await largeAnswers.read(caller.accountId, weight, async () => partsOf(await read()))
  return answerFound(request, reply, found)
}

const HEAD = '{"data":['

/** The text of answerData in parts, with its tag. */
async function partsOf<Row, Key>({ rows, next, keyOf, represent, meta }: HeavyPage<Row, Key>): Promise<ListParts> {
  const yielding = openYielding()
  const tag = openTag()
  tag.add(HEAD)
  const members: string[] = []
  let characters = 0
  let last: Row | undefined
  for (const row of rows) {
    if (characters >= LIMITS.listCharacters) break
    const member = JSON.stringify(represent(row))
    tag.add(members.length === 0 ? member : `,${member}`)
    members.push(member)
    characters += member.length
    last = row
    const pause = yielding()
    if (pause !== null) await pause
  }
  const behind = last !== undefined && members.length < rows.length ? keyOf(last) : next
  const tail = `],"meta":${JSON.stringify(meta(behind))}}`
  tag.add(tail)
  return { head: HEAD, members, tail, tag: tag.end() }
}
