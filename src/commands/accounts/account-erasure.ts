import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { notifyOfSuspension } from '../../accounts/suspensions.ts'
import { inTransaction } from '../../db/sql.ts'
import { erasing } from '../../erasure/erase.ts'
import { erasureGet, erasuresList, type Erasure } from '../../erasure/erasures.sql.ts'
import { cancelErasure, previewErasure, requestErasure, stateOfErasure } from '../../erasure/request.ts'
import { wholeOfText } from '../../input/whole.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { must } from '../../platform/must.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Runtime } from '../../runtime.ts'
import { accountNamed } from './account-suspension.ts'
import type { Printer } from '../console/print.ts'
import { withRuntime } from '../console/run.ts'

interface EraseOptions {
  confirm?: string
  after?: string
  people?: true
  reference?: string
  cancel?: true
  json?: true
}

/** How often the command checks whether an erasure has ended or is due. */
const LOOK_MS = 250

/** `shelfwire account erase` and `erasures`. */
export function accountErasureCommands(account: Command): void {
  account
    .command('erase')
    .description('delete an account with all its data; without --confirm, only count the data')
    .argument('<account>', 'name or id')
    .option('--confirm <name>', 'the account’s name: the account is suspended at once, and then erased')
    .option(
      '--after <days>',
      'how long it stays suspended before it is erased; until then, --cancel stops the erasure',
      '0',
    )
    .option('--people', 'also erase people who are members of no other account')
    .option('--reference <text>', 'reference in the receipt, such as the number of a request; no personal data')
    .option('--cancel', 'stop an erasure that has not begun; the account stays suspended')
    .option('--json', 'print one JSON object')
    .action((text: string, options: EraseOptions) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { accountId, name } = await accountToErase(runtime, text)
        if (options.cancel === true) return cancel(runtime, printer, accountId)
        if (options.confirm === undefined) return count(runtime, printer, { accountId, name })
        if (name !== null && options.confirm !== name)
          throw new ShelfwireError('invalid-input', `--confirm must be the name of account ${accountId}`)
        await erase(runtime, printer, accountId, options)
      }),
    )
  account
    .command('erasures')
    .description('list accounts that will be erased, and the receipts of erased accounts')
    .option('--json', 'print one JSON object')
    .action((options: { json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const erasures = await erasuresList(runtime.db)
        printer.result({ erasures: erasures.map(receiptOf) }, erasures.map(lineOf).join('\n'))
      }),
    )
}

/** The account that a text names. Its name is null if its rows are deleted already but its erasure has not ended. */
async function accountToErase({ db }: Runtime, text: string): Promise<{ accountId: number; name: string | null }> {
  const erasure = /^[1-9]\d{0,14}$/.test(text) ? await erasureGet(db, Number(text)) : undefined
  if (erasure === undefined || erasure.startedAt === null) return accountNamed(db, text)
  if (erasure.finishedAt === null) return { accountId: erasure.accountId, name: null }
  throw new ShelfwireError(
    'unknown-account',
    `account ${text} was erased at ${erasure.finishedAt.toISOString()}; shelfwire account erasures shows the receipt`,
  )
}

async function cancel({ db }: Runtime, printer: Printer, accountId: number): Promise<void> {
  await inTransaction(db, (tx) => cancelErasure(tx, accountId))
  printer.result(
    { account_id: accountId, state: 'suspended' },
    `account ${accountId} is not erased; it stays suspended until: shelfwire account resume ${accountId}`,
  )
}

async function count(
  { db, imports }: Runtime,
  printer: Printer,
  { accountId, name }: { accountId: number; name: string | null },
): Promise<void> {
  const { rows, files } = await previewErasure(db, imports.files, accountId)
  printer.result(
    { account_id: accountId, state: 'counted', rows, files },
    [
      ...Object.entries(rows).map(([table, number]) => `${number}\t${table}`),
      `${files}\tfiles of imports`,
      `Nothing was erased. To erase it: shelfwire account erase ${accountId} --confirm ${JSON.stringify(name ?? '')}`,
    ].join('\n'),
  )
}

async function erase(runtime: Runtime, printer: Printer, accountId: number, options: EraseOptions): Promise<void> {
  const { db, imageStore, imports } = runtime
  const days = wholeOfText(options.after ?? '0')
  if (!('value' in days)) throw new ShelfwireError('invalid-input', `--after ${days.reason}`)
  const before = await erasureGet(db, accountId)
  if (before === undefined || before.startedAt === null)
    await inTransaction(db, (tx) =>
      requestErasure(tx, accountId, {
        days: days.value,
        reference: options.reference ?? null,
        erasesPeople: options.people === true,
      }),
    )
  notifyOfSuspension(runtime.wake, accountId)
  const asked = must(await erasureGet(db, accountId))
  if (days.value > 0 && asked.startedAt === null)
    return printer.result(
      receiptOf(asked),
      `account ${accountId} is suspended, and is erased after ${asked.dueAt.toISOString()} by the service; until then shelfwire account erase ${accountId} --cancel takes it back`,
    )
  using progress = printer.progress('Erasing')
  let deleted = 0
  const until = performance.now() + LIMITS.erasureQuietSeconds * 2_000
  for (;;) {
    for await (const { of, rows } of erasing({ db, imageStore, files: imports.files }, accountId))
      progress.update((deleted += rows), null, of)
    const erasure = await erasureGet(db, accountId)
    if (erasure === undefined)
      throw new ShelfwireError('conflict', `the erasure of account ${accountId} was taken back meanwhile`)
    if (erasure.finishedAt !== null)
      return printer.result(
        receiptOf(erasure),
        `account ${accountId} is erased: ${totalOf(erasure)} rows, ${erasure.pictures} stored pictures, ${erasure.files} files of imports, ${erasure.people} people. The service looks through everything once more after ${LIMITS.erasureCheckMinutes} minutes; shelfwire account erasures shows the receipt`,
      )
    if (performance.now() > until)
      throw new ShelfwireError('conflict', `the erasure of account ${accountId} was put off meanwhile`)
    await sleep(LOOK_MS)
  }
}

const totalOf = ({ rows }: Erasure) => Object.values(rows).reduce((sum, number) => sum + number, 0)

/** The receipt that --json prints: table names are data and are not converted. */
const receiptOf = (erasure: Erasure) => {
  const { accountId, ...facts } = erasure
  return { account_id: accountId, state: stateOfErasure(erasure), ...facts }
}

const lineOf = (erasure: Erasure) =>
  [
    erasure.accountId,
    stateOfErasure(erasure),
    (erasure.finishedAt ?? erasure.dueAt).toISOString(),
    `${totalOf(erasure)} rows`,
    `${erasure.pictures} pictures`,
    `${erasure.files} files`,
    `${erasure.people} people`,
    ...(erasure.reference === null ? [] : [erasure.reference]),
  ].join('\t')
