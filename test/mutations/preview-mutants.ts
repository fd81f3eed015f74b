import type { Mutant } from './mutant.ts'

// Protections that keep a preview of rules equal to the effect of saving them.

const PREVIEWS = 'test/previews/previews.pg.test.ts'
const PRODUCT = 'test/panel/product.pg.test.ts'
const MERGE_SPLIT = 'src/previews/merge-split.ts'

export const PREVIEW_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-name-ends-a-sentence',
    edits: [
      {
        file: 'contract/remarks/sentence.ts',
        from: 'const NAME = String.raw`"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"`',
        to: 'const NAME = String.raw`"[^"]*"`',
      },
    ],
    file: 'test/panel/remarks.test.ts',
    test: 'each sentence is read back as its code, with what is in it',
  },
  {
    name: 'a-sentence-is-read-again-from-each-place',
    edits: [
      {
        file: 'contract/remarks/sentence.ts',
        from: "return '[^,]+'",
        to: "return '[^]+?'",
      },
    ],
    file: 'test/panel/remarks.test.ts',
    test: 'a sentence takes time by its length, whatever is in it',
  },
  {
    name: 'sentences-of-any-length-are-read-back',
    edits: [
      {
        file: 'contract/remarks/remarks.ts',
        from: '  if (text.length > REMARK_CHARACTERS_MAX) return null\n',
        to: '',
      },
    ],
    file: 'test/panel/remarks.test.ts',
    test: 'a sentence of a megabyte has no code, and neither has what is behind many others',
  },
  {
    name: 'a-preview-knows-no-jump-guard',
    edits: [
      {
        file: 'src/previews/compare.ts',
        from: 'const guarded = withNewHolds(product, places, after)',
        to: 'const guarded = withNewHolds(product, places, { ...after, jumpFactor: null })',
      },
    ],
    file: PREVIEWS,
    test: 'says what the jump guard would hold',
  },
  {
    name: 'a-new-rule-is-previewed-as-the-oldest',
    edits: [
      {
        file: 'src/previews/rule-change.ts',
        from: 'export const NEW_RULE_ID = Number.MAX_SAFE_INTEGER',
        to: 'export const NEW_RULE_ID = 0',
      },
    ],
    file: PREVIEWS,
    test: 'tries a new rule after those of its priority',
  },
  {
    name: 'a-preview-counts-a-page-again',
    edits: [
      {
        file: 'src/operations/preview/step.ts',
        from: 'await placeMove(tx, accountId, work, JSON.stringify(next))',
        to: 'await placeMove(tx, accountId, work, JSON.stringify({ ...next, place: progress.place }))',
      },
    ],
    file: PREVIEWS,
    test: 'goes on page by page, counts what it has seen, and keeps what it found',
  },
  {
    name: 'a-preview-of-a-merge-is-written',
    edits: [
      {
        file: MERGE_SPLIT,
        from: 'throw new RolledBack(await work(tx))',
        to: 'return await work(tx)',
      },
    ],
    file: PRODUCT,
    test: 'a merge is previewed as it then happens, and previewing writes nothing',
  },
  {
    name: 'a-preview-of-a-merge-knows-no-jump-guard',
    edits: [
      {
        file: MERGE_SPLIT,
        from: 'withNewHolds(after, places, compiled)',
        to: 'withNewHolds(after, places, { ...compiled, jumpFactor: null })',
      },
    ],
    file: PRODUCT,
    test: 'a merge preview says what the jump guard would hold',
  },
  {
    name: 'an-undo-goes-over-what-came-later',
    edits: [
      {
        file: 'src/serve/panel/product.ts',
        from: ' && isInPlace(present, change.after)',
        to: '',
      },
    ],
    file: PRODUCT,
    test: 'what a person changed can be taken back exactly as long as it is as it was left',
  },
]
