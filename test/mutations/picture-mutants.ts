import type { Mutant } from './mutant.ts'

// Mutants of served and uploaded pictures: accepted types, sizes, and uploads.

const SERVING = 'test/images/serving.full.pg.test.ts'
const UPLOADS = 'test/images/uploads.full.pg.test.ts'
const VARIANTS = 'src/images/variants/variants.ts'
const DECODERS = 'src/images/decode/decoders.ts'
const FAIR = 'test/images/fair-decoding.full.test.ts'

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
        from: 'if (known !== undefined) return known',
        to: 'if (known !== undefined && making.size < 0) return known',
      },
      {
        file: VARIANTS,
        from: 'if (others === undefined) break',
        to: 'if (others === undefined || making.size > 0) break',
      },
    ],
    file: SERVING,
    test: 'is made smaller once, however many ask at once',
  },
  {
    name: 'any-number-of-sizes-waits',
    edits: [
      { file: VARIANTS, from: 'LIMITS.imageVariantsWaitingMax', to: '10_000' },
      { file: VARIANTS, from: 'LIMITS.imageVariantsWaitingPerAddressMax', to: '10_000' },
    ],
    file: SERVING,
    test: 'is made as far as it can be soon; the rest is told when to come again, and nobody else is kept waiting',
  },
  {
    name: 'a-size-waits-behind-whoever-asked-first',
    edits: [{ file: VARIANTS, from: 'const name = `${variant.name} ${address}`', to: 'const name = variant.name' }],
    file: SERVING,
    test: 'makes no other address wait, also for the same sizes, and ends with the clients who asked',
  },
  {
    name: 'sizes-that-nobody-waits-for-are-made',
    edits: [{ file: VARIANTS, from: 'if (--one.clients > 0) return', to: 'if (--one.clients >= 0) return' }],
    file: SERVING,
    test: 'makes no other address wait, also for the same sizes, and ends with the clients who asked',
  },
  {
    name: 'an-account-takes-all-decoders',
    edits: [{ file: DECODERS, from: 'perKey: Math.max(1, places - 1)', to: 'perKey: places' }],
    file: FAIR,
    test: 'one account’s pictures make nobody else’s wait',
  },
  {
    name: 'large-pictures-wait-with-small-ones',
    edits: [{ file: DECODERS, from: 'pixels <= LIMITS.imageSmallPixelsMax', to: 'pixels >= 0' }],
    file: FAIR,
    test: 'large pictures, of however many accounts, keep no small one waiting',
  },
  {
    name: 'a-decoder-works-on-for-who-has-left',
    edits: [
      {
        file: 'src/images/decode/processes.ts',
        from: "signal?.addEventListener('abort', leave, { once: true })",
        to: "signal?.addEventListener('close', leave, { once: true })",
      },
    ],
    file: FAIR,
    test: 'takes what waits with it at once, and ends the process that works for it',
  },
  {
    name: 'a-decoder-takes-any-memory',
    edits: [{ file: 'src/images/decode/process.ts', from: 'process.memoryUsage.rss() > bytesMax', to: 'bytesMax < 0' }],
    file: FAIR,
    test: 'a picture that takes more than its process may have is refused, and the next one is decoded',
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
