import { accountGet } from '../accounts/accounts.sql.ts'
import type { Tx } from '../db/sql.ts'
import type { Verdict } from '../input/verdict.ts'
import { idOfText, wholeOfText } from '../input/whole.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { withRuntime } from './run.ts'

/** Options of every command that writes to an account. */
export interface Common {
  account: number
  json?: true
}

/** What a write has to say, and the products it wants shelved at once. */
export interface Written {
  fields: Record<string, unknown>
  text: string
  productIds?: readonly number[]
}

/** `store_id: 7`, «store 7 is made». */
export function made(noun: string, id: number): Written {
  return { fields: { [`${noun}_id`]: id }, text: `${noun.replaceAll('_', ' ')} ${id} is made` }
}

/** Runs a write of an account as every other way in does, and ends when all of it can be read. */
export async function writeTo(options: Common, work: (tx: Tx) => Promise<Written>): Promise<void> {
  await withRuntime(options.json, async ({ runtime, printer }) => {
    if ((await accountGet(runtime.db, options.account)) === undefined)
      throw new ShelfwireError('unknown-account', `there is no account ${options.account}`)
    const { written } = await runtime.shelf.write(options.account, async (tx) => {
      const result = await work(tx)
      return { written: result, productIds: result.productIds ?? [] }
    })
    runtime.wake.tell('directory', options.account)
    using progress = printer.progress('Resolving')
    await runtime.shelf.drain(options.account, (shelved) => progress.update(shelved.products, null))
    printer.result(written.fields, written.text)
  })
}

/** The value of an option. @throws ShelfwireError invalid-input, naming the option. */
function accepted<T>(name: string, verdict: Verdict<T>): T {
  if ('value' in verdict) return verdict.value
  const { reason } = verdict
  throw new ShelfwireError('invalid-input', `${name} ${reason}`, { faults: [{ name, reason }] })
}

/** A whole number on the command line, which knows texts alone. */
export function wholeNumber(name: string, text: string): number {
  return accepted(name, wholeOfText(text))
}

/** The ID of something, as it was printed when it was made. */
export function idNumber(name: string, text: string): number {
  return accepted(name, idOfText(text))
}

/** IDs of an option that may be repeated; undefined when it was not given. */
export function idNumbers(name: string, texts: readonly string[] | undefined): number[] | undefined {
  return texts?.map((text) => idNumber(name, text))
}

/** Only what is there: an option that was not given changes nothing. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
