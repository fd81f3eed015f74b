import type { Mutant } from './mutant.ts'

// Mutants of pictures that are served and sent: what is taken for a picture, how sizes are made, and uploads.

const SERVING = 'test/images/serving.pg.test.ts'
const UPLOADS = 'test/images/uploads.pg.test.ts'
const VARIANTS = 'src/images/variants/variants.ts'

export const PICTURE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-style-in-pieces-is-not-read-whole',
    edits: [
      {
        file: 'src/images/inspect/svg.ts',
        from: "if (typeof element?.style === 'string') element.style += content",
        to: "if (typeof element?.style === 'string') element.style = content",
      },
    ],
    file: 'src/images/inspect/svg.test.ts',
    test: 'with a style in two pieces is unsafe',
  },
  {
    name: 'a-picture-is-not-decoded-in-whole',
    edits: [
      {
        file: 'src/images/decode/process.ts',
        from: "  await picture.resize(16, 16, { fit: 'fill' }).raw().toBuffer()\n",
        to: '',
      },
    ],
    file: 'test/images/inspect.test.ts',
    test: 'a jpeg that ends in the middle is unreadable',
  },
  {
    name: 'a-size-is-made-by-everybody',
    edits: [
      {
        file: VARIANTS,
        from: 'const made = making.get(variant.name) ?? begin(variant, address)',
        to: 'const made = begin(variant, address)',
      },
    ],
    file: SERVING,
    test: 'is made smaller once, however many ask at once',
  },
  {
    name: 'any-number-of-sizes-waits',
    edits: [{ file: VARIANTS, from: 'own >= LIMITS.imageVariantsWaitingPerAddressMax', to: 'own < 0' }],
    file: SERVING,
    test: 'is made as far as it can be soon; the rest is told when to come again, and nobody else is kept waiting',
  },
  {
    name: 'sizes-fill-the-disk',
    edits: [
      {
        file: 'src/images/variants/variant-files.ts',
        from: 'if (uncounted < bytesMax * COUNT_SHARE) return',
        to: 'if (uncounted > 0) return',
      },
    ],
    file: SERVING,
    test: 'is kept within the bytes that are allowed, the least used going first',
  },
  {
    name: 'an-upload-is-recorded-without-its-bytes',
    edits: [
      {
        file: 'src/images/uploads/uploads.ts',
        from: 'if (stored === undefined) throw unavailable(',
        to: 'if (stored === undefined && picture.bytes < 0) throw unavailable(',
      },
    ],
    file: UPLOADS,
    test: 'is not recorded when its bytes were removed meanwhile',
  },
  {
    name: 'an-upload-is-forgotten-while-it-is-named',
    edits: [
      {
        file: 'src/images/uploads/forget.ts',
        from: 'const unnamed = new Set(await imagesUnnamed(tx, accountId, hashes))',
        to: 'await imagesUnnamed(tx, accountId, [])\n    const unnamed = new Set(hashes)',
      },
    ],
    file: UPLOADS,
    test: 'that a product begins to name while it is forgotten stays',
  },
]
