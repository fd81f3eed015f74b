import type { Written } from '../../catalog/stale/written.ts'
import type { Tx } from '../../db/sql.ts'
import type { Verdict } from '../../input/verdict.ts'
import { idOfText, wholeOfText } from '../../input/whole.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import type { Runtime } from '../../runtime.ts'
import { withRuntime } from './run.ts'

/** Options of every command that writes to an account. */
export interface Common {
  account: number
  json?: true
}

/** The output of a command: `fields` with --json, else `text`. */
export interface Printed {
  fields: Record<string, unknown>
  text: string
}

/** Adds the output of a command to a write. */
export function printed<T>(written: Written<T>, fields: Record<string, unknown>, text: string): Written<Printed> {
  return { ...written, value: { fields, text } }
}

/** Writes to an account through src/writes, as HTTP does, and returns when everything that was written can be read. */
export async function writeTo(
  options: Common,
  work: (tx: Tx, runtime: Runtime) => Promise<Written<Printed>>,
): Promise<void> {
  await withRuntime(options, async ({ runtime, printer }) => {
    using progress = printer.progress('Resolving')
    const written = await runtime.writes.write(options.account, (tx) => work(tx, runtime), {
      waitMs: Infinity,
      onProgress: (shelved) => progress.update(shelved.products, null),
    })
    if (!written.isReplay) printer.result(written.value.fields, written.value.text)
  })
}

/** The value of a valid option. @throws ShelfwireError invalid-input, naming the option. */
function accepted<T>(name: string, verdict: Verdict<T>): T {
  if ('value' in verdict) return verdict.value
  const { reason } = verdict
  throw new ShelfwireError('invalid-input', `${name} ${reason}`, { faults: [{ name, reason }] })
}

/** A whole number from an option's text. */
export function wholeNumber(name: string, text: string): number {
  return accepted(name, wholeOfText(text))
}

/** Parses an id, in the form in which it is printed. */
export function idNumber(name: string, text: string): number {
  return accepted(name, idOfText(text))
}

/** Ids of an option that may be repeated; undefined when it was not given. */
export function idNumbers(name: string, texts: readonly string[] | undefined): number[] | undefined {
  return texts?.map((text) => idNumber(name, text))
}

/** Removes undefined fields: an option that was not given changes nothing. */
export function withoutUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
