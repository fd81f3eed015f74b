import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountGet } from '../../accounts/accounts.sql.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import type { ServeContext } from '../context.ts'
import { idempotencyOf, sendWritten, type Outcome } from '../writing/answer-write.ts'

/** The stored form of an operator's Idempotency-Key. The blank keeps it apart from the keys of the account's tokens, which have none. */
const storedKeyOf = (key: string) => `operator ${hash('sha256', key, 'base64url')}`

/**
 * Answers the operator's write to an account, once per Idempotency-Key.
 * @throws ShelfwireError unknown-account
 */
export async function answerOperatorWrite(
  { db, writes }: ServeContext,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: number,
  work: (tx: Tx) => Promise<Outcome>,
): Promise<FastifyReply> {
  await requireAccount(db, accountId)
  const written = await writes.write<Outcome>(
    accountId,
    async (tx) => {
      const outcome = await work(tx)
      const { productIds = [], isForAll = false, isQueued = false, half } = outcome
      return { value: outcome, productIds, isForAll, isQueued, half }
    },
    idempotencyOf(request, storedKeyOf),
  )
  return sendWritten(reply, written)
}

/** Answers a request that creates an account, once per Idempotency-Key. */
export async function answerCreation(
  { writes }: ServeContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Tx) => Promise<{ accountId: number; value: Outcome }>,
): Promise<FastifyReply> {
  return sendWritten(reply, await writes.create<Outcome>(work, idempotencyOf(request, storedKeyOf)))
}

/** @throws ShelfwireError unknown-account */
export async function requireAccount(reader: Reader, accountId: number): Promise<void> {
  if ((await accountGet(reader, accountId)) === undefined)
    throw new ShelfwireError('unknown-account', `there is no account ${accountId}`)
}
