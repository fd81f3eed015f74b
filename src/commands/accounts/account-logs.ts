import type { Command } from 'commander'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Db } from '../../db/sql.ts'
import { auditLog, signInLog, type LogPage } from '../../people/audit-log.ts'
import { memberPeople, openSessions } from '../../people/sign-in/sign-in-log.sql.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { formatTimestamp } from '../../platform/time/timestamp.ts'
import { accountNamed } from './account-suspension.ts'
import { repeat } from '../console/follow.ts'
import { withRuntime, type CommandContext } from '../console/run.ts'
import { idNumber } from '../console/write.ts'

const FOLLOW_MS = 2_000

interface LogOptions {
  to: string
  after?: string
  follow?: true
  json?: true
}

type Pages = (db: Db, accountId: number, after: number) => AsyncGenerator<LogPage<{ id: number }>>

/** `shelfwire account audit-log`, `sign-in-log` and `sessions`: JSON lines for a system that collects logs. */
export function accountLogCommands(account: Command): void {
  const logCommand = (name: string, what: string, pages: Pages) =>
    account
      .command(name)
      .description(`append ${what} to a file, as JSON lines, for a log collector`)
      .argument('<account>', 'name or id')
      .requiredOption('--to <file>', 'file to append to; it is created if it does not exist')
      .option('--after <id>', 'only entries after this one, whose id the last call printed')
      .option('--follow', 'keep appending new entries, until SIGINT or SIGTERM')
      .option('--json', 'print one JSON object')
      .action((text: string, options: LogOptions) =>
        withRuntime(options, (context) => appendLog(context, text, options, pages)),
      )
  logCommand('audit-log', 'changes that people made with a session, and who made them,', auditLog)
  logCommand('sign-in-log', 'sign-ins of its members, and changes to how they sign in,', signInLog)
  account
    .command('sessions')
    .description('append the open sessions of its members to a file, as JSON lines, for a log collector')
    .argument('<account>', 'name or id')
    .requiredOption('--to <file>', 'file to append to; it is created if it does not exist')
    .option('--json', 'print one JSON object')
    .action((text: string, options: LogOptions) =>
      withRuntime(options, async ({ runtime: { db }, printer }) => {
        const { accountId, name } = await accountNamed(db, text)
        const to = resolve(options.to)
        await using file = await openLines(to)
        const listedAt = formatTimestamp(new Date())
        const rows = await openSessions(db, await memberPeople(db, accountId))
        await appendLines(
          file,
          rows.map((row) => ({
            account_id: accountId,
            listed_at: listedAt,
            id: row.sessionId,
            person: { person_id: row.personId, email: row.email },
            signed_in_by: row.signedInBy,
            created_at: formatTimestamp(row.createdAt),
            seen_at: formatTimestamp(row.seenAt),
            expires_at: formatTimestamp(row.expiresAt),
            address: row.address,
            user_agent: row.userAgent,
          })),
        )
        await file.sync()
        printer.result(
          { account_id: accountId, to, sessions: rows.length },
          `${rows.length} sessions of members of account ${accountId} "${name}" are in ${to}`,
        )
      }),
    )
}

async function appendLog(
  { runtime: { db }, printer }: CommandContext,
  text: string,
  options: LogOptions,
  pages: Pages,
): Promise<void> {
  const { accountId, name } = await accountNamed(db, text)
  // 0 is printed by a call that has found nothing to continue from
  let after = (options.after ?? '0') === '0' ? 0 : idNumber('--after', options.after ?? '')
  const to = resolve(options.to)
  await using file = await openLines(to)
  let count = 0
  /** Ids of the last minutes behind `after` that have been written; these minutes are read again. */
  let written = new Set<number>()
  using progress = printer.progress('Writing')
  await repeat(options, FOLLOW_MS, async () => {
    const seen = new Set<number>()
    for await (const page of pages(db, accountId, after)) {
      const fresh = page.entries.filter(({ id }) => !written.has(id))
      await appendLines(
        file,
        fresh.map((entry) => ({ account_id: accountId, ...entry })),
      )
      after = page.after
      for (const { id } of page.entries) seen.add(id)
      count += fresh.length
      progress.update(count, null)
    }
    await file.sync()
    written = new Set([...seen].filter((id) => id > after))
  })
  printer.result(
    { account_id: accountId, to, entries: count, after },
    `${count} entries of account ${accountId} "${name}" are in ${to}; go on with --after ${after}`,
  )
}

/**
 * Opens the file with mode 0600, because it contains names and addresses of people. The next entry starts on a new
 * line.
 */
async function openLines(to: string): Promise<FileHandle> {
  let file: FileHandle | null = null
  try {
    file = await open(to, 'a', 0o600)
    if (await endsWithinLine(to)) await file.appendFile('\n')
    return file
  } catch (error) {
    await file?.close()
    const reason = `cannot be written: ${asError(error).message}`
    throw new ShelfwireError('invalid-input', `${to} ${reason}`, { faults: [{ name: '--to', reason }] })
  }
}

/** Whether a file ends in the middle of a line, as a full disk or a kill leaves it. */
async function endsWithinLine(path: string): Promise<boolean> {
  const found = await stat(path)
  // a pipe has no end to read
  if (!found.isFile() || found.size === 0) return false
  await using file = await open(path, 'r')
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, found.size - 1)
  return buffer.toString() !== '\n'
}

async function appendLines(file: FileHandle, lines: readonly object[]): Promise<void> {
  await file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
