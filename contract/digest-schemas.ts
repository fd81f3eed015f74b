import Type from 'typebox'
import { NextAfterId } from './values.ts'

// Digests of a store's products, and the tags that they are computed from.

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const digest = Type.Optional(
  Type.String({
    pattern: '^[0-9a-f]{32}$',
    description:
      'Digest of this half of the block’s products, in hexadecimal: for each product the first 128 bits of SHA-512 of the text `ID:TAG`, where TAG is the tag of this half; combined by XOR.',
  }),
)
const tag = Type.Optional(
  Type.String({
    pattern: '^[\\w-]{16}$',
    description:
      'Tag of this half of the product: the first 16 characters of the base64url form of SHA-512 of the half’s text as served.',
  }),
)
const digestCursor = {
  store: Type.String({ description: 'Slug of the store that was read.' }),
  next_since: Type.String({
    description: 'First half of the change feed’s cursor at which this answer is valid.',
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00$',
    examples: ['2026-11-20T10:00:00+00:00'],
  }),
  next_id: Type.Integer({
    minimum: 0,
    format: 'int64',
    description: 'Second half of the change feed’s cursor at which this answer is valid.',
  }),
}

/** Digests of a store's products, one for each block of 1,024 product IDs. */
export const DigestList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        block: Type.Integer({
          minimum: 0,
          format: 'int64',
          description: 'Number of the block: it has the products with the 1,024 IDs from 1,024 × block on.',
        }),
        products: Type.Integer({
          minimum: 1,
          description: 'Number of products of the block that the store lists; blocks without products are left out.',
        }),
        content: digest,
        price: digest,
      }),
      { description: 'Blocks of product IDs, by number ascending.' },
    ),
    ...digestCursor,
    meta: Type.Object(
      {
        next_after_block: Nullable(
          Type.Integer({
            minimum: 0,
            format: 'int64',
            description: 'Value of after_block for the next page; null on the last page.',
          }),
        ),
      },
      { description: 'Position of the page in the list.' },
    ),
  },
  {
    $id: 'DigestList',
    description: 'A page of digests of a store’s products, with the cursor at which they are valid.',
  },
)

/** The tags of single products, to find those that differ within a block. */
export const ProductTags = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Type.Integer({ minimum: 1, format: 'int64', description: 'Product ID.' }),
        content: tag,
        price: tag,
      }),
      { description: 'Products with their tags, by ID ascending.' },
    ),
    ...digestCursor,
    meta: Type.Object(
      {
        next_after_id: NextAfterId,
      },
      { description: 'Position of the page in the list.' },
    ),
  },
  { $id: 'ProductTags', description: 'A page of tags of a store’s products, with the cursor at which they are valid.' },
)
