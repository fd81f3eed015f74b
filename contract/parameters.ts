import Type from 'typebox'

// Parameters that several routes share, and kinds of parameters that a schema alone does not describe. `x-read` names the
// way in which the text is read, if the type does not determine it; serve/parameters.ts implements each. `x-also` lists
// wrong names that clients may try, similar in meaning rather than spelling: routes that otherwise ignore unknown parameters
// refuse these. The document omits both.

export type Reading = 'clamped' | 'ids' | 'slugs' | 'members' | 'moment' | 'ean'

/** A whole number that is clamped to its bounds instead of being refused. */
export const Clamped = (min: number, max: number, fallback: number, what: string) =>
  Type.Unsafe<number>({
    type: 'integer',
    default: fallback,
    description: `${what}; clamped to ${min}-${max}.`,
    'x-read': 'clamped' satisfies Reading,
    'x-bounds': [min, max],
  })

/**
 * Product IDs separated by commas, or given one by one (`ids[]=1&ids[]=2`), read as a list without duplicates. The schema is a list
 * of numbers for generated clients, which send `ids=1,2,3` by the style that contract/openapi.ts declares.
 */
export const ProductIds = (max: number, description: string) =>
  Type.Unsafe<number[]>({
    type: 'array',
    items: { type: 'integer', format: 'int64', minimum: 1 },
    minItems: 1,
    maxItems: max,
    description: `${description} Also accepted as \`ids[]=1&ids[]=2\` and \`ids=1&ids=2\`.`,
    'x-read': 'ids' satisfies Reading,
    'x-bounds': [1, max],
    'x-also': ['product_ids', 'product_id'],
  })

/** Slugs of products, written like ProductIds; they are normalized to the stored form. */
export const Slugs = (max: number, description: string) =>
  Type.Unsafe<string[]>({
    type: 'array',
    // several are separated by commas
    items: { type: 'string', minLength: 1, pattern: '^[^,]+$' },
    minItems: 1,
    maxItems: max,
    examples: [['steel-hammer-300-g']],
    description,
    'x-read': 'slugs' satisfies Reading,
    'x-bounds': [1, max],
    'x-also': ['slugs', 'handle', 'handles'],
  })

/**
 * Names of an object's members, written like ProductIds. Read as a set in the object's order, which always includes those of `always`.
 * @param names of all members, in their order.
 */
export const Members = <Name extends string>(
  names: readonly Name[],
  always: readonly NoInfer<Name>[],
  description: string,
) =>
  Type.Unsafe<ReadonlySet<Name>>({
    type: 'array',
    items: { type: 'string', enum: names },
    minItems: 1,
    description,
    'x-read': 'members' satisfies Reading,
    'x-always': always,
  })

/** An RFC 3339 timestamp with offset, or the word `now`. */
export const Moment = (description: string, also: readonly string[] = []) =>
  Type.Unsafe<Date | 'now'>({
    type: 'string',
    examples: ['2026-11-20T10:00:00+00:00', 'now'],
    description,
    'x-read': 'moment' satisfies Reading,
    'x-also': also,
  })

export const StoreSlug = Type.Optional(
  Type.String({
    description: 'Store slug; the default store if omitted.',
    'x-also': ['store_slug', 'store_id'],
  }),
)
export const PerPage = Clamped(1, 200, 50, 'Page size')
/**
 * Names of members of answers whose value belongs into `after_id`. A client that sends it back under such a name would read the first page
 * again and again, so they are refused.
 */
export const NEXT_AFTER_ID = ['next_after_id', 'next_after', 'cursor']
/** An EAN with up to 14 digits; blanks and hyphens are ignored. */
export const Ean = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      examples: ['4006381333931'],
      description,
      pattern: String.raw`^\s*\d(?:[-\s]*\d){0,13}\s*$`,
      'x-read': 'ean' satisfies Reading,
    }),
  )
/** The cursor of a list by ID. */
export const AfterId = Type.Optional(
  Type.Integer({
    minimum: 0,
    format: 'int64',
    description: 'meta.next_after of the previous page; the first page if left out.',
  }),
)
/** The cursor of a list by a text key. */
export const AfterKey = Type.Optional(
  Type.String({ description: 'meta.next_after of the previous page; the first page if left out.' }),
)

/** A text that is compared with values in PostgreSQL, which cannot contain NUL. */
export const Comparable = (description: string, lengthMax?: number) =>
  Type.Optional(
    Type.String({
      ...(lengthMax === undefined ? {} : { maxLength: lengthMax }),
      pattern: '^[^\\u0000]*$',
      description,
      'x-must': 'must not hold NUL',
    }),
  )
/** The cursor of a list by supplier SKU. */
export const AfterSku = Comparable('meta.next_after of the previous page; the first page if left out.')

export const PathId = (description: string) => Type.Integer({ minimum: 1, format: 'int64', description })
/** A text key in a path. */
export const PathKey = (description: string) => Type.String({ description })

/** A check for `conflicts`: at most one of these parameters may be given. */
export const atMostOneOf =
  (...names: readonly string[]) =>
  (given: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> => {
    const [first, second] = names.filter((name) => given[name] !== undefined)
    return second === undefined ? {} : { [second]: `cannot be combined with ${first}` }
  }
