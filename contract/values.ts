import Type from 'typebox'

// Kinds of values that requests carry.

export const closed = { additionalProperties: false }
/** What a value must be, in words: told in place of a schema's alternatives. */
export const must = (words: string) => ({ 'x-must': words })

export const Null = Type.Null()
export const orNull = <T extends Type.TSchema>(schema: T, words: string) =>
  Type.Union([schema, Null], must(`${words}, or null`))

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const Text = Type.String()
export const Flag = Type.Boolean()
export const Priority = Type.Integer({ description: 'Lower goes first; 100 by default.' })
const DECIMAL = '^-?\\d{1,15}(\\.\\d{1,12})?$'
/** Exact decimals travel as text; a JSON number is taken as well where it is exact. */
export const Decimal = (description: string) =>
  Type.Union([Type.String({ pattern: DECIMAL }), Type.Number()], {
    description,
    ...must(
      'must be a decimal of at most 15 digits before and 12 after the point, as text such as "12.50", or a number',
    ),
  })
export const Amount = (description: string) =>
  Type.Union([Type.String({ pattern: DECIMAL }), Type.Number(), Null], {
    description,
    ...must(
      'must be a decimal of at most 15 digits before and 12 after the point, as text such as "12.50", a number, or null',
    ),
  })
export const Ids = (description: string) =>
  Type.Union([Type.Array(Id, { minItems: 1 }), Null], {
    description,
    ...must('must be a list of ids, or null for any'),
  })
export const Names = (description: string) =>
  Type.Union([Type.Array(Text, { minItems: 1 }), Null], {
    description,
    ...must('must be a list of texts, or null for any'),
  })
/** Locale -> text; in a patch null takes an entry away. */
export const ByLocale = (description: string) =>
  Type.Union([Type.Record(Text, orNull(Text, 'must be a text')), Null], {
    description,
    ...must('must be an object of locale and text, or null'),
  })

type Fields = Readonly<Record<string, Type.TSchema>>
/** Each field through `change`; `T` says what becomes of its type. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const mapped = <T>(fields: Fields, change: (schema: Type.TSchema) => Type.TSchema) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, change(schema)])) as T

export const optional = <F extends Fields>(fields: F) =>
  mapped<{ -readonly [Name in keyof F]: Type.TOptional<F[Name]> }>(fields, (schema) => Type.Optional(schema))

/** Members that are given out, or said once, as a body may carry them that was read before: they must say what is so. */
export const echoed = <F extends Fields>(fields: F) =>
  mapped<{ -readonly [Name in keyof F]: Type.TOptional<F[Name]> }>(fields, (schema) =>
    Type.Optional({ ...schema, readOnly: true }),
  )

/** Fields that null sets back to their default. */
export const resettable = <F extends Fields>(fields: F) =>
  mapped<{ -readonly [Name in keyof F]: Type.TUnion<[F[Name], Type.TNull]> }>(fields, (schema) =>
    accepts(schema, null) ? schema : Type.Union([schema, Null], must(wordsOf(schema))),
  )

function accepts(schema: Type.TSchema, value: null): boolean {
  const options = (schema as { anyOf?: readonly { type?: string }[] }).anyOf
  return options?.some((option) => option.type === String(value)) ?? false
}

function wordsOf(schema: Type.TSchema): string {
  const { type, 'x-must': words } = schema as { type?: string; 'x-must'?: string }
  if (words !== undefined) return `${words}, or null`
  return `must be ${type === 'integer' ? 'a whole number' : type === 'boolean' ? 'true or false' : type === 'array' ? 'a list' : type === 'object' ? 'an object' : 'a text'}, or null`
}
