import type { Mutant } from './mutant.ts'

const STATEMENTS = 'src/db/statements/statements.ts'
const TRANSACTION = 'src/db/transaction.ts'
const HOSTS = 'src/db/connections/hosts.ts'
const LOST = 'test/database/lost-connections.full.pg.test.ts'
const REKEY = 'test/database/rekey.full.pg.test.ts'
const BACKUP = 'test/embedded/backup.full.pg.test.ts'
const USED_SERVER = 'test/embedded/used-server.full.pg.test.ts'
const STANDBY = 'test/database/standby.full.pg.test.ts'
const FAILOVER = 'test/database/failover.full.pg.test.ts'

/** Faults in handling a database that restarts, disappears or is replaced by its standby. */
export const DATABASE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-write-outside-of-a-transaction-is-sent-twice',
    edits: [
      { file: STATEMENTS, from: 'isNamed && isReading(text) && isBroken(error)', to: 'isNamed && isBroken(error)' },
    ],
    file: LOST,
    test: 'outside of a transaction what reads is asked once more when its connection breaks before the answer, what writes is not',
  },
  {
    name: 'a-backup-lacks-the-log-of-its-time',
    edits: [
      {
        file: 'src/embedded/backup/back-up.ts',
        from: 'for (const { name } of segments)\n',
        to: 'for (const { name } of segments.slice(segments.length))\n',
      },
    ],
    file: BACKUP,
    test: 'a backup of a server that is written to is restored with all that was acknowledged before it began',
  },
  {
    name: 'a-segment-that-is-cut-off-ends-the-log',
    edits: [
      {
        file: 'src/embedded/backup/staged-wal.ts',
        from: 'gap = `${name}.gz is damaged (${fault})`',
        to: 'break',
      },
    ],
    file: 'test/embedded/restore-to-a-moment.full.pg.test.ts',
    test: 'a segment that is missing or cut off is named, with how far the log is whole; and another restore begins anew',
  },
  {
    name: 'a-restore-goes-on-behind-its-moment',
    edits: [
      {
        file: 'src/embedded/backup/moment.ts',
        from: "recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00'),",
        to: '',
      },
    ],
    file: 'test/embedded/restore-to-a-moment.full.pg.test.ts',
    test: 'exactly what was committed up to the moment is there, and later cursors are refused',
  },
  {
    name: 'who-cannot-be-seen-is-dead',
    edits: [
      {
        file: 'src/embedded/lock.ts',
        from: 'holder.home === home && isSameProcess(holder)',
        to: 'holder.home === home && startOf(holder.pid) === holder.started',
      },
    ],
    file: 'src/embedded/lock.test.ts',
    test: 'a user of the server stays registered if its start time cannot be read',
  },
  {
    name: 'a-used-server-is-killed',
    edits: [
      {
        file: 'src/embedded/embedded.ts',
        from: 'if (users.length > 0) return { silent: running, users }',
        to: 'if (users.length > 9) return { silent: running, users }',
      },
    ],
    file: USED_SERVER,
    test: 'is left alone when it goes on not to answer, and who uses it is named',
  },
  {
    name: 'a-used-server-changes-its-port',
    edits: [
      {
        file: 'src/embedded/embedded.ts',
        from: 'users.find((user) => user.port !== null)?.port ?? lastPort(home.cluster)',
        to: 'lastPort(home.cluster)',
      },
    ],
    file: USED_SERVER,
    test: 'is started on the port that the service knows, whoever sees first that it has ended',
  },
  {
    name: 'a-supervisor-takes-any-port',
    edits: [
      {
        file: 'src/embedded/embedded.ts',
        from: "if (answer.kind === 'ready' && answer.port === port) return running",
        to: "if (answer.kind === 'ready' && port > 0) return running",
      },
    ],
    file: USED_SERVER,
    test: 'that a command of an earlier release has started on another port is said, and comes back to its own',
  },
  {
    name: 'an-unfinished-restore-is-served',
    edits: [
      {
        file: 'src/embedded/embedded.ts',
        from: 'if (!isRestoring) refuseUnfinishedRestore(dataDir)',
        to: 'void [isRestoring, refuseUnfinishedRestore]',
      },
    ],
    file: BACKUP,
    test: 'a damaged backup is refused by the file, no service starts on what was copied, and another restore begins anew',
  },
  {
    name: 'a-damaged-file-is-restored',
    edits: [
      {
        file: 'src/embedded/backup/restore.ts',
        from: 'if (copied?.sha256 !== sha256 || copied.bytes !== bytes)',
        to: 'if (copied === undefined || (copied.bytes !== bytes && sha256 !== null))',
      },
    ],
    file: BACKUP,
    test: 'a damaged backup is refused by the file, no service starts on what was copied, and another restore begins anew',
  },
  {
    name: 'a-start-without-a-key-in-use',
    edits: [{ file: 'src/sealed/keys-in-use.ts', from: 'if (lost.length > 0)', to: 'if (lost.length > uses.length)' }],
    file: REKEY,
    test: 'refuses where values are sealed with a key that the settings do not have, and says how many',
  },
  {
    name: 'rekey-forgets-previous-secrets',
    edits: [{ file: 'src/sealed/kinds.ts', from: "column: 'previous_secret'", to: "column: 'secret'" }],
    file: REKEY,
    test: 'every sealed value of the database is known, and so is every place that seals',
  },
  {
    name: 'rekey-undoes-a-rotation',
    edits: [
      {
        file: 'src/sealed/sealed.sql.ts',
        from: "where ${tx(id)} = ${row.id} and ${tx(column)} = ${row.sealed}\n      and ${table === 'person' ? tx`true` : tx`account_id = ${row.accountId}`}\n    returning 1`",
        to: "where ${tx(id)} = ${row.id}\n      and ${table === 'person' ? tx`true` : tx`account_id = ${row.accountId}`}\n    returning 1`",
      },
    ],
    file: REKEY,
    test: 'leaves a value that was replaced since it was read',
  },
  {
    name: 'a-lost-read-is-not-repeated',
    edits: [{ file: STATEMENTS, from: 'isReading(text) && isBroken(error)', to: 'isReading(text) && isBroken(null)' }],
    file: LOST,
    test: 'a read outside of a transaction is repeated once when its connection breaks',
  },
  {
    name: 'a-text-is-repeated',
    edits: [
      {
        file: STATEMENTS,
        from: '!(isNamed && isReading(text) && isBroken(error))',
        to: '!(isReading(text) && isBroken(error))',
      },
    ],
    file: LOST,
    test: 'a read outside of a transaction is repeated once when its connection breaks',
  },
  {
    name: 'a-broken-idle-connection-costs-a-request',
    edits: [
      {
        file: TRANSACTION,
        from: 'if (isFirst && isBroken(notBegun)) continue',
        to: 'if (isFirst && isBroken(null)) continue',
      },
    ],
    file: LOST,
    test: 'connections that broke while nobody used them cost no request',
  },
  {
    name: 'a-write-before-its-transaction-has-begun',
    edits: [{ file: TRANSACTION, from: '(isNamed && READS.test(text))', to: 'isNamed' }],
    file: LOST,
    test: 'a transaction that does not begin writes nothing',
  },
  {
    name: 'a-closed-transaction-goes-on',
    edits: [
      {
        file: TRANSACTION,
        from: 'if (this.#isClosed) throw',
        to: 'if (this.#isClosed && savepoints < 0) throw',
      },
    ],
    file: LOST,
    test: 'a transaction that is over takes no more statements',
  },
  {
    name: 'a-commit-behind-a-failed-statement-is-believed',
    edits: [
      { file: TRANSACTION, from: 'scope.throwFirstError()\n  if (command', to: 'if (command' },
      { file: TRANSACTION, from: "command !== 'COMMIT'", to: "command === ''" },
    ],
    file: LOST,
    test: 'what a transaction sends last without awaiting it is committed with the rest, or nothing is',
  },
  {
    name: 'a-vanished-server-is-waited-for',
    edits: [
      {
        file: 'src/db/connections/answer-deadlines.ts',
        from: 'if (waiting.until > now) continue',
        to: 'if (waiting.until > now - 20 * leastMs) continue',
      },
    ],
    file: LOST,
    test: 'a statement that a server does not answer any more ends',
  },
  {
    name: 'a-standby-counts-as-the-primary',
    edits: [{ file: HOSTS, from: 'if (server?.is_standby === true)', to: 'if (server === undefined)' }],
    file: STANDBY,
    test: 'the primary among several hosts is used, in any position and whichever others do not answer',
  },
  {
    name: 'a-cancelled-wait-for-the-standby-is-acknowledged',
    edits: [
      {
        file: 'src/db/connections/connections.ts',
        from: "notice.routine === 'SyncRepWaitForLSN'",
        to: "notice.routine === 'nothing'",
      },
    ],
    file: STANDBY,
    test: 'a commit whose wait for the standby was cancelled is not acknowledged',
  },
  {
    name: 'a-lost-commit-counts-as-a-failed-one',
    edits: [
      {
        file: TRANSACTION,
        from: "throw new CommitUnknown('the connection was lost during the commit', { cause: error })",
        to: 'throw error',
      },
    ],
    file: STANDBY,
    test: 'a commit that the server does not answer is reported as unknown, not as failed',
  },
  {
    name: 'readers-stay-with-a-former-primary',
    edits: [
      {
        file: TRANSACTION,
        from: 'if (isReadOnly(error)) connections.replaceAll()',
        to: 'if (isReadOnly(error)) void connections.replaceAll',
      },
    ],
    file: STANDBY,
    test: 'a refused write replaces the connections to a former primary, also those that only read',
  },
  {
    name: 'who-waits-for-a-former-primary-waits-on',
    edits: [
      {
        file: HOSTS,
        from: 'for (const listener of listeners) listener((client) => places.get(client) !== place)',
        to: 'void listeners',
      },
    ],
    file: STANDBY,
    test: 'when a primary vanishes without a word, what waits for it ends as soon as another one is found',
  },
  {
    name: 'commits-that-do-not-wait-for-the-standby',
    edits: [
      {
        file: 'src/db/connections/session-options.ts',
        from: "const SETTINGS = '-c enable_seqscan=off ",
        to: "const SETTINGS = '-c enable_seqscan=off -c synchronous_commit=local ",
      },
    ],
    file: FAILOVER,
    test: 'a primary that is restarted, crashes, and is replaced by its synchronous standby costs 503 only, and nothing that was acknowledged: DATABASE_URL with both hosts',
  },
  {
    name: 'numbers-that-were-given-twice-are-not-fenced',
    edits: [
      {
        file: 'src/shelf/fence-restore.ts',
        from: 'since === null ? null : await lastNumberBefore(tx, accountId, since)',
        to: 'since === null ? (void lastNumberBefore, null) : null',
      },
    ],
    file: FAILOVER,
    test: 'a standby that lacked the last writes is promoted: what the lost time gave away is refused after fence-restore, and all comes right again; the service was left running',
  },
  {
    name: 'a-lease-nobody-sends-for-is-waited-for',
    edits: [
      {
        file: 'src/webhooks/deliver/step.ts',
        from: 'unsent?.has(row.leaseId) === true',
        to: 'unsent?.has(row.leaseId) === null',
      },
    ],
    file: 'test/webhooks/orphans.full.pg.test.ts',
    test: 'a lease whose commit was not answered is not waited for by the process that took it',
  },
]
