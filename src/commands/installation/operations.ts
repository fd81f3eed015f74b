import type { Command } from 'commander'
import { accountsList } from '../../accounts/accounts.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { keysInUse, usesText } from '../../sealed/keys-in-use.ts'
import { rekey } from '../../sealed/rekey.ts'
import { inTransaction } from '../../db/sql.ts'
import {
  linksEnd,
  recoveryCodesEnd,
  restoredCount,
  sessionsEnd,
  tokensRevoke,
  type Restored,
} from '../../people/restored.sql.ts'
import { auditAccount } from '../../shelf/audit.ts'
import { parseTimestamp } from '../../platform/time/timestamp.ts'
import { fenceRestore } from '../../shelf/fence-restore.ts'
import { accountOption } from '../accounts/accounts.ts'
import { printMigrationCheck } from './migration-check.ts'
import { withRuntime } from '../console/run.ts'
import { terminal } from '../console/terminal.ts'
import { now } from '../../platform/time/clock.ts'

export function operationCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to this release’s schema (all other commands do that too)')
    .option('--check', 'change nothing: report what the missing migrations will lock, and for how long')
    .option('--json', 'print one JSON object')
    .action((options: { json?: true; check?: true }) => {
      if (options.check === true) return printMigrationCheck(options)
      return withRuntime(options, ({ runtime, printer }) => {
        const applied = runtime.migrated
        printer.result(
          { applied },
          applied.length === 0 ? 'the schema was up to date' : `applied ${applied.join(', ')}`,
        )
        return Promise.resolve()
      })
    })
  program
    .command('audit')
    .description(
      're-resolve all products and report differences from the stored payloads; exit code 1 if there are any',
    )
    .option('--account <id>', 'only this account', accountOption)
    .option('--json', 'print one JSON object')
    .action((options: { account?: number; json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const accounts = (await accountsList(runtime.db)).filter(
          (row) => options.account === undefined || row.accountId === options.account,
        )
        const audits = []
        for (const { accountId } of accounts) {
          using progress = printer.progress(`Auditing account ${accountId}`)
          audits.push({
            account_id: accountId,
            ...(await auditAccount(runtime.db, accountId, (products) => progress.update(products, null))),
          })
        }
        const total = audits.reduce((sum, audit) => sum + audit.differencesTotal, 0)
        const lines = audits.flatMap((audit) => [
          `account ${audit.account_id}: ${audit.products} products, ${audit.payloads} payloads, ${audit.differencesTotal} differences${audit.isStale ? ' (some products are still waiting to be shelved; audit again when that is done)' : ''}`,
          ...audit.differences.map((row) => `  store ${row.storeId} product ${row.productId}: ${row.what}`),
        ])
        printer.result({ differences: total, accounts: audits }, lines.join('\n'))
        if (total > 0) terminal().exitCode = 1
      }),
    )
  program
    .command('rekey')
    .description(
      'seal every secret in the database with the first key of SECRET_KEY, so that the others can be removed from it; exit code 1 if some cannot be opened',
    )
    .option('--check', 'only count how many values are sealed with which key')
    .option(
      '--forget-lost <key>',
      'delete what was sealed with a lost key, named by the eight characters that --check prints: afterwards endpoints need a rotation, sources need their credentials, and people who used an authenticator app sign in by password alone',
    )
    .option('--json', 'print one JSON object')
    .action((options: { check?: true; forgetLost?: string; json?: true }) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const { db, seal, log } = runtime
        if (options.forgetLost !== undefined && !/^[0-9a-f]{8}$/.test(options.forgetLost))
          throw new ShelfwireError(
            'invalid-input',
            `--forget-lost takes the eight characters of a key as rekey --check prints them, not "${options.forgetLost}"`,
          )
        let done = { sealed: 0, unreadable: 0, forgotten: 0 }
        if (options.check !== true) {
          using progress = printer.progress('Sealing again')
          done = await rekey({
            db,
            seal,
            log,
            lostKeyId: options.forgetLost ?? null,
            onProgress: (values) => progress.update(values, null),
          })
        }
        const { uses, isWhole } = await keysInUse(db)
        const known = seal.keyIds()
        const [first] = known
        const keys = uses.map(({ what, keyId, count }) => ({
          what,
          key: keyId,
          count,
          key_is: keyId === first ? 'first' : known.includes(keyId) ? 'older' : 'missing',
        }))
        const left = uses.filter(({ keyId }) => keyId !== first)
        const lines = [
          ...(options.check === true
            ? []
            : [
                `${done.sealed} values were sealed again, ${done.unreadable} could not be opened, ${done.forgotten} were forgotten`,
              ]),
          uses.length === 0 ? 'nothing is sealed' : `sealed: ${usesText(uses)}`,
          left.length === 0
            ? `everything is sealed with the first key${first === undefined ? '' : ` (${first})`}: the others can be left out`
            : `still sealed with other keys than the first (${first ?? 'there is none'}): ${usesText(left)}`,
          ...(isWhole ? [] : ['a node of the database is away: run it again when it is back']),
        ]
        printer.result(
          { ...done, first_key: first ?? null, is_complete: isWhole && left.length === 0, keys },
          lines.join('\n'),
        )
        if (!isWhole || done.unreadable > 0 || (left.length > 0 && options.check !== true)) terminal().exitCode = 1
      }),
    )
  program
    .command('fence-restore')
    .description(
      'run once after restoring a backup, or promoting a standby that lacked the last changes: feed cursors from the lost time are answered with 410 from then on, and no id from it is assigned again',
    )
    .option(
      '--since <time>',
      'RFC 3339: if the service has already run on the restored database, a time before which nothing was lost',
    )
    .option('--end-sessions', 'also sign everybody out of the panel; browsers are no longer known')
    .option('--revoke-tokens', 'also revoke all tokens')
    .option('--end-links', 'also end invitations, links for new passwords and addresses, and links to endpoints')
    .option('--end-recovery-codes', 'also end all recovery codes, which include those that were used since the backup')
    .option('--end-everything', 'all four')
    .option('--json', 'print one JSON object')
    .action((options: FenceOptions) =>
      withRuntime(options, async ({ runtime, printer }) => {
        const since = options.since === undefined ? null : parseTimestamp(options.since)
        if (options.since !== undefined && (since === null || since > now()))
          throw new ShelfwireError(
            'invalid-input',
            `--since takes a past time with its offset, such as 2026-11-20T10:00:00Z, not "${options.since}"`,
          )
        const accounts = await fenceRestore(runtime.db, since)
        const before = await restoredCount(runtime.db)
        const all = options.endEverything === true
        await inTransaction(runtime.db, async (tx) => {
          if (all || options.endSessions === true) await sessionsEnd(tx)
          if (all || options.revokeTokens === true) await tokensRevoke(tx)
          if (all || options.endLinks === true) await linksEnd(tx)
          if (all || options.endRecoveryCodes === true) await recoveryCodesEnd(tx)
        })
        const left = await restoredCount(runtime.db)
        printer.result(
          { accounts, before, left },
          [
            `the feeds of ${accounts} accounts were fenced; new ids start beyond those of the lost time`,
            'the backup brings back, as of its time (ended / still there):',
            ...Object.entries(RESTORED).map(([name, text]) => {
              const kind = name as keyof Restored
              return `  ${text}: ${before[kind] - left[kind]} / ${left[kind]}`
            }),
            'passwords, passkeys and members that were changed or removed since are as they were: look at the people of each account',
          ].join('\n'),
        )
      }),
    )
}

interface FenceOptions {
  since?: string
  endSessions?: true
  revokeTokens?: true
  endLinks?: true
  endRecoveryCodes?: true
  endEverything?: true
  json?: true
}

/** The names in the report of what a restored backup brings back. */
const RESTORED: Readonly<Record<keyof Restored, string>> = {
  sessions: 'sessions of the panel',
  tokens: 'tokens',
  links: 'invitations and links for new passwords or addresses',
  endpoint_links: 'links to endpoints',
  recovery_codes: 'recovery codes',
  passkeys: 'passkeys',
  members: 'members',
}
