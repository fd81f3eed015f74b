import { Type, type Static, type TObject } from 'typebox'

// The schema of a mapping file, split into one shape per kind of object, so that a fault can name its path instead of
// "matches none of these". mapping.ts and mapping-check.ts combine them.

const strict = { additionalProperties: false }
const Name = Type.String({ minLength: 1 })
const Sign = Type.String({ minLength: 1, maxLength: 8 })

export const formats = ['csv', 'tsv', 'ndjson', 'json'] as const
export type Format = (typeof formats)[number]

const column = {
  column: Name,
  split: Type.Optional(Sign),
  take: Type.Optional(Type.Integer()),
  trim: Type.Optional(Type.Boolean()),
  prefix: Type.Optional(Type.String()),
  suffix: Type.Optional(Type.String()),
  replace: Type.Optional(Type.Array(Type.Tuple([Name, Type.String()]))),
  values: Type.Optional(Type.Record(Type.String(), Type.String())),
  default: Type.Optional(Type.String()),
}
const constant = { constant: Type.String() }
const join = { join: Type.Array(Type.Unknown(), { minItems: 1 }), with: Type.Optional(Type.String()) }
const filter = { only: Type.Optional(Type.Array(Name)), except: Type.Optional(Type.Array(Name)) }

export const ColumnShape = Type.Object(column, strict)
export const ConstantShape = Type.Object(constant, strict)
export const JoinShape = Type.Object(join, strict)

export const KeyedColumnShape = Type.Object({ key: Name, ...column }, strict)
export const KeyedConstantShape = Type.Object({ key: Name, ...constant }, strict)
export const KeyedJoinShape = Type.Object({ key: Name, ...join }, strict)
export const PackedShape = Type.Object({ packed: Name, pair: Sign, assign: Sign, ...filter }, strict)
export const ObjectShape = Type.Object({ object: Name, ...filter }, strict)

export const SkipInShape = Type.Object({ column: Name, in: Type.Array(Type.String(), { minItems: 1 }) }, strict)
export const SkipNotInShape = Type.Object({ column: Name, notIn: Type.Array(Type.String(), { minItems: 1 }) }, strict)

export const MappingShape = Type.Object(
  {
    format: Type.Optional(Type.Enum([...formats])),
    delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 8, pattern: '^[^\\r\\n]+$' })),
    quote: Type.Optional(Type.String({ maxLength: 1, pattern: '^[^\\r\\n ]?$' })),
    encoding: Type.Optional(Name),
    items: Type.Optional(Type.String({ pattern: '^[^.]+(\\.[^.]+)*$' })),
    locale: Type.Optional(Name),
    decimal: Type.Optional(Type.Enum(['.', ','])),
    imageBaseUrl: Type.Optional(Name),
    fields: Type.Object({}),
    skip: Type.Optional(Type.Array(Type.Unknown())),
  },
  strict,
)

export type ColumnSource = Static<typeof ColumnShape>
export type ConstantSource = Static<typeof ConstantShape>
export type AttributeFilter = { only?: string[]; except?: string[] }
export type SkipRule = Static<typeof SkipInShape> | Static<typeof SkipNotInShape>
export type Shape = TObject
