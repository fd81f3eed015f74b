import { accountGet } from '../accounts/accounts.sql.ts'
import type { Tx } from '../db/sql.ts'
import { ShelfwireError } from '../platform/errors.ts'
import { withRuntime } from './run.ts'

/** Options of every command that writes to an account. */
export interface Common {
  account: number
  json?: true
}

/** The output of a write, and the products to shelve at once. */
export interface Written {
  fields: Record<string, unknown>
  text: string
  productIds?: readonly number[]
}

/** The output of a command that created something: `store_id: 7`, "store 7 is made". */
export function made(noun: string, id: number): Written {
  return { fields: { [`${noun}_id`]: id }, text: `${noun.replaceAll('_', ' ')} ${id} is made` }
}

/** Runs a write of an account, waits until all changed products can be read, and prints its output. */
export async function writeTo(options: Common, work: (tx: Tx) => Promise<Written>): Promise<void> {
  await withRuntime(options.json, async ({ runtime, printer }) => {
    if ((await accountGet(runtime.db, options.account)) === undefined)
      throw new ShelfwireError('unknown-account', `there is no account ${options.account}`)
    const { written } = await runtime.shelf.write(options.account, async (tx) => {
      const result = await work(tx)
      return { written: result, productIds: result.productIds ?? [] }
    })
    runtime.wake.notify('directory', options.account)
    using progress = printer.progress('Resolving')
    await runtime.shelf.drain(options.account, (shelved) => progress.update(shelved.products, null))
    printer.result(written.fields, written.text)
  })
}

/** Parses a whole number of up to 12 digits. */
export function wholeNumber(name: string, text: string): number {
  if (!/^-?\d{1,12}$/.test(text))
    throw new ShelfwireError('invalid-input', `${name} takes a whole number, not «${text}»`)
  return Number(text)
}

/** Parses the whole numbers of a repeatable option; undefined when it was not given. */
export function wholeNumbers(name: string, texts: readonly string[] | undefined): number[] | undefined {
  return texts?.map((text) => wholeNumber(name, text))
}

/** The fields without those that are undefined: an option that was not given changes nothing. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
