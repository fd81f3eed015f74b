import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { FILE_FORMATS, type FileFormat } from '../../../contract/file-formats.ts'

// The schema of a mapping file, split into one shape per kind of object, so that a fault can name its path instead of
// "matches none of these". mapping.ts and mapping-check.ts combine them.

const strict = { additionalProperties: false }

const NUMBERED = '\\{n\\}'
const BOUND = '^-?\\d{1,15}(\\.\\d{1,12})?$'
const DELIMITER = '^[^\\r\\n]+$'
const QUOTE = '^[^\\r\\n ]?$'
const PATH = '^[^.]+(\\.[^.]+)*$'
/** What a text must be that does not match a pattern of these shapes. */
export const PATTERNS: ReadonlyMap<string, string> = new Map([
  [NUMBERED, 'must have {n} in place of the number'],
  [BOUND, 'must be a decimal such as "12.50", with at most 15 digits before the decimal point and 12 after it'],
  [DELIMITER, 'must not contain a line break'],
  [QUOTE, 'must be a single character, and neither a blank nor a line break'],
  [PATH, 'must be names joined by points, such as "catalog.product"'],
])
const TABLES_MAX = 50
/** What `table` must be, the only choice in these shapes. */
export const TABLE_CHOICE = `must be a whole number from 1 to ${TABLES_MAX}, or "all"`

const Name = Type.String({ minLength: 1 })
/** The template of numbered column names: `{n}` stands for the number. */
const Numbered = Type.String({ pattern: NUMBERED, maxLength: 500 })
const Sign = Type.String({ minLength: 1, maxLength: 8 })

/** A format that a mapping may state. */
export type Format = FileFormat

const steps = {
  split: Type.Optional(Sign),
  take: Type.Optional(Type.Integer()),
  trim: Type.Optional(Type.Boolean()),
  capture: Type.Optional(Name),
  replace: Type.Optional(Type.Array(Type.Tuple([Name, Type.String()]))),
  values: Type.Optional(Type.Record(Type.String(), Type.String())),
  number: Type.Optional(Type.Boolean()),
  prefix: Type.Optional(Type.String()),
  suffix: Type.Optional(Type.String()),
  default: Type.Optional(Type.String()),
}
const column = { column: Name, optional: Type.Optional(Type.Boolean()), ...steps }
const constant = { constant: Type.String() }
const join = { join: Type.Array(Type.Unknown(), { minItems: 1 }), with: Type.Optional(Type.String()) }
const first = { first: Type.Array(Type.Unknown(), { minItems: 1 }) }
const when = {
  when: Type.Unknown(),
  use: Type.Unknown(),
  else: Type.Optional(Type.Unknown()),
}
const calc = { calc: Name, of: Type.Object({}) }
const tiers = {
  tiers: Name,
  price: Name,
  from: Type.Optional(Name),
  quantity: Type.Optional(Type.Integer({ minimum: 1 })),
  where: Type.Optional(Type.Unknown()),
}
/** `sum` is a list of sources or the name of a list; mapping-check.ts checks which. */
const sum = { sum: Type.Unknown(), amount: Type.Optional(Name), where: Type.Optional(Type.Unknown()) }
const filter = { only: Type.Optional(Type.Array(Name)), except: Type.Optional(Type.Array(Name)) }

const shape = <T extends TProperties>(properties: T) => Type.Object(properties, strict)

/**
 * The kinds of sources of one value, by the member by which they are recognized. Most of them contain other sources,
 * which mapping-check.ts checks.
 */
export const SOURCE_SHAPES = {
  column: shape(column),
  constant: shape(constant),
  join: shape(join),
  first: shape(first),
  when: shape(when),
  calc: shape(calc),
  tiers: shape(tiers),
  sum: shape(sum),
}

/** The kinds of entries of `attributes`, by the member by which they are recognized. */
export const ATTRIBUTE_SHAPES = {
  packed: shape({
    packed: Name,
    pair: Sign,
    assign: Sign,
    optional: Type.Optional(Type.Boolean()),
    capture: Type.Optional(Name),
    with: Type.Optional(Type.String()),
    ...filter,
  }),
  object: shape({ object: Name, ...filter }),
  list: shape({
    list: Name,
    name: Name,
    value: Name,
    unit: Type.Optional(Name),
    with: Type.Optional(Type.String()),
    ...filter,
  }),
  pairs: shape({
    pairs: Numbered,
    value: Numbered,
    unit: Type.Optional(Numbered),
    ...filter,
  }),
  names: shape({
    names: Name,
    values: Name,
    between: Sign,
    cut: Type.Optional(Sign),
    optional: Type.Optional(Type.Boolean()),
    ...filter,
  }),
  column: shape({ key: Name, ...column }),
  constant: shape({ key: Name, ...constant }),
  join: shape({ key: Name, ...join }),
  first: shape({ key: Name, ...first }),
  when: shape({ key: Name, ...when }),
  calc: shape({ key: Name, ...calc }),
}

/** The kinds of entries of `cost_tiers`, by the member by which they are recognized. */
export const COST_TIER_SHAPES = {
  tiers: shape({
    tiers: Name,
    from: Name,
    price: Name,
    currency: Type.Optional(Name),
    per: Type.Optional(Type.Unknown()),
    where: Type.Optional(Type.Unknown()),
  }),
  packed: shape({ packed: Name, pair: Sign, assign: Sign, optional: Type.Optional(Type.Boolean()) }),
  cost: shape({ quantity: Type.Unknown(), cost: Type.Unknown() }),
}

const listed = Type.Array(Type.String(), { minItems: 1 })
const Bound = Type.String({ pattern: BOUND })

const tested = { column: Name, optional: Type.Optional(Type.Boolean()) }

/** The kinds of conditions, by the member by which they are recognized. */
export const CONDITION_SHAPES = {
  in: shape({ ...tested, in: listed }),
  notIn: shape({ ...tested, notIn: listed }),
  empty: shape({ ...tested, empty: Type.Boolean() }),
  matches: shape({ ...tested, matches: Name }),
  above: shape({ ...tested, above: Bound }),
  below: shape({ ...tested, below: Bound }),
}

const Pieces = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 }))
const States = ['inStock', 'low', 'unlimited', 'outOfStock', 'preorder', 'backorder'] as const
const AvailabilityShape = shape({
  inStock: Pieces,
  low: Pieces,
  unlimited: Pieces,
  outOfStock: Pieces,
  preorder: Pieces,
  backorder: Pieces,
  words: Type.Optional(Type.Record(Type.String(), Type.Enum([...States]))),
})

const VariantsShape = shape({
  column: Name,
  between: Sign,
  pair: Sign,
  assign: Sign,
  key: Name,
  alone: Type.Optional(Type.Unknown()),
  optional: Type.Optional(Type.Boolean()),
})

const GroupShape = shape({
  by: Type.Unknown(),
  anywhere: Type.Optional(Type.Boolean()),
  continues: Type.Optional(Type.Boolean()),
  parent: Type.Optional(Name),
  variants: Type.Optional(VariantsShape),
  inherit: Type.Optional(Type.Array(Name)),
  collect: Type.Optional(Type.Array(Name)),
  beside: Type.Optional(Type.Record(Type.String(), Name)),
  optional: Type.Optional(Type.Array(Name)),
  offers: Type.Optional(Type.Unknown()),
  orFirst: Type.Optional(Type.Boolean()),
})

const CategoriesShape = shape({
  items: Type.String({ pattern: PATH, maxLength: 500 }),
  id: Name,
  name: Name,
  parent: Type.Optional(Name),
  of: Name,
})

/**
 * The shape of a mapping. Sources, conditions and fields are open here, and checked by mapping-check.ts and mapping.ts.
 */
export const MappingShape = shape({
  $schema: Type.Optional(Type.String()),
  format: Type.Optional(Type.Enum([...FILE_FORMATS])),
  delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 8, pattern: DELIMITER })),
  quote: Type.Optional(Type.String({ pattern: QUOTE })),
  encoding: Type.Optional(Name),
  header: Type.Optional(Type.Boolean()),
  skipLines: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
  headerLines: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  shortRows: Type.Optional(Type.Boolean()),
  file: Type.Optional(Name),
  sheet: Type.Optional(Name),
  table: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: TABLES_MAX }), Type.Literal('all')])),
  items: Type.Optional(Type.String({ pattern: PATH })),
  categories: Type.Optional(CategoriesShape),
  each: Type.Optional(Type.String({ pattern: PATH, maxLength: 500 })),
  locale: Type.Optional(Name),
  decimal: Type.Optional(Type.Enum(['.', ','])),
  imageBaseUrl: Type.Optional(Name),
  availability: Type.Optional(AvailabilityShape),
  group: Type.Optional(GroupShape),
  fields: Type.Object({}),
  skip: Type.Optional(Type.Array(Type.Unknown())),
})

/** A value from a column, with the steps that change it. */
export type ColumnSource = Static<typeof SOURCE_SHAPES.column>
/** The same value for every row. */
export type ConstantSource = Static<typeof SOURCE_SHAPES.constant>
/** Which keys are taken: only some, or all except some. */
export type AttributeFilter = { only?: string[]; except?: string[] }
/** A condition on a column of a row. */
export type Condition = Static<(typeof CONDITION_SHAPES)[keyof typeof CONDITION_SHAPES]>
/** The shape of one kind of object in a mapping. */
export type Shape = TObject
