import type { Mutant } from './mutant.ts'

// Protections of mirrors that the client's command line keeps.

export const CLIENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'what-changed-meanwhile-is-a-difference',
    edits: [
      {
        file: 'client/src/verify/verify.ts',
        from: 'const findings = found.findings.filter(({ id }) => !ids.has(id))',
        to: 'const { findings } = found',
      },
    ],
    file: 'test/client/verify-command.full.pg.test.ts',
    test: 'a mirror is equal, also when the service has changed since and while it is compared',
  },
  {
    name: 'the-end-of-an-export-is-believed',
    edits: [
      {
        file: 'client/src/sync/whole-export.ts',
        from: '      yield came\n    }\n',
        to: '      yield came\n    }\n    return\n',
      },
    ],
    file: 'test/client/sync.test.ts',
    test: 'takes nothing away of a store of 700 products',
  },
  {
    name: 'stores-take-a-lock-from-each-other',
    edits: [{ file: 'client/src/targets/directory-lock.ts', from: 'this.#taking ??= ', to: 'this.#taking = ' }],
    file: 'test/client/ndjson-directory.test.ts',
    test: 'stores that begin at once share its lock, which is given up once',
  },
  {
    name: 'a-store-that-is-not-active-ends-all',
    edits: [
      {
        file: 'client/src/shop/shop-session.ts',
        from: 'const store = known.get(slug) ?? last.get(slug)',
        to: 'const store = known.get(slug)',
      },
    ],
    file: 'test/connectors/shop-target.pg.test.ts',
    test: 'a store that is deactivated keeps its products in the shop and holds up no other store, and is read again when it is active',
  },
  {
    name: 'a-directory-has-two-writers',
    edits: [
      {
        file: 'client/src/targets/directory-lock.ts',
        from: "      if (!isGone(holder, touched.mtimeMs)) throw new DirectoryError('locked', this.#heldBy(holder))\n",
        to: '',
      },
    ],
    file: 'test/client/mirror-command.full.pg.test.ts',
    test: 'two mirrors in one directory: the second is refused, a lock of one that was killed is not in the way',
  },
  {
    name: 'a-cut-off-file-is-written-over',
    edits: [
      {
        file: 'client/src/targets/ndjson.ts',
        from: '  throw new DirectoryError(\n',
        to: '  if (line > 0) return undefined as never\n  throw new DirectoryError(\n',
      },
    ],
    file: 'test/client/mirror-command.full.pg.test.ts',
    test: 'a file that was cut off ends the mirror before it writes over it',
  },
  {
    name: 'a-shops-position-is-ahead-of-it',
    edits: [
      {
        file: 'client/src/shop/shop-target.ts',
        from: '    const refused = await this.#keeper.bring(await this.#articlesWith(articles, due))\n    this.#tellRefused(refused)\n    await',
        to: `    const told = await this.#articlesWith(articles, due)
    await this.#db.transaction(async (transaction) => {
      for (const { store, position, products, removed } of due) {
        const made = products.map((product) => ({ product, article: articleOf(product) }))
        await saveStep(transaction, { store, position, products: made, removed })
      }
    })
    const refused = await this.#keeper.bring(told)
    await`,
      },
    ],
    file: 'test/connectors/shop-target.pg.test.ts',
    test: 'the position of a shop is never ahead of what it was told, and an article that was begun is looked at again',
  },
  {
    name: 'an-article-that-was-begun-is-forgotten',
    edits: [
      {
        file: 'client/src/shop/kept.sql.ts',
        from: "  await db.raw('insert into shelfwire_begun (article) select unnest(?::text[]) on conflict do nothing', [articles])\n  const { rows } = await db.raw('select article from shelfwire_begun order by article')\n  return (rows as { article: string }[]).map(({ article }) => article)",
        to: '  return [...articles]',
      },
    ],
    file: 'test/connectors/shop-target.pg.test.ts',
    test: 'the position of a shop is never ahead of what it was told, and an article that was begun is looked at again',
  },
  {
    name: 'refused-articles-are-tried-again-without-a-pause',
    edits: [
      {
        file: 'client/src/shop/kept.sql.ts',
        from: 'when shelfwire_refused.attempts < 3 then',
        to: 'when true then',
      },
    ],
    file: 'test/connectors/shop-target.pg.test.ts',
    test: 'of very many refused articles some are tried at a time, those first that have waited longest, and after ever longer pauses',
  },
  {
    name: 'a-repaired-mirror-is-told-as-it-was',
    edits: [
      {
        file: 'client/src/verify/verify.ts',
        from: 'const last = repaired === null ? comparison : await compare({ ...comparing, onProgress() {} })',
        to: 'const last = comparison',
      },
    ],
    file: 'test/client/fake.test.ts',
    test: 'a mirror that has a name tells what it has found of itself, and after a repair how it is then',
  },
]
