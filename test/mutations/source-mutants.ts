import type { Mutant } from './mutant.ts'

// Mutants of sources of suppliers' files: when they are fetched, and where credentials are sent.

const SOURCES = 'test/import/sources.pg.test.ts'
const HTTP = 'test/import/fetch-http.full.pg.test.ts'
const SERVERS = 'test/import/fetch-servers.full.pg.test.ts'
const HOSTILE = 'test/import/hostile-ssh.full.pg.test.ts'
const SETTINGS = 'test/import/source-settings.pg.test.ts'
const EDIT = 'src/imports/sources/edit-sources.ts'

export const SOURCE_MUTANTS: readonly Mutant[] = [
  {
    name: 'sources-are-asked-for-by-every-process',
    edits: [
      {
        file: 'src/imports/sources/sources.sql.ts',
        from: '    order by next_run_at, source_id limit ${limit} for update skip locked`',
        to: '    order by next_run_at, source_id limit ${limit}`',
      },
    ],
    file: SOURCES,
    test: 'and was asked for by another process at the same moment, gets one run',
  },
  {
    name: 'missed-runs-are-all-made-up-for',
    edits: [
      {
        file: 'src/imports/runs/sources/source-runs.ts',
        from: 'source.isActive ? nextRunAt(source, now) : null, isRun',
        to: 'source.isActive ? nextRunAt(source, source.nextRunAt ?? now) : null, isRun',
      },
    ],
    file: SOURCES,
    test: 'after days without a process gets one run, not many',
  },
  {
    name: 'a-clock-that-was-ahead-stops-sources',
    edits: [
      {
        file: 'src/imports/sources/sources.sql.ts',
        from: `      or (next_run_at is not null and scheduled_at > now() + make_interval(secs => \${clockBackMs / 1_000})))
    order by`,
        to: `      or false)
    order by`,
      },
    ],
    file: SOURCES,
    test: 'is decided again when the clock was set back, without a run',
  },
  {
    name: 'credentials-follow-redirects',
    edits: [
      {
        file: 'src/imports/fetch/fetch-http.ts',
        from: '...(url.origin === request.url.origin ? credentials : {}),',
        to: '...credentials,',
      },
    ],
    file: HTTP,
    test: "of the kind { kind: 'bearer'",
  },
  {
    name: 'credentials-are-for-any-server',
    edits: [
      {
        file: 'src/imports/sources/credentials.ts',
        from: 'if (stored.origin !== origin)',
        to: 'if (stored.origin === null)',
      },
    ],
    file: HTTP,
    test: 'that were sealed for another server are not sent, whatever the row says',
  },
  {
    name: 'credentials-stay-when-the-url-changes',
    edits: [
      {
        file: EDIT,
        from: 'if (credentials === undefined) return isKept ? kept : none',
        to: 'if (credentials === undefined) return kept',
      },
    ],
    file: SETTINGS,
    test: 'are sealed, kept by an edit of something else, and forgotten when the URL leads to another server',
  },
  {
    name: 'a-kind-takes-credentials-along',
    edits: [{ file: EDIT, from: 'check.that(isKept, ', to: 'check.that(true, ' }],
    file: SETTINGS,
    test: 'are not taken along by their kind alone',
  },
  {
    name: 'another-host-key-is-trusted',
    edits: [{ file: 'src/imports/fetch/fetch-sftp.ts', from: 'hostKey === shown', to: 'hostKey !== null' }],
    file: SERVERS,
    test: 'keeps the key of the first contact, and refuses another one before the password is sent',
  },
  {
    name: 'a-key-states-its-rounds',
    edits: [
      {
        file: 'src/imports/ssh/key-header.ts',
        from: 'if (rounds <= LIMITS.sourceKeyRoundsMax) return null',
        to: 'if (rounds >= 0) return null',
      },
    ],
    file: 'test/import/key-header.test.ts',
    test: 'says by how many rounds it is encrypted (I178): 257',
  },
  {
    name: 'a-key-is-opened-for-any-time',
    edits: [{ file: 'src/imports/ssh/keys.ts', from: 'ssh.limit(LIMITS.sourceKeyMs, () => late)', to: '' }],
    file: HOSTILE,
    test: 'is tried beside everything else, and given up when that takes too long',
  },
  {
    name: 'a-process-that-cannot-be-started-is-blamed-on-the-key',
    edits: [{ file: 'src/imports/ssh/ssh-process.ts', from: '      if (!isReady) {\n', to: '      if (isReady) {\n' }],
    file: HOSTILE,
    test: 'neither a key nor a server is blamed because the program that speaks SSH cannot be started',
  },
  {
    name: 'a-key-is-taken-untried',
    edits: [
      {
        file: 'src/imports/sources/credentials.ts',
        from: "throw new Error('a private key is tried before the transaction, by prepareSource')",
        to: 'return null',
      },
    ],
    file: HOSTILE,
    test: 'is not tried in a transaction, and not at all when it states too many rounds',
  },
  {
    name: 'an-sftp-server-chooses-the-group',
    edits: [
      {
        file: 'src/imports/fetch/sftp/sign-in.ts',
        from: "    'diffie-hellman-group14-sha256',",
        to: "    'diffie-hellman-group-exchange-sha256',",
      },
    ],
    file: HOSTILE,
    test: 'chooses no group of Diffie-Hellman, and compresses nothing',
  },
  {
    name: 'ftp-follows-the-server',
    edits: [
      {
        file: 'src/imports/fetch/fetch-ftp.ts',
        from: 'allowSeparateTransferHost: false',
        to: 'allowSeparateTransferHost: true',
      },
    ],
    file: SERVERS,
    test: 'does not follow the server to another host',
  },
  {
    name: 'links-lead-out-of-the-directory',
    edits: [
      { file: 'src/imports/fetch/fetch-directory.ts', from: 'if (!isInside(root, real))', to: 'if (real === "")' },
    ],
    file: SERVERS,
    test: 'gives nothing outside of it, whatever links lead there',
  },
  {
    name: 'the-audit-trail-has-credentials',
    edits: [
      {
        file: 'src/serve/writing/answer-write.ts',
        from: 'const body = withoutSecrets(request.body ?? null, config.route?.body?.secrets ?? [])',
        to: 'const body = request.body ?? null',
      },
    ],
    file: 'test/panel/audit-secrets.pg.test.ts',
    test: 'the audit trail has the kind of credentials, and nothing else of them',
  },
  {
    name: 'what-others-chose-is-proposed',
    edits: [
      {
        file: 'src/imports/sources/known-mappings.sql.ts',
        from: 'from supplier_source where account_id = ${accountId}',
        to: 'from supplier_source',
      },
      {
        file: 'src/imports/sources/known-mappings.sql.ts',
        from: 'join supplier on supplier.account_id = ${accountId} and supplier.supplier_id',
        to: 'join supplier on supplier.supplier_id',
      },
    ],
    file: 'test/import/known-mappings.full.pg.test.ts',
    test: 'nothing of another account is proposed',
  },
  {
    name: 'a-choice-is-not-said',
    edits: [
      {
        file: 'src/supplier-files/proposal/chosen-before.ts',
        from: 'reasons.splice(0, Infinity, ...kept, ...found.map(({ path, reason }) => ({ path, reason })))',
        to: 'reasons.splice(0, Infinity, ...kept)',
      },
    ],
    file: 'src/supplier-files/proposal/chosen-before.test.ts',
    test: 'is proposed again, with whose mapping has it and what it takes the place of',
  },
  {
    name: 'a-run-that-is-read-has-ended-its-process',
    edits: [
      {
        file: 'src/imports/runs/loop/claims.sql.ts',
        from: "case when state = 'writing' then 1 else 0 end",
        to: "case when state in ('reading', 'writing') then 1 else 0 end",
      },
    ],
    file: 'test/import/file-readers.full.pg.test.ts',
    test: 'a run that was read when the process of the service ended is set aside only when that has happened as often as it is begun',
  },
  {
    name: 'a-run-that-has-written-is-begun-without-end',
    edits: [
      {
        file: 'src/imports/runs/loop/execute.ts',
        from: 'const isLost = attempts > LIMITS.importRunAttemptsMax',
        to: 'const isLost = !hasWritten && attempts > LIMITS.importRunAttemptsMax',
      },
    ],
    file: 'test/crash/run-kill.full.pg.test.ts',
    test: 'a run that has written a page, and whose reading ends its process each time, is set aside; what it wrote is whole, and can be undone',
  },
  {
    name: 'a-run-that-is-read-is-begun-without-end',
    edits: [
      {
        file: 'src/imports/runs/loop/execute.ts',
        from: 'const isLost = attempts > LIMITS.importRunAttemptsMax',
        to: 'const isLost = attempts > Infinity',
      },
    ],
    file: 'test/import/file-readers.full.pg.test.ts',
    test: 'a run that was read when the process of the service ended is set aside only when that has happened as often as it is begun',
  },
]
