import Type from 'typebox'

// Kinds of values in requests, and the messages for invalid ones. src/input checks the values, with the same messages
// for the API, commands and imports; docs/input-rules.md lists the rules.

/** Messages for invalid values: the beginning of a fault's reason, for every input format. */
export const MUST = {
  string: 'must be a string',
  flag: 'must be true or false',
  list: 'must be a list',
  object: 'must be an object',
  whole: 'must be a whole number',
  decimal: 'must be a decimal such as "12.50"',
  quantity: 'must be a quantity such as 12, ">10" or "10+"',
  id: 'must be an ID: a whole number above 0',
  ids: 'must be a list of IDs',
  strings: 'must be a list of strings',
  byLocale: 'must be an object of locale and string',
} as const

/** Option of an object schema: undeclared members are refused. */
export const closed = { additionalProperties: false }
/** Sets the message for an invalid value of a schema, which otherwise would list the schema's alternatives. */
export const must = (words: string) => ({ 'x-must': words })

/**
 * The format of a text that requests carry too. It is only in the document; bodies are not checked against it, because
 * src/input checks such values, with messages of its own.
 */
export const formatted = (format: 'date' | 'date-time' | 'iri') => ({ 'x-format': format })

export const Null = Type.Null()
export const orNull = <T extends Type.TSchema>(schema: T, words: string) => Type.Union([schema, Null], must(words))

/** A value of an answer, or null for none. `orNull` is for bodies. */
export const nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Null], { description })

/** Where a list by ascending ID goes on. */
export const NextAfterId = Type.Union([
  Type.Integer({
    minimum: 1,
    format: 'int64',
    description: 'Value of after_id for the next page; null on the last page.',
  }),
  Null,
])

/** The same value with a description. */
export const described = <T extends Type.TSchema>(schema: T, description: string): T =>
  Type.With(schema, { description }) as unknown as T

/** A positive integer ID. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, format: 'int64', ...must(MUST.id) })
export const Text = Type.String()
export const Flag = Type.Boolean()

/** The ID of what a body creates. */
export const GivenId = (noun: string) => described(Id, `ID of the ${noun}. Assigned by the service; never changes.`)
export const NameOf = (noun: string) => described(Text, `Name of the ${noun}: 1 to 200 characters.`)
export const ProductId = described(Id, 'ID of the product.')
export const SupplierId = described(Id, 'ID of the supplier.')
export const CustomerGroupId = described(Id, 'ID of the customer group.')
export const SlugOfStore = described(Text, 'Slug of the store.')
export const SupplierCode = described(Text, 'Code of the supplier.')
export const SupplierSku = described(Text, 'Key (SKU) of the article at the supplier.')
export const CurrencyOf = (noun: string) => described(Text, `Currency of the ${noun} (ISO 4217).`)
export const AccountCurrency = described(
  Text,
  'Currency of the account (ISO 4217), in which costs are compared. Never changes.',
)
export const AccountLocale = described(Text, 'Locale that texts fall back to (BCP 47).')
export const IsActiveRule = described(
  Flag,
  'Whether the rule is active; true by default. An inactive rule is not applied.',
)
export const Priority = Type.Integer({ description: 'Priority: lower numbers are applied first; 100 by default.' })

const DecimalText = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' })
/** An exact decimal: a string, or a JSON number if that is exact. */
export const Decimal = (description: string) =>
  Type.Union([DecimalText, Type.Number()], { description, ...must(MUST.decimal) })
/** A decimal, or null for none. */
export const Amount = (description: string) =>
  Type.Union([DecimalText, Type.Number(), Null], { description, ...must(MUST.decimal) })
/** A number of pieces in answers, which is a whole number. `QuantityGiven` is for bodies. */
export const Quantity = (description: string) => Type.Integer({ description })
export const QuantityGiven = (description: string) =>
  Type.Union([Type.Number(), Type.String({ pattern: '^(>=? *)?-?\\d+(\\.\\d+)?( *\\+)?$' })], {
    description: `${description} Fractions are dropped, negative numbers count as 0, and ">10" and "10+" are read as 10.`,
    ...must(MUST.quantity),
  })
/** A list of IDs, or null for any. */
export const Ids = (description: string) =>
  Type.Union([Type.Array(Id, { minItems: 1 }), Null], { description, ...must(`${MUST.ids}, or null for any`) })
/** A list of names, or null for any. */
export const Names = (description: string) =>
  Type.Union([Type.Array(Text, { minItems: 1 }), Null], { description, ...must(`${MUST.strings}, or null for any`) })
/** Locale -> text. In a patch, null removes an entry. */
export const ByLocale = (description: string) =>
  Type.Union([Type.Record(Text, orNull(Text, MUST.string)), Null], { description, ...must(MUST.byLocale) })

type Fields = Readonly<Record<string, Type.TSchema>>
const mapped = (fields: Fields, change: (schema: Type.TSchema) => Type.TSchema) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, change(schema)]))

/** The fields, each of which may be left out. */
export const optional = <F extends Fields>(fields: F) =>
  mapped(fields, (schema) => Type.Optional(schema)) as { [K in keyof F]: Type.TOptional<F[K]> }

/** Assigned or fixed members, which a body may repeat as they were read; a different value is refused. */
export const echoed = <F extends Fields>(fields: F) =>
  mapped(fields, (schema) => Type.Optional({ ...schema, readOnly: true })) as { [K in keyof F]: Type.TOptional<F[K]> }

/** Fields, with null allowed to reset each to its default. */
export const resettable = <F extends Fields>(fields: F) =>
  mapped(fields, (schema) => {
    const { anyOf = [schema], description } = schema as { anyOf?: Type.TSchema[]; description?: string }
    const described = description === undefined || anyOf.length === 1 ? {} : { description }
    return acceptsNull(schema) ? schema : Type.Union([...anyOf, Null], { ...described, ...must(wordsOf(schema)) })
  }) as unknown as { [K in keyof F]: Type.TUnion<[F[K], Type.TNull]> }

function acceptsNull(schema: Type.TSchema): boolean {
  const options = (schema as { anyOf?: readonly { type?: string }[] }).anyOf
  return options?.some((option) => option.type === 'null') ?? false
}

/** The message that says which values a schema accepts. */
export function wordsOf(schema: Type.TSchema): string {
  const { type, 'x-must': words } = schema as { type?: string; 'x-must'?: string }
  if (words !== undefined) return words
  const ofType: Readonly<Record<string, string>> = {
    integer: MUST.whole,
    boolean: MUST.flag,
    array: MUST.list,
    object: MUST.object,
  }
  return ofType[type ?? ''] ?? MUST.string
}
