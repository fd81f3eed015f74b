import type pg from 'pg'
import { openAnswerDeadlines, type AnswerDeadlines } from '../connections/answer-deadlines.ts'
import { isBroken, isConnectionError } from '../connections/connection-errors.ts'
import type { Connections } from '../connections/connections.ts'
import { forgetName, isStalePlan, nameOf } from './prepared-names.ts'
import type { Run } from './template.ts'

export interface StatementOptions {
  connections: Connections
  /** The default time to wait for an answer, in ms. */
  answerTimeoutMs: number
  /** Whether templates are prepared under a name. */
  prepare: boolean
  /** Called with each statement before it is sent. */
  onStatement(text: string, values: readonly unknown[]): void
  /** Called with the error of each statement that fails. */
  onError(error: unknown): void
}

/** Whether a statement only reads or locks: a statement that writes names its write at the beginning or in its WITH. */
const isReading = (text: string) => /^\s*(?:select|with)\b/i.test(text) && !WRITES.test(text)
const WRITES = /\b(?:insert\s+into|delete\s+from|merge\s+into|(?<!\bfor\s+(?:no\s+key\s+)?)update)\b/i

/** Sends statements on the connections of a pool, and gives up those that the server does not answer in time. */
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

  /** Sends a statement that begins or ends a transaction: without parameters, and without reporting its error. */
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
   * Sends a statement outside transactions. A read is repeated once on another connection if its connection breaks; a write is not, because it may
   * have been done. docs/decisions/260-a-write-is-not-sent-twice.md says why.
   */
  readonly alone: Run = async (text, values, isNamed) => {
    try {
      return await this.#once(text, values, isNamed)
    } catch (error) {
      const isStale = isStalePlan(error)
      // a statement that is not from a template may do anything, so it is not repeated
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
