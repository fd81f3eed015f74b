import type { Mutant } from './mutant.ts'

const SUSPENSION = 'test/accounts/suspension.full.pg.test.ts'
const ERASURE = 'test/accounts/erasure.full.pg.test.ts'
const ARCHIVE = 'test/accounts/archive.full.pg.test.ts'
const ARCHIVE_IMPORT = 'test/accounts/archive-import.full.pg.test.ts'
const ARCHIVE_REFUSED = 'test/accounts/archive-refused.full.pg.test.ts'
const PERSON_ERASURE = 'test/accounts/person-erasure.full.pg.test.ts'
const ERASE = 'src/erasure/erase.ts'
const MEANWHILE = 'writers that know nothing of it write until nothing is left to write to'
const WORK = 'rests: sweeps, deliveries and imports begin when it goes on'
const DELIVERER = 'src/webhooks/deliver/loop.ts'

const OPERATOR = 'test/operator/operator-api.full.pg.test.ts'

/** Faults in suspending, exporting, erasing and creating accounts. */
export const ACCOUNT_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-token-of-an-account-opens-the-operators-routes',
    edits: [
      {
        file: 'src/serve/operator/guard.ts',
        from: 'if (!timingSafeEqual(given, expected))',
        to: 'if (!timingSafeEqual(given, expected) && !/^Bearer sw_f/.test(request.headers.authorization ?? ""))',
      },
    ],
    file: OPERATOR,
    test: 'of accounts open no route of the operator, and change nothing there',
  },
  {
    name: 'the-operators-routes-are-there-unasked',
    edits: [
      {
        file: 'src/service.ts',
        from: 'operatorToken: settings.operatorToken,',
        to: "operatorToken: settings.operatorToken ?? '',",
      },
    ],
    file: OPERATOR,
    test: 'there is nothing at these addresses, with any token',
  },
  {
    name: 'an-account-is-created-again-under-its-key',
    edits: [
      {
        file: 'src/writes/created-accounts.sql.ts',
        from: 'if (taken.count === 1) return undefined',
        to: 'if (taken.count >= 0) return undefined',
      },
    ],
    file: OPERATOR,
    test: 'is created once under one key, listed, renamed, and is what the commands see',
  },
  {
    name: 'whoever-waited-is-not-asked-again',
    edits: [
      {
        file: 'src/serve/routes/changes.ts',
        from: 'caller: await identify(context, request)',
        to: 'caller: (void identify, call.caller)',
      },
    ],
    file: 'test/api/waiting-callers.pg.test.ts',
    test: 'with 401 once its token is revoked',
  },
  {
    name: 'every-fault-is-named',
    edits: [
      { file: 'src/input/check.ts', from: 'if (!ok && !this.isFull) this.faults', to: 'if (!ok) this.faults' },
      { file: 'src/input/check.ts', from: 'return this.isFull ? value : this.take(', to: 'return this.take(' },
    ],
    file: 'test/api/many-faults.pg.test.ts',
    test: 'at most 200 faults of many wrong texts are named',
  },
  {
    name: 'requests-of-a-suspended-account-are-answered',
    edits: [{ file: 'src/serve/guard.ts', from: '  requireActive(context.db, caller.accountId)\n', to: '' }],
    file: SUSPENSION,
    test: 'are answered again once it goes on, with the same token',
  },
  {
    name: 'a-suspended-account-is-looked-up-at-notifications-only',
    edits: [
      {
        file: 'src/accounts/suspensions.ts',
        from: 'idleMs: LIMITS.directoryTtlMs',
        to: 'idleMs: 3_600_000',
      },
    ],
    file: SUSPENSION,
    test: 'are refused within seconds when the notification is lost, and others are not',
  },
  {
    name: 'sweeps-of-a-suspended-account-go-on',
    edits: [{ file: 'src/shelf/shelf.ts', from: 'this.#db.resting.has(accountId)', to: 'accountId < 0' }],
    file: SUSPENSION,
    test: WORK,
  },
  {
    name: 'deliveries-of-a-suspended-account-go-on',
    edits: [
      {
        file: DELIVERER,
        from: 'this.#schedule.isStopping || this.#db.resting.has(accountId)',
        to: 'this.#schedule.isStopping',
      },
      { file: DELIVERER, from: 'results.length === 0 && this.#db.resting.has(accountId)', to: 'accountId < 0' },
    ],
    file: SUSPENSION,
    test: WORK,
  },
  {
    name: 'imports-of-a-suspended-account-begin',
    edits: [
      { file: 'src/imports/runs/loop/loop.ts', from: '        if (db.resting.has(accountId)) continue\n', to: '' },
    ],
    file: SUSPENSION,
    test: WORK,
  },
  {
    name: 'an-invitation-to-a-suspended-account-is-accepted',
    edits: [
      {
        file: 'src/people/links.ts',
        from: '  if (await accountSuspended(tx, accountId)) throw accountIsSuspended()\n',
        to: '',
      },
    ],
    file: SUSPENSION,
    test: 'is refused, for new people and for those who have signed in before',
  },
  {
    name: 'an-account-is-deleted-before-it-is-empty',
    edits: [{ file: ERASE, from: 'if (!isStillReferred(error)) throw error', to: 'throw error' }],
    file: ERASURE,
    test: MEANWHILE,
  },
  {
    name: 'an-erased-account-is-never-looked-at-again',
    edits: [
      {
        file: 'src/erasure/erasures.sql.ts',
        from: '(finished_at is null or finished_at < now() - make_interval(mins => ${LIMITS.erasureCheckMinutes}))',
        to: 'finished_at is null',
      },
    ],
    file: ERASURE,
    test: 'what comes into a table without keys behind it all is found by the last look',
  },
  {
    name: 'pictures-of-others-are-removed',
    edits: [{ file: ERASE, from: 'hashes.filter((hash) => !others.has(hash))', to: 'hashes' }],
    file: ERASURE,
    test: 'leaves nothing in any table, no picture that others do not use and no file',
  },
  {
    name: 'an-account-that-is-to-be-erased-goes-on',
    edits: [{ file: 'src/erasure/request.ts', from: '  await requireNoErasure(tx, accountId)\n', to: '' }],
    file: ERASURE,
    test: 'waits for its time, can be taken back until then, and does not go on while it waits',
  },
  {
    name: 'people-of-other-accounts-are-erased',
    edits: [
      {
        file: 'src/people/erasure/erase-people.ts',
        from: 'person === undefined || (await memberOfOthers(tx, accountId, personId))',
        to: 'person === undefined',
      },
    ],
    file: ERASURE,
    test: 'takes people along who are members of nothing else',
  },
  {
    name: 'the-last-owner-of-an-account-is-erased',
    edits: [
      {
        file: 'src/erasure/person.ts',
        from: '  requireOwners(await blocking(tx, of))\n',
        to: '',
      },
      {
        file: 'src/erasure/person.ts',
        from: '  requireOwners(await blocking(db, await memberships(db, forgotten.personId, email)))\n',
        to: '',
      },
    ],
    file: PERSON_ERASURE,
    test: 'is refused while an account would have no owner',
  },
  {
    name: 'an-erased-person-is-looked-for-in-logs-only-before',
    edits: [
      {
        file: 'src/erasure/person.ts',
        from: 'const after = isKnown ?',
        to: 'const after = !isKnown ?',
      },
    ],
    file: PERSON_ERASURE,
    test: 'what is written while the person is erased',
  },
  {
    name: 'an-archive-is-of-several-moments',
    edits: [
      {
        file: 'src/archive/export.ts',
        from: "'isolation level repeatable read read only'",
        to: "'isolation level read committed read only'",
      },
    ],
    file: ARCHIVE,
    test: 'is of one moment, whatever is written meanwhile',
  },
  {
    name: 'an-archive-shows-signing-secrets',
    edits: [{ file: 'src/archive/kinds.ts', from: "      secret: secret('signs deliveries'),\n", to: '' }],
    file: ARCHIVE,
    test: 'show no secret: what is sealed, what is a hash of a secret, and what names a sign-in is left out',
  },
  {
    name: 'old-cursors-pass-in-an-imported-account',
    edits: [
      {
        file: 'src/archive/import.ts',
        from: 'await fencedCounterInsert(tx, accountId, head)',
        to: 'await fencedCounterInsert(tx, accountId, 0)',
      },
    ],
    file: ARCHIVE_IMPORT,
    test: 'refuses cursors of the other installation with 410, and gives the whole catalog to a client that begins',
  },
  {
    name: 'endpoints-of-an-archive-deliver',
    edits: [{ file: 'src/archive/imported.ts', from: 'is_enabled: false', to: "is_enabled: row['is_enabled']" }],
    file: ARCHIVE_IMPORT,
    test: 'opens for nobody, delivers and fetches nothing, and says what is to be set',
  },
  {
    name: 'an-archive-is-not-hashed-while-it-is-imported',
    edits: [
      {
        file: 'src/archive/import.ts',
        from: 'if ((await body.end()).sha256 !==',
        to: 'if (accountId < 0 && (await body.end()).sha256 !==',
      },
    ],
    file: ARCHIVE_REFUSED,
    test: 'a file that is changed between the check and the import',
  },
  {
    name: 'rows-of-an-archive-name-what-it-does-not-have',
    edits: [
      {
        file: 'src/archive/new-ids.ts',
        from: 'block !== undefined && (must(block.there[place >> 3]) & (1 << (place & 7))) !== 0',
        to: 'block !== undefined',
      },
    ],
    file: ARCHIVE_REFUSED,
    test: 'offers of another account',
  },
]
