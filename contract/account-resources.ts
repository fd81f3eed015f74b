import Type, { type Static } from 'typebox'

// What an account states, as it is written and read below /v1/account. A body of POST and PUT is a whole: what it leaves
// out, or says null of, is its default. A body of PATCH is a merge patch (RFC 7396): absent is unchanged, null goes back to the
// default. What is given out may stand in a body of PUT and PATCH as it was read, so that what GET gave can be sent back.

const closed = { additionalProperties: false }
/** What a value must be, in words: told in place of a schema's alternatives. */
const must = (words: string) => ({ 'x-must': words })

const Null = Type.Null()
const orNull = <T extends Type.TSchema>(schema: T, words: string) =>
  Type.Union([schema, Null], must(`${words}, or null`))

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Text = Type.String()
const Flag = Type.Boolean()
const Priority = Type.Integer({ description: 'Lower goes first; 100 by default.' })
const DECIMAL = '^-?\\d{1,15}(\\.\\d{1,12})?$'
/** Exact decimals travel as text; a JSON number is taken as well where it is exact. */
const Decimal = (description: string) =>
  Type.Union([Type.String({ pattern: DECIMAL }), Type.Number()], {
    description,
    ...must(
      'must be a decimal of at most 15 digits before and 12 after the point, as text such as "12.50", or a number',
    ),
  })
const Amount = (description: string) =>
  Type.Union([Type.String({ pattern: DECIMAL }), Type.Number(), Null], {
    description,
    ...must(
      'must be a decimal of at most 15 digits before and 12 after the point, as text such as "12.50", a number, or null',
    ),
  })
const Ids = (description: string) =>
  Type.Union([Type.Array(Id, { minItems: 1 }), Null], {
    description,
    ...must('must be a list of ids, or null for any'),
  })
const Names = (description: string) =>
  Type.Union([Type.Array(Text, { minItems: 1 }), Null], {
    description,
    ...must('must be a list of texts, or null for any'),
  })
/** Locale -> text; in a patch null takes an entry away. */
const ByLocale = (description: string) =>
  Type.Union([Type.Record(Text, orNull(Text, 'must be a text')), Null], {
    description,
    ...must('must be an object of locale and text, or null'),
  })

type Fields = Readonly<Record<string, Type.TSchema>>
/** Each field through `change`; `T` says what becomes of its type. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const mapped = <T>(fields: Fields, change: (schema: Type.TSchema) => Type.TSchema) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, change(schema)])) as T

/** One of some texts; the union of them as a type. */
const OneOf = <const N extends readonly string[]>(names: N, options: Type.TSchemaOptions) =>
  Type.Unsafe<N[number]>(
    Type.Union(
      names.map((name) => Type.Literal(name)),
      options,
    ),
  )

const optional = <F extends Fields>(fields: F) =>
  mapped<{ -readonly [Name in keyof F]: Type.TOptional<F[Name]> }>(fields, (schema) => Type.Optional(schema))

/** Members that are given out, or said once, as a body may carry them that was read before: they must say what is so. */
const echoed = <F extends Fields>(fields: F) =>
  mapped<{ -readonly [Name in keyof F]: Type.TOptional<F[Name]> }>(fields, (schema) =>
    Type.Optional({ ...schema, readOnly: true }),
  )

/** Fields that null sets back to their default. */
const resettable = <F extends Fields>(fields: F) =>
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

/**
 * What makes up one kind of account resource, from which its routes (contract/routes/account-resources.ts), its bodies, its part of the
 * document and the types of its handlers come.
 */
export interface AccountResource {
  /** Last part of the path below /v1/account. */
  path: string
  /** Singular, as texts name it. */
  noun: string
  /** Member that names one in the path, and what it is. */
  key: { name: string; isText: boolean; description: string }
  /** Members of a body. */
  fields: Fields
  /** Of a new one. */
  required: readonly string[]
  /** Set when it is created and never changed; the key among them when the owner chooses it. */
  fixed: readonly string[]
  /** Members that are assigned by us: read only. */
  given: Fields
  /** Name of the representation's schema, which ends with Resource. */
  schema: string
  /** Members that only the answer to its creation has. */
  once?: Fields
  /** What deleting one does. */
  deletion: string
}

type Member<R extends AccountResource, Name> = Name extends keyof R['fields'] ? Static<R['fields'][Name]> : never
/** Members of a new one, as its body names them, after those that it leaves out got the defaults that there are. */
export type NewMembers<R extends AccountResource, Defaulted = never> = {
  [Name in keyof R['fields'] & (R['required'][number] | Defaulted)]: Member<R, Name>
} & { [Name in Exclude<keyof R['fields'], R['required'][number] | Defaulted>]?: Member<R, Name> }
/** Members that an edit sets. Null where there is no default to go back to, or where null in a map has a meaning of its own. */
export type ChangedMembers<R extends AccountResource, Defaulted> = {
  -readonly [Name in Exclude<keyof R['fields'], R['fixed'][number]>]?:
    | Member<R, Name>
    | (Name extends Defaulted | R['required'][number] ? never : null)
}
/** Names of all members of a representation. */
export type MemberNames<R extends AccountResource> = (keyof R['fields'] | keyof R['given']) & string

/** A resource's noun with its article. */
export const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

export const createBody = ({ fields, required }: AccountResource) =>
  Type.Object({ ...pick(fields, required), ...optional(resettable(omit(fields, required))) }, closed)
export const patchBody = ({ fields, fixed, given }: AccountResource) =>
  Type.Object({ ...optional(resettable(omit(fields, fixed))), ...echoed({ ...pick(fields, fixed), ...given }) }, closed)
export const putBody = ({ fields, required, key, given }: AccountResource) => {
  const rest = omit(fields, [key.name])
  return Type.Object(
    {
      ...pick(rest, required),
      ...optional(resettable(omit(rest, required))),
      ...echoed({ ...pick(fields, [key.name]), ...given }),
    },
    closed,
  )
}
export const representation = ({ fields, given, schema }: AccountResource) =>
  Type.Object({ ...given, ...fields }, { ...closed, $id: schema })
/** What its creation answers. */
export const createdAnswer = (resource: AccountResource) =>
  resource.once === undefined
    ? representation(resource)
    : Type.Object(
        { ...resource.given, ...resource.fields, ...resource.once },
        { ...closed, $id: resource.schema.replace(/Resource$/, 'Secret') },
      )

const pick = <T>(fields: Readonly<Record<string, T>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
const omit = <T>(fields: Readonly<Record<string, T>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const byId = (noun: string) => ({ name: 'id', isText: false, description: `ID of the ${noun}.` })

export const STORES = {
  path: 'stores',
  noun: 'store',
  key: { name: 'slug', isText: true, description: 'The store’s slug.' },
  fields: {
    slug: Type.String({
      description: 'What the read API calls it: 1 to 63 of a-z, 0-9 and -. Never changes, and is not given out again.',
    }),
    name: Text,
    locale: Type.String({ description: 'BCP 47.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    is_active: Type.Boolean({
      description: 'An inactive store can not be read; its payloads are brought up to date when it comes back.',
    }),
    is_default: Type.Boolean({
      description:
        'Read when a request names no store. There is always exactly one: make another the default instead of saying false.',
    }),
    lists_by_default: Type.Boolean({
      description: 'Whether it lists a product that neither an assortment rule nor the hand decides.',
    }),
  },
  required: ['slug', 'name', 'locale', 'currency'],
  fixed: ['slug'],
  given: { id: Id },
  schema: 'StoreResource',
  deletion:
    'The store can no longer be read, its rules and by-hand listings go, its feed ends, and no webhook tells of it any more. Its slug is not given out again. The default store, and one that a webhook endpoint or channel file is for, can not be deleted.',
} as const satisfies AccountResource

export const GROUPS = {
  path: 'groups',
  noun: 'customer group',
  key: byId('customer group'),
  fields: { name: Text },
  required: ['name'],
  fixed: [],
  given: { id: Id, is_default: Flag },
  schema: 'GroupResource',
  deletion: 'Its prices leave every payload; rules for it alone go with it. The default group can not be deleted.',
} as const satisfies AccountResource

export const RATES = {
  path: 'rates',
  noun: 'exchange rate',
  key: { name: 'currency', isText: true, description: 'ISO 4217.' },
  fields: {
    currency: Text,
    rate: Decimal(
      'How many units of this currency one unit of the account’s currency buys; above 0, at most 12 digits after the point.',
    ),
  },
  required: ['currency', 'rate'],
  fixed: ['currency'],
  given: {},
  schema: 'RateResource',
  deletion: 'Offers and stores in that currency have no price until there is a rate again.',
} as const satisfies AccountResource

export const CATEGORIES = {
  path: 'categories',
  noun: 'category',
  key: byId('category'),
  fields: {
    path: Type.String({ description: 'Levels joined by /, such as Tools/Hand tools. Rules name categories by it.' }),
    supplier_paths: Type.Array(Text, {
      description: 'Suppliers’ paths that stand for it, each with all below it; the longest that fits counts.',
    }),
  },
  required: ['path'],
  fixed: [],
  given: { id: Id },
  schema: 'CategoryResource',
  deletion:
    'Products that were in it by a supplier’s path fall back to that path; what rules and products name by hand stays as it is.',
} as const satisfies AccountResource

export const ATTRIBUTES = {
  path: 'attributes',
  noun: 'attribute definition',
  key: { name: 'key', isText: true, description: 'The attribute’s key.' },
  fields: {
    key: Text,
    unit: orNull(Text, 'must be a text'),
    units: ByLocale('Locale -> unit; unit is for locales that are not named.'),
    position: Type.Integer({ description: 'Attributes are shown by position, then by key.' }),
    labels: ByLocale('Locale -> label, without the unit.'),
    options: Type.Union([Type.Record(Text, ByLocale('Locale -> text shown.')), Null], {
      description: 'Value as suppliers state it -> locale -> text shown.',
      ...must('must be an object of value, locale and text, or null'),
    }),
  },
  required: ['key'],
  fixed: ['key'],
  given: {},
  schema: 'AttributeResource',
  deletion: 'The attribute is shown by its key, without unit and translations, where a product has it.',
} as const satisfies AccountResource

export const SUPPLIERS = {
  path: 'suppliers',
  noun: 'supplier',
  key: { name: 'code', isText: true, description: 'The supplier’s code.' },
  fields: {
    code: Type.String({ description: '1 to 63 of a-z, 0-9 and -. Never changes.' }),
    name: Text,
    currency: Type.String({ description: 'Of costs that state none (ISO 4217).' }),
    priority: Priority,
    safety_buffer: Type.Integer({ description: 'Pieces taken off every quantity it reports.' }),
    is_active: Type.Boolean({
      description: 'The offers of an inactive supplier do not compete; its texts serve where nobody else has any.',
    }),
  },
  required: ['code', 'name', 'currency'],
  fixed: ['code', 'currency'],
  given: { id: Id },
  schema: 'SupplierResource',
  deletion:
    'Its offers, texts, images and EANs count nowhere any more, at once; products stay. Rules for it alone go with it. Its code may be used again, by another supplier.',
} as const satisfies AccountResource

export const PRICING_RULES = {
  path: 'pricing-rules',
  noun: 'pricing rule',
  key: byId('pricing rule'),
  fields: {
    name: Text,
    priority: Priority,
    is_active: Flag,
    store_ids: Ids('Stores it is for; null: all.'),
    group_ids: Ids('Customer groups it is for; null: all.'),
    product_ids: Ids('Products it is for; null: all.'),
    supplier_ids: Ids('Suppliers whose cost it prices; null: any.'),
    manufacturers: Names('Manufacturers, letter case aside; null: any.'),
    categories: Names('Categories, each with all below it; null: any.'),
    cost_min: Amount('Cost in the account’s currency: at least this.'),
    cost_below: Amount('Cost in the account’s currency: less than this.'),
    valid_from: orNull(
      Type.String({ description: 'First day, in the account’s time zone.' }),
      'must be a day such as 2026-11-30',
    ),
    valid_to: orNull(Type.String({ description: 'Last day.' }), 'must be a day such as 2026-11-30'),
    action: Type.Union(
      [Type.Literal('markup'), Type.Literal('margin'), Type.Literal('fixed')],
      must('must be markup, margin or fixed'),
    ),
    percent: Amount('markup: percent of the cost on top of it; margin: percent of the price that is not cost.'),
    fixed_price: Amount('The price, with the action fixed.'),
    addition: Amount('Added to the price.'),
    floor_margin_percent: Amount('The lowest share of the price, in percent, that must not be cost.'),
    floor_profit: Amount('The least that must be left over the cost.'),
    floor_price: Amount('The price is not lower.'),
    ceiling_price: Amount('The price is not higher, unless a floor says so.'),
    currency: orNull(Type.String({ description: 'Of the amounts; null: the account’s.' }), 'must be an ISO 4217 code'),
    rounding: Type.Union(
      [
        Type.Record(
          Text,
          Type.Union(
            [
              Type.Object(
                optional({
                  step: Decimal('Above 0.'),
                  ending: Decimal('0 or more and below the step: 0.99 with step 1 gives 12.99.'),
                  direction: Type.Union(
                    [Type.Literal('up'), Type.Literal('down'), Type.Literal('nearest')],
                    must('must be up, down or nearest'),
                  ),
                }),
                closed,
              ),
              Null,
            ],
            must('must be an object of step, ending and direction, or null'),
          ),
        ),
        Null,
      ],
      {
        description:
          'Currency of the store -> how its prices are rounded: step, ending and direction, all three. A patch of one that stands may name some of them.',
        ...must('must be an object by currency, or null'),
      },
    ),
  },
  required: ['name', 'action'],
  fixed: [],
  given: { id: Id, is_default: Flag },
  schema: 'PricingRuleResource',
  deletion: 'What it priced is priced by the next rule that matches. The default rule can not be deleted.',
} as const satisfies AccountResource

export const EXCLUSION_RULES = {
  path: 'exclusion-rules',
  noun: 'exclusion rule',
  key: byId('exclusion rule'),
  fields: {
    name: Text,
    kind: OneOf(
      [
        'manufacturer',
        'category',
        'supplier',
        'no_ean',
        'no_title',
        'no_image',
        'no_price',
        'no_stock',
        'price_below',
        'price_above',
        'margin_below',
      ],
      must(
        'must be manufacturer, category, supplier, no_ean, no_title, no_image, no_price, no_stock, price_below, price_above or margin_below',
      ),
    ),
    reason: Type.String({ description: 'What clients read as exclusion_reason; the kind unless stated.' }),
    priority: Priority,
    is_active: Flag,
    store_ids: Ids('Stores it is for; null: all.'),
    names: Names('Manufacturers, or categories with all below them.'),
    supplier_ids: Ids('Suppliers, with the kind supplier.'),
    amount: Amount('A price of the default customer group, or a margin in percent.'),
    currency: orNull(
      Type.String({ description: 'Of a price bound; null: the account’s.' }),
      'must be an ISO 4217 code',
    ),
  },
  required: ['name', 'kind'],
  fixed: [],
  given: { id: Id },
  schema: 'ExclusionRuleResource',
  deletion: 'What it excluded is exported again, unless something else excludes it.',
} as const satisfies AccountResource

export const ASSORTMENT_RULES = {
  path: 'assortment-rules',
  noun: 'assortment rule',
  key: byId('assortment rule'),
  fields: {
    name: Text,
    store_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The store whose catalog it decides.',
    }),
    is_listed: Type.Boolean({ description: 'Whether the store lists what it matches.' }),
    priority: Priority,
    is_active: Flag,
    supplier_ids: Ids('Any of these suppliers offers the product; null: any.'),
    manufacturers: Names('Manufacturers, letter case aside; null: any.'),
    categories: Names('Categories, each with all below it; null: any.'),
  },
  required: ['name', 'store_id', 'is_listed'],
  fixed: ['store_id'],
  given: { id: Id },
  schema: 'AssortmentRuleResource',
  deletion: 'The next rule that matches decides, or the store’s default; products that leave are removed there.',
} as const satisfies AccountResource

export const SOURCE_ORDERS = {
  path: 'source-orders',
  noun: 'source order',
  key: {
    name: 'field',
    isText: true,
    description: 'title, description, manufacturer, category, images, attributes, ean or sku.',
  },
  fields: {
    field: Text,
    supplier_ids: Type.Array(Id, {
      minItems: 1,
      description: 'Suppliers that are asked first for the field, in this order; the others follow by their priority.',
    }),
  },
  required: ['field', 'supplier_ids'],
  fixed: ['field'],
  given: {},
  schema: 'SourceOrderResource',
  deletion: 'The field is taken from suppliers by their priority again.',
} as const satisfies AccountResource

export const CHANNELS = {
  path: 'channels',
  noun: 'channel file',
  key: byId('channel file'),
  fields: {
    name: Text,
    store: Type.String({ description: 'Slug of the store whose catalog it is.' }),
    format: Type.Union([Type.Literal('google'), Type.Literal('csv')], {
      description: 'Google Merchant XML, or CSV.',
      ...must('must be google or csv'),
    }),
    group_id: Type.Union([Id, Null], {
      description: 'Whose prices; null: the default customer group’s.',
      ...must('must be an id, or null'),
    }),
    link_template: orNull(
      Type.String({ description: 'Address of a product’s page in the shop, with {sku}, {id} and {ean}.' }),
      'must be an address',
    ),
  },
  required: ['name', 'store', 'format'],
  fixed: ['store', 'format'],
  given: { id: Id },
  schema: 'ChannelResource',
  once: {
    url: Type.Optional(
      Type.String({
        description:
          'The secret address; shown once, and absent where the answer is repeated under an Idempotency-Key.',
      }),
    ),
  },
  deletion: 'Its address stops at once.',
} as const satisfies AccountResource

/** Small collections, all with the same grammar. */
export const ACCOUNT_RESOURCES: readonly AccountResource[] = [
  STORES,
  GROUPS,
  RATES,
  CATEGORIES,
  ATTRIBUTES,
  SUPPLIERS,
  SOURCE_ORDERS,
  PRICING_RULES,
  EXCLUSION_RULES,
  ASSORTMENT_RULES,
  CHANNELS,
]

export { Amount, ByLocale, closed, Decimal, echoed, Flag, Id, must, Null, optional, orNull, resettable, Text }
