import type pg from 'pg'
import type { Query, Reader, Rows } from '../sql.ts'
import { Identifier, statementOf, type Fragment, type Value } from './statement.ts'

/**
 * Sends a statement.
 * @param values undefined: a text without parameters, which may be several statements
 * @param isNamed whether it is from a template, so that it may be prepared
 */
export type Run = (
  text: string,
  values: unknown[] | undefined,
  isNamed: boolean,
) => Promise<pg.QueryResult | pg.QueryResult[]>

/** A template function whose statements are sent by `run`. */
export function readerOf(run: Run): Reader {
  const tag = (first: TemplateStringsArray | string, ...values: unknown[]) =>
    typeof first === 'string' ? new Identifier(first) : new Template(first, values, run, true)
  return Object.assign(tag, {
    unsafe: (text: string, values?: readonly Value[]) =>
      new Template([text], [], (sent) => run(sent, values === undefined ? undefined : [...values], false), false),
  }) as unknown as Reader
}

const ignore = () => {}

/** A template that is sent when it is first awaited, or inserted into another one. */
class Template implements Query<unknown> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly #run: Run
  readonly #isTagged: boolean
  #sent: Promise<Rows<unknown>> | undefined

  constructor(strings: readonly string[], values: readonly unknown[], run: Run, isTagged: boolean) {
    this.strings = strings
    this.values = values
    this.#run = run
    this.#isTagged = isTagged
  }

  #send(): Promise<Rows<unknown>> {
    this.#sent ??= this.#start()
    return this.#sent
  }

  async #start({ text, values } = statementOf(this, isTemplate)): Promise<Rows<unknown>> {
    return rowsOf(await this.#run(text, this.#isTagged ? values : undefined, this.#isTagged))
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then<A = Rows<unknown>, B = never>(
    onFulfilled?: ((rows: Rows<unknown>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#send().then(onFulfilled, onRejected)
  }

  catch<T = never>(onRejected?: ((reason: unknown) => T | PromiseLike<T>) | null): Promise<Rows<unknown> | T> {
    return this.#send().catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Rows<unknown>> {
    return this.#send().finally(onFinally)
  }

  execute(): this {
    // a statement that cannot be built throws here, because nobody may await it, and the transaction would be committed without
    // it
    this.#sent ??= this.#start(statementOf(this, isTemplate))
    this.#sent.catch(ignore)
    return this
  }
}

const isTemplate = (value: unknown): value is Fragment => value instanceof Template

function rowsOf(result: pg.QueryResult | pg.QueryResult[]): Rows<unknown> {
  // for several statements in one text, the rows of the last one
  const last = Array.isArray(result) ? result.at(-1) : result
  const rows = (last?.rows ?? []) as Rows<unknown>
  Object.defineProperty(rows, 'count', { value: last?.rowCount ?? 0 })
  return rows
}
