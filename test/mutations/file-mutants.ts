import type { Mutant } from './mutant.ts'

const SHAPES = 'test/shapes/parsers.test.ts'

/** Of the limits of suppliers' files that are read. */
export const FILE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-json-file-is-nested-as-deep-as-it-likes',
    edits: [
      {
        file: 'src/supplier-files/json/parse.ts',
        from: 'if (++this.#depth > importDepthMax)',
        to: 'if (++this.#depth > Infinity)',
      },
    ],
    file: SHAPES,
    test: 'nested lists: the limit holds in every mode, with turns for others',
  },
  {
    name: 'a-later-json-element-is-nested-as-deep-as-it-likes',
    edits: [{ file: 'src/supplier-files/json/scan.ts', from: 'if (++level > deepest) return null', to: 'level++' }],
    file: 'src/supplier-files/json/parse.test.ts',
    test: 'checks the depth of later elements as of the first',
  },
  {
    name: 'an-element-has-any-number-of-attributes',
    edits: [
      {
        file: 'src/supplier-files/xml/parse.ts',
        from: 'if (++this.#attributes > importColumnsMax)',
        to: 'if (++this.#attributes > Infinity)',
      },
    ],
    file: SHAPES,
    test: 'attributes: the limit holds in every mode, with turns for others',
  },
]
