import type { Mutant } from './mutant.ts'

/** Of requests that must be refused, and of answers. */
export const HTTP_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-member-that-no-schema-declares',
    edits: [
      {
        file: 'src/serve/account/findings.ts',
        from: 'return answerData(call, {',
        to: 'return answerData(call, { undeclared: true,',
      },
    ],
    file: 'test/api/write-isolation.pg.test.ts',
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
    file: 'test/api/refused-requests.pg.test.ts',
    test: 'two Host or two Authorization headers are refused, and a request without Host',
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
    file: 'test/api/large-bodies.pg.test.ts',
    test: 'large bodies of all accounts share the memory of the process, and small ones need none of it',
  },
  {
    name: 'timeouts-of-requests-exchanged',
    edits: [{ file: 'src/serve/base.ts', from: 'headersTimeout: LIMITS.requestTimeoutMs,', to: '' }],
    file: 'test/api/large-bodies.pg.test.ts',
    test: 'a body that drips in is ended by the timeout of requests, and nothing of it is written',
  },
]
