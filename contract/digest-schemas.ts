import Type from 'typebox'

// Digests of a store's products, and the tags that they are computed from.

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const digest = Type.Optional(
  Type.String({
    pattern: '^[0-9a-f]{32}$',
    description:
      'The xor, over the products of the block, of the first 128 bits of SHA-512 of `ID:TAG`, where TAG is that of this half.',
  }),
)
const tag = Type.Optional(
  Type.String({
    pattern: '^[\\w-]{16}$',
    description: 'The first 16 characters of base64url of SHA-512 of this half’s text as it is served.',
  }),
)
const digestCursor = {
  store: Type.String({ description: 'Slug of the store read.' }),
  next_since: Type.String({
    description: 'First half of the cursor at which all of this holds.',
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00$',
    examples: ['2026-11-20T10:00:00+00:00'],
  }),
  next_id: Type.Integer({ minimum: 0, format: 'int64', description: 'Second half of the cursor.' }),
}

/** Digests of a store's products, one for each block of 1,024 product IDs. */
export const DigestList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        block: Type.Integer({
          minimum: 0,
          format: 'int64',
          description: 'The products with the IDs from 1,024 times this number, 1,024 of them.',
        }),
        products: Type.Integer({
          minimum: 1,
          description: 'How many the store lists; a block without any is left out.',
        }),
        content: digest,
        price: digest,
      }),
    ),
    ...digestCursor,
    meta: Type.Object({
      next_after_block: Nullable(
        Type.Integer({
          minimum: 0,
          format: 'int64',
          description: 'after_block of the next page; null after the last one.',
        }),
      ),
    }),
  },
  { $id: 'DigestList' },
)

/** The tags of single products, to find those that differ within a block. */
export const ProductTags = Type.Object(
  {
    data: Type.Array(Type.Object({ id: Type.Integer({ minimum: 1, format: 'int64' }), content: tag, price: tag })),
    ...digestCursor,
    meta: Type.Object({
      next_after_id: Nullable(
        Type.Integer({
          minimum: 1,
          format: 'int64',
          description: 'after_id of the next page; null after the last one.',
        }),
      ),
    }),
  },
  { $id: 'ProductTags' },
)
