import { CLIENT_MUTANTS } from './client-mutants.ts'
import type { Mutant } from './mutant.ts'

const PLAIN_REQUESTS = 'test/api/plain-requests.full.pg.test.ts'
const TOKEN_REQUESTS = 'test/api/token-requests.full.pg.test.ts'
const RATE_LIMIT = 'test/api/rate-limit.full.pg.test.ts'
const STRANGERS = 'test/isolation/strangers.pg.test.ts'
const PANEL = 'src/serve/panel/handle-panel.ts'

/** Faults in refusing requests, and in answers. */
export const HTTP_MUTANTS: readonly Mutant[] = [
  ...CLIENT_MUTANTS,
  {
    name: 'a-log-shows-what-a-route-does-not-know',
    edits: [
      {
        file: 'src/accounts/shown-address.ts',
        from: "return entry.includes('=') ? `${name}=${HIDDEN}` : HIDDEN",
        to: 'return entry',
      },
    ],
    file: TOKEN_REQUESTS,
    test: 'no secret is in it',
  },
  {
    name: 'a-log-of-requests-grows',
    edits: [
      {
        file: 'src/accounts/token-requests.sql.ts',
        from: 'offset ${LIMITS.tokenRequestsKept}',
        to: 'offset 1000000',
      },
    ],
    file: TOKEN_REQUESTS,
    test: 'older ones than the last 1,000 are deleted, of no other token',
  },
  {
    name: 'a-portion-that-is-not-taken',
    edits: [
      {
        file: 'src/accounts/token-rates.sql.ts',
        from: 'least(excluded.burst, t.available - t.granted',
        to: 'least(excluded.burst, t.available',
      },
    ],
    file: RATE_LIMIT,
    test: 'a token that uses three processes at once',
  },
  {
    name: 'the-first-portion-is-free',
    edits: [
      {
        file: 'src/accounts/token-rate.ts',
        from: 'held: this.#portion, owed: this.#portion, askAtMs',
        to: 'held: this.#portion, owed: 0, askAtMs',
      },
    ],
    file: RATE_LIMIT,
    test: 'processes that begin owe the portions that they began with',
  },
  {
    name: 'a-clock-that-is-set-back-stops-a-bucket',
    edits: [
      {
        file: 'src/accounts/token-rates.sql.ts',
        from: "case when t.at - excluded.at > interval '1 second' then excluded.at else greatest(t.at, excluded.at) end",
        to: 'greatest(t.at, excluded.at)',
      },
    ],
    file: RATE_LIMIT,
    test: 'debt is paid back, and a clock that is set back',
  },
  {
    name: 'statements-that-overtake-each-other-fill-a-bucket',
    edits: [
      {
        file: 'src/accounts/token-rates.sql.ts',
        from: "case when t.at - excluded.at > interval '1 second' then excluded.at else greatest(t.at, excluded.at) end",
        to: 'excluded.at',
      },
    ],
    file: RATE_LIMIT,
    test: 'debt is paid back, and a clock that is set back',
  },
  {
    name: 'buckets-in-any-order',
    edits: [
      {
        file: 'src/accounts/token-rates.sql.ts',
        from: `
    order by g.account_id, g.token_id`,
        to: '',
      },
    ],
    file: RATE_LIMIT,
    test: 'processes that take from the same buckets at once, in any order',
  },
  {
    name: 'a-request-waits-as-long-as-the-database',
    edits: [{ file: 'src/platform/limits.ts', from: 'rateWaitMs: 100', to: 'rateWaitMs: 60_000' }],
    file: RATE_LIMIT,
    test: 'while the database does not answer, each process keeps the limit alone',
  },
  {
    name: 'every-request-asks',
    edits: [
      {
        file: 'src/accounts/token-rate.ts',
        from: 'if (bucket.held <= this.#portion / 4 && bucket.atMs',
        to: 'if (bucket.atMs',
      },
      { file: 'src/platform/limits.ts', from: 'rateCollectMs: 20', to: 'rateCollectMs: 0' },
    ],
    file: RATE_LIMIT,
    test: 'a request costs no statement of its own',
  },
  {
    name: 'a-member-that-no-schema-declares',
    edits: [
      {
        file: 'src/serve/account/products/findings-members.ts',
        from: 'completeness: completenessMembers(findings.completeness, names),',
        to: 'undeclared: true, completeness: completenessMembers(findings.completeness, names),',
      },
    ],
    file: 'test/api/write-isolation.full.pg.test.ts',
    test: 'every route has its case; its owner may, and every answer is as documented',
  },
  {
    name: 'misspelled-parameters-are-ignored',
    edits: [
      {
        file: 'src/serve/parameters.ts',
        from: `isQueryClosed ? 'is unknown' : misspelled(meantBy(name))`,
        to: `isQueryClosed ? 'is unknown' : null`,
      },
    ],
    file: 'test/api/parameters.pg.test.ts',
    test: 'a misspelled parameter is refused with the name that is meant, and nothing is read',
  },
  {
    name: 'the-second-authorization-is-ignored',
    edits: [
      { file: 'src/serve/well-formed.ts', from: 'if (authorizations > 1) throw', to: 'if (authorizations > 9) throw' },
    ],
    file: 'test/api/refused-requests.full.pg.test.ts',
    test: 'two Host or two Authorization headers are refused, and a request without Host',
  },
  {
    name: 'strangers-take-the-bytes-of-an-account',
    edits: [
      { file: PANEL, from: "{ kind: 'stranger', key: clientAddress(request) }", to: "{ kind: 'account', key: 0 }" },
    ],
    file: STRANGERS,
    test: 'bodies of strangers take none of those of other addresses, of people, of accounts or of the operator (I160)',
  },
  {
    name: 'a-few-accounts-hold-all-small-bodies',
    edits: [
      {
        file: 'src/serve/writing/body-budget.ts',
        from: 'if (own > this.#small.max - this.#small.taken - bytes + this.#bytes)',
        to: 'if (0 > this.#small.max - this.#small.taken - bytes + this.#bytes)',
      },
    ],
    file: 'src/serve/writing/body-budget.test.ts',
    test: 'accounts that hold all they may leave room for the bodies of others',
  },
  {
    name: 'a-client-that-has-left-keeps-its-place',
    edits: [
      {
        file: 'src/serve/account-places.ts',
        from: 'if (reply.raw.destroyed) {',
        to: 'if (reply.raw.destroyed && place === null) {',
      },
    ],
    file: STRANGERS,
    test: 'requests whose clients leave while it is found out who calls keep no places',
  },
  {
    name: 'a-client-that-has-left-keeps-the-bytes-of-its-body',
    edits: [
      {
        file: 'src/serve/writing/body.ts',
        from: 'if (reply.raw.destroyed) throw',
        to: 'if (reply.raw === null) throw',
      },
    ],
    file: STRANGERS,
    test: 'requests whose clients leave while it is found out who calls keep no places',
  },
  {
    name: 'the-panel-counts-in-no-budget',
    edits: [{ file: PANEL, from: 'context.rates.takeOfAccount(accountId)', to: 'void accountId' }],
    file: STRANGERS,
    test: 'requests of the panel and of links count in the account’s requests, and in no other account’s',
  },
  {
    name: 'a-link-that-hangs-up-has-its-place-again',
    edits: [
      {
        file: PANEL,
        from: 'enter(link.accountId, request, reply, free)',
        to: "enter(link.accountId, request, reply)\n        reply.raw.once('close', free)",
      },
    ],
    file: STRANGERS,
    test: 'a link waits for few answers at once, also where its client goes away',
  },
  {
    name: 'unknown-secrets-are-looked-up-without-end',
    edits: [
      {
        file: 'src/platform/secrets/secret-lookups.ts',
        from: 'requireRoom(address)\n      const',
        to: 'void requireRoom\n      const',
      },
    ],
    file: STRANGERS,
    test: 'sessions that nobody knows are looked up until an address has named too many; others there keep theirs',
  },
  {
    name: 'answers-of-any-length-are-kept',
    edits: [{ file: 'src/writes/writes.ts', from: 'room.take(accountId, bytes) ?', to: 'room.take(accountId, 0) ?' }],
    file: 'test/api/kept-answers.pg.test.ts',
    test: 'long answers are kept as far as the account has room, and each write is made once all the same',
  },
  {
    name: 'large-bodies-without-a-budget',
    edits: [
      {
        file: 'src/serve/writing/body-budget.ts',
        from: 'if (this.#large.taken + more > this.#large.max)',
        to: 'if (this.#large.taken + more > Infinity)',
      },
    ],
    file: 'test/api/large-bodies.full.pg.test.ts',
    test: 'large bodies of all accounts share the memory of the process, and small ones need none of it',
  },
  {
    name: 'a-request-behind-another-does-not-wait',
    edits: [{ file: 'src/serve/plain/connections.ts', from: 'if (!this.#isBusy) {', to: 'if (Date.now() > 0) {' }],
    file: PLAIN_REQUESTS,
    test: 'has its answers in the order of its requests, whoever gives them',
  },
  {
    name: 'a-plain-answer-keeps-its-connection-at-shutdown',
    edits: [{ file: 'src/serve/plain/reads.ts', from: '    server.isDraining = true\n', to: '' }],
    file: PLAIN_REQUESTS,
    test: 'a request that is in flight at shutdown is answered, and its connection closed',
  },
  {
    name: 'a-header-twice-is-plain',
    edits: [
      {
        file: 'src/serve/plain/head.ts',
        from: ' || given[name] !== undefined) return null\n    given[name] = lines',
        to: ') return null\n    given[name] = lines',
      },
    ],
    file: PLAIN_REQUESTS,
    test: 'two tokens',
  },
  {
    name: 'a-plain-request-keeps-its-place',
    edits: [{ file: 'src/serve/plain/reads.ts', from: '        this.#place?.end()\n', to: '' }],
    file: PLAIN_REQUESTS,
    test: 'a place of the account while it is answered, and the request in the figures',
  },
  {
    name: 'timeouts-of-requests-exchanged',
    edits: [{ file: 'src/serve/base.ts', from: 'headersTimeout: LIMITS.requestTimeoutMs,', to: '' }],
    file: 'test/api/large-bodies.full.pg.test.ts',
    test: 'a body that drips in is ended by the timeout of requests, and nothing of it is written',
  },
  {
    name: 'a-body-that-is-cut-off-is-whole',
    edits: [
      {
        file: 'src/serve/writing/sent-file.ts',
        from: '} else if (raw.destroyed) throw cutOff(raw.errored)',
        to: '} else if (raw.destroyed) return',
      },
    ],
    file: 'test/import/uploads.full.pg.test.ts',
    test: 'a body that is cut off at half (Content-Length: 1000)',
  },
  {
    name: 'a-form-ends-without-its-boundary',
    edits: [
      { file: 'src/serve/writing/sent-form.ts', from: '      await pumped\n      throw error', to: '      return' },
      { file: 'src/serve/writing/sent-form.ts', from: '    await pumped\n    if (mapping', to: '    if (mapping' },
    ],
    file: 'test/import/uploads.full.pg.test.ts',
    test: 'a form whose last boundary is missing, or that ends within a part',
  },
  {
    name: 'an-upload-without-a-run-stays',
    edits: [
      {
        file: 'src/serve/account/imports/imports.ts',
        from: 'if (!isNamed) await context.runFiles.remove(kept.key)',
        to: 'if (!isNamed) await Promise.resolve()',
      },
    ],
    file: 'test/import/uploads.full.pg.test.ts',
    test: 'sent twice with one Idempotency-Key is one run, whatever the boundary of its form',
  },
  {
    name: 'an-account-sends-any-number-of-files',
    edits: [
      {
        file: 'src/serve/writing/upload-slots.ts',
        from: 'uploadsPerAccountMax: ofAccount',
        to: 'uploadsMax: ofAccount',
      },
    ],
    file: 'test/import/uploads.full.pg.test.ts',
    test: 'an account sends so many files at once, and its other writes do not wait for them',
  },
  {
    name: 'a-file-comes-as-slowly-as-it-likes',
    edits: [
      {
        file: 'src/serve/arrival.ts',
        from: 'return come < LIMITS.uploadPaceBytesMin',
        to: 'return come < 0',
      },
    ],
    file: 'test/import/uploads.full.pg.test.ts',
    test: 'a client that sends a byte now and then is told so, and its place is free',
  },
  {
    name: 'an-answer-that-nobody-reads-stays',
    edits: [
      {
        file: 'src/serve/base.ts',
        from: '  closeStalledConnections(app.server)\n',
        to: '  void closeStalledConnections\n',
      },
    ],
    file: 'test/api/unread-answers.full.test.ts',
    test: 'an answer to /plain-large that nobody reads ends with its connection',
  },
  {
    name: 'a-large-plain-answer-keeps-its-place',
    edits: [{ file: 'src/serve/plain/reads.ts', from: '        this.#large?.end()\n', to: '' }],
    file: 'test/api/large-lists.full.pg.test.ts',
    test: 'a list is the same answer, whether it is large or not: by every path, coding and way of asking',
  },
  {
    name: 'a-large-list-waits-with-its-text',
    edits: [
      {
        file: 'src/serve/large-answers.ts',
        from: 'const turn = held ?? holding.take(accountId, bytes)',
        to: 'const turn = held ?? (await holding.acquire(accountId, { weight: bytes }))',
      },
    ],
    file: 'test/api/large-answers.test.ts',
    test: 'an account holds so many bytes: its next large list is read again when there is a place',
  },
]
