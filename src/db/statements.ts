import type pg from 'pg'
import { openAnswerDeadlines, type AnswerDeadlines } from './answer-deadlines.ts'
import { isBroken, isConnectionError } from './connection-errors.ts'
import type { Connections } from './connections.ts'
import { forgetName, isStalePlan, nameOf } from './prepared-names.ts'
import type { Run } from './template.ts'

export interface StatementOptions {
  connections: Connections
  /** How long to wait for an answer, in ms, unless a statement says otherwise. */
  answerTimeoutMs: number
  /** Whether templates are prepared under a name. */
  prepare: boolean
  /** Told of each statement before it is sent. */
  onStatement(text: string, values: readonly unknown[]): void
  /** Told of each statement that fails. */
  onError(error: unknown): void
}

/** Whether a statement only reads, or locks: a query that writes is named in it, in front or in its WITH. */
const isReading = (text: string) => /^\s*(?:select|with)\b/i.test(text) && !WRITES.test(text)
const WRITES = /\b(?:insert\s+into|delete\s+from|merge\s+into|(?<!\bfor\s+(?:no\s+key\s+)?)update)\b/i

/** Sends statements on the connections of a pool, and gives up those that a server does not answer. */
export class Statements {
  readonly connections: Connections
  readonly onError: (error: unknown) => void
  readonly #options: StatementOptions
  readonly #deadlines: AnswerDeadlines

  constructor(options: StatementOptions) {
    this.connections = options.connections
    this.onError = (error) => options.onError(error)
    this.#options = options
    this.#deadlines = openAnswerDeadlines(options.answerTimeoutMs)
  }

  /** What begins and ends transactions: without parameters, and nobody's error but the caller's. */
  plain(client: pg.PoolClient, text: string): Promise<pg.QueryResult> {
    return this.#deadlines.query(client, { text }, this.#options.answerTimeoutMs)
  }

  on(
    client: pg.PoolClient,
    text: string,
    values: unknown[] | undefined,
    isNamed: boolean,
    answerMs = this.#options.answerTimeoutMs,
  ): Promise<pg.QueryResult> {
    this.#options.onStatement(text, values ?? [])
    const sent = this.#deadlines.query(
      client,
      {
        text,
        ...(values === undefined ? {} : { values }),
        ...(isNamed && this.#options.prepare ? { name: nameOf(text) } : {}),
      },
      answerMs,
    )
    sent.catch(this.onError)
    return sent
  }

  /**
   * Outside of transactions: what only reads is asked once more, on another connection, when the connection breaks. What writes may have been done.
   * docs/decisions/260-a-write-is-not-sent-twice.md says why.
   */
  readonly alone: Run = async (text, values, isNamed) => {
    try {
      return await this.#once(text, values, isNamed)
    } catch (error) {
      const isStale = isStalePlan(error)
      // what is sent as text may be anything
      if (!isStale && !(isNamed && isReading(text) && isBroken(error))) throw error
      if (isStale) forgetName(text)
      return this.#once(text, values, isNamed)
    }
  }

  readonly #once: Run = async (text, values, isNamed) => {
    const client = await this.connections.take()
    let isUseless = true
    try {
      const result = await this.on(client, text, values, isNamed)
      isUseless = false
      return result
    } catch (error) {
      isUseless = isConnectionError(error)
      throw error
    } finally {
      this.connections.give(client, isUseless)
    }
  }

  stop(): void {
    this.#deadlines.stop()
  }
}
