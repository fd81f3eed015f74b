import type { Mutant } from './mutant.ts'

// What keeps compiled rules right, small, and compiled once.

const CATEGORY_BYTES = 'test/catalog/category-bytes.pg.test.ts'
const COMPILED = 'test/shelf/compiled-inputs.pg.test.ts'
const TURNS = 'test/isolation/turns.full.pg.test.ts'
const ATTRIBUTES = 'src/catalog/settings/content/attribute-definitions.ts'
const CACHE = 'src/shelf/inputs/compiled-inputs.ts'

export const COMPILED_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-write-reads-all-lists-again',
    edits: [{ file: CACHE, from: 'accountId, before?.lists)', to: 'accountId, undefined && before?.lists)' }],
    file: COMPILED,
    test: 'a write reads and folds the lists that it changed, and no other',
  },
  {
    name: 'every-worker-compiles',
    edits: [{ file: CACHE, from: 'underWay.set(accountId, mine)', to: 'void mine' }],
    file: COMPILED,
    test: 'a request for an account that is being compiled waits for it',
  },
  {
    name: 'a-mixture-is-kept-as-a-version',
    edits: [
      { file: CACHE, from: 'after?.version === version ? version : null', to: 'after === undefined ? null : version' },
    ],
    file: COMPILED,
    test: 'what was written while it was read is no version',
  },
  {
    name: 'an-older-snapshot-displaces-what-is-compiled',
    edits: [{ file: CACHE, from: 'if (latest === null || latest <= version)', to: 'if (latest !== undefined)' }],
    file: COMPILED,
    test: 'a snapshot of before a write reads what was',
  },
  {
    name: 'compiled-rules-weigh-the-same-whatever-they-name',
    edits: [{ file: CACHE, from: 'bytesOf(lists.rules) +', to: '1 +' }],
    file: COMPILED,
    test: 'compiled accounts are kept by what their values take',
  },
  {
    name: 'a-write-reads-all-texts-of-attributes-again',
    edits: [
      {
        file: 'src/shelf/inputs/read-inputs.ts',
        from: 'withLists(attributeRows, known?.attributes,',
        to: 'withLists(attributeRows, undefined,',
      },
    ],
    file: COMPILED,
    test: 'a write reads the texts of the attributes that it changed, and no other',
  },
  {
    name: 'options-of-attributes-weigh-nothing',
    edits: [{ file: CACHE, from: '    attributeBytes +\n', to: '    0 * attributeBytes +\n' }],
    file: COMPILED,
    test: 'what attributes have of options counts as well',
  },
  {
    name: 'attributes-have-any-number-of-options',
    edits: [{ file: ATTRIBUTES, from: 'if (more > 0) await requireRoom', to: 'if (more < 0) await requireRoom' }],
    file: 'test/catalog/attribute-bytes.pg.test.ts',
    test: 'beyond the account’s budget are refused; what takes no more is not, and no other account pays for it (I159)',
  },
  {
    name: 'categories-take-any-room',
    edits: [
      {
        file: 'src/catalog/settings/content/categories.ts',
        from: "if (moreBytes > 0) await requireRoom(tx, accountId, 'category_bytes'",
        to: "if (moreBytes < 0) await requireRoom(tx, accountId, 'category_bytes'",
      },
    ],
    file: CATEGORY_BYTES,
    test: 'categories beyond the account’s budget are refused; what takes no more is not, and no other account pays for it (I179)',
  },
  {
    name: 'a-page-of-categories-has-any-size',
    edits: [
      {
        file: 'src/catalog/settings/content/categories.sql.ts',
        from: ', LIMITS.categoryPageBytes)',
        to: ', 1e12)',
      },
    ],
    file: CATEGORY_BYTES,
    test: 'one category is read without the others, and a page of large ones ends early (I179)',
  },
  {
    name: 'each-write-compares-all-suppliers-paths',
    edits: [
      {
        file: 'src/catalog/settings/content/free-paths.ts',
        from: 'added.length === 0 ? null : await',
        to: 'added.length < 0 ? null : await',
      },
    ],
    file: CATEGORY_BYTES,
    test: 'suppliers’ paths of other categories are read only if some are added, in slices, and compared as those of products are (I179)',
  },
  {
    name: 'a-page-of-attributes-has-any-size',
    edits: [
      {
        file: 'src/catalog/settings/content/attribute-definitions.sql.ts',
        from: '(i === 0 || before < LIMITS.attributePageBytes)',
        to: 'before >= 0',
      },
    ],
    file: 'test/catalog/attribute-bytes.pg.test.ts',
    test: 'one definition is read without the others, and a page of large ones ends early',
  },
  {
    name: 'rules-name-any-number-of-values',
    edits: [
      {
        file: 'src/catalog/settings/rules/rule-conditions.ts',
        from: "await requireRoom(reader, accountId, 'rule_bytes', taken, more)",
        to: 'void taken',
      },
    ],
    file: COMPILED,
    test: 'values beyond what the rules of an account may take are refused',
  },
  {
    name: 'writes-of-an-account-take-all-connections',
    edits: [{ file: 'src/shelf/shelf.ts', from: 'turns.acquire(accountId)', to: 'turns.acquire(0 * accountId)' }],
    file: TURNS,
    test: 'writes: the connections of the pool are not one account’s',
  },
  {
    name: 'previews-of-rules-know-no-accounts',
    edits: [
      {
        file: 'src/previews/previews.ts',
        from: 'turns.acquire(accountId, { signal })',
        to: 'turns.acquire(0 * accountId, { signal })',
      },
    ],
    file: TURNS,
    test: 'previews of rules',
  },
  {
    name: 'long-polls-read-all-at-once',
    edits: [{ file: 'src/serve/routes/changes.ts', from: 'await turns.run(accountId, read)', to: 'await read()' }],
    file: TURNS,
    test: 'long polls: one change wakes hundreds, which read by turns',
  },
  {
    name: 'operations-of-an-account-are-done-first',
    edits: [
      {
        file: 'src/operations/operations.ts',
        from: 'if (!queue.includes(accountId)) queue.push(accountId)\n      }',
        to: 'if (!queue.includes(accountId)) queue.unshift(accountId)\n      }',
      },
    ],
    file: TURNS,
    test: 'operations',
  },
  {
    name: 'an-account-is-shelved-to-its-end',
    edits: [
      {
        file: 'src/shelf/shelf.ts',
        from: 'if (isMore && !this.#queue.includes(accountId)) this.#queue.push(accountId)',
        to: 'if (isMore && !this.#queue.includes(accountId)) this.#queue.unshift(accountId)',
      },
    ],
    file: TURNS,
    test: 'shelving, from sweeps and from marks',
  },
  {
    name: 'a-list-is-known-by-what-its-row-said',
    edits: [
      {
        file: 'src/shelf/inputs/shared-lists.ts',
        from: '{ digest: row.digest, lists: folded(row) }',
        to: '{ digest: rows.find((one) => idOf(one) === row.id)?.digest ?? row.digest, lists: folded(row) }',
      },
    ],
    file: 'src/shelf/inputs/shared-lists.test.ts',
    test: 'a list that was written between two statements is known as what it is',
  },
]
