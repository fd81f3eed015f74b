import { camel, type Camel } from './field-names.ts'

// The conditions of pricing and assortment rules. Everything that names a condition is derived from these tables: the schema of a rule, columns in
// statements, checks, options of the command, reasons of explain, the panel's form, the table in docs/rules.md. docs/how-to/add-a-condition.md
// says what is left to do for a new one. The panel runs this file, too: it imports nothing but names.

/** What a condition has, and what it is compared with. */
export type Form =
  /** IDs; the fact must be one of them. */
  | 'ids'
  /** Names, letter case aside. */
  | 'names'
  /** Paths of categories, each with all below it. */
  | 'paths'
  /** A decimal that the fact is at least, or is below. */
  | 'number'
  /** A day that is the first one or the last one. */
  | 'day'

interface FactTraits {
  form: Form
  /** Whether it is a fact about a product, or about where and when its price is made, which is the same for all products. */
  of: 'product' | 'place'
  /** Rules may have ten thousand values of it: they are read apart from the rule, and counted in rule_bytes. */
  isLong?: true
  /** The digits of a number before and after the decimal point. */
  digits?: { whole: number; fraction: number }
  /** Whether a number is an amount in the account's currency. */
  isMoney?: true
}

/**
 * What conditions look at, in the order in which the panel shows them. All of it is known where the price half of a product is resolved; what only
 * the content half knows would make sweeps of prices resolve whole products (`isPriceAlone` in src/resolve/compile.ts).
 */
const FACTS = {
  category: { form: 'paths', of: 'product', isLong: true },
  manufacturer: { form: 'names', of: 'product', isLong: true },
  supplier: { form: 'ids', of: 'product' },
  cost: { form: 'number', of: 'product', digits: { whole: 15, fraction: 6 }, isMoney: true },
  store: { form: 'ids', of: 'place' },
  group: { form: 'ids', of: 'place' },
  day: { form: 'day', of: 'place' },
  product: { form: 'ids', of: 'product', isLong: true },
} as const satisfies Record<string, FactTraits>

export type Fact = keyof typeof FACTS
export const isFact = (name: string): name is Fact => Object.hasOwn(FACTS, name)
type FactsWith<Traits> = { [F in Fact]: (typeof FACTS)[F] extends Traits ? F : never }[Fact]
/** Facts about the place, and those that are an id. */
export type PlaceFact = FactsWith<{ of: 'place' }>
export type ReferenceFact = FactsWith<{ form: 'ids' }>
export type FormOf<F extends Fact> = (typeof FACTS)[F]['form']

/** The kinds of rules that have conditions; those of exclusion rules depend on their kind (exclusion-kinds.ts). */
type RuleKind = 'pricing' | 'assortment'

interface Texts {
  /** In the schema of the rule. */
  description: string
  /** In the help of the command, and in docs/rules.md. */
  help: string
  /** What docs/rules.md says beside that. */
  note?: string
}

interface ConditionTraits {
  fact: Fact
  /** For a number or a day, on which side of the condition the fact must be. */
  bound?: 'from' | 'below' | 'to'
  /** For an upper bound, the lower one, which it must not contradict. */
  lower?: string
  /** The kinds of rules that may have it, with its texts there. */
  pricing?: Texts
  assortment?: Texts
}

/** Each condition by its name in the API, which is also its column; in the order in which the API has them. */
const CONDITIONS = {
  store_ids: {
    fact: 'store',
    pricing: { description: 'Stores it is for; null: all.', help: 'only these stores' },
  },
  group_ids: {
    fact: 'group',
    pricing: { description: 'Customer groups it is for; null: all.', help: 'only these customer groups' },
  },
  product_ids: {
    fact: 'product',
    pricing: { description: 'Products it is for; null: all.', help: 'only these products' },
  },
  supplier_ids: {
    fact: 'supplier',
    pricing: {
      description: 'Suppliers whose cost it prices; null: any.',
      help: 'only costs of these suppliers',
      note: 'own cost has no supplier, so such a rule does not match while own stock with a cost lasts',
    },
    assortment: {
      description: 'Any of these suppliers offers the product; null: any.',
      help: 'products with an offer of any of these suppliers',
    },
  },
  manufacturers: {
    fact: 'manufacturer',
    pricing: {
      description: 'Manufacturers, letter case aside; null: any.',
      help: 'only these manufacturers',
      note: 'letter case aside',
    },
    assortment: { description: 'Manufacturers, letter case aside; null: any.', help: 'these manufacturers' },
  },
  categories: {
    fact: 'category',
    pricing: {
      description: 'Categories, each with all below it; null: any.',
      help: 'only these categories and those below them',
      note: '`Garden` also matches `garden/Soil`',
    },
    assortment: {
      description: 'Categories, each with all below it; null: any.',
      help: 'these categories and those below them',
    },
  },
  cost_min: {
    fact: 'cost',
    bound: 'from',
    pricing: {
      description: 'Cost in the account’s currency: at least this.',
      help: 'only costs of at least this, in the account’s currency',
    },
  },
  cost_below: {
    fact: 'cost',
    bound: 'below',
    lower: 'cost_min',
    pricing: {
      description: 'Cost in the account’s currency: less than this.',
      help: 'only costs below this',
      note: 'tiers that meet have neither a gap nor an overlap',
    },
  },
  valid_from: {
    fact: 'day',
    bound: 'from',
    pricing: {
      description: 'First day, in the account’s time zone.',
      help: 'first day, such as 2026-11-27, in the account’s time zone',
    },
  },
  valid_to: {
    fact: 'day',
    bound: 'to',
    lower: 'valid_from',
    pricing: { description: 'Last day.', help: 'last day', note: 'included' },
  },
} as const satisfies Record<string, ConditionTraits>

type Name = keyof typeof CONDITIONS
type FactNamed<N extends Name> = (typeof CONDITIONS)[N]['fact']
/** The names of a kind's conditions. */
export type ConditionOf<K extends RuleKind> = K extends RuleKind
  ? { [N in Name]: (typeof CONDITIONS)[N] extends Record<K, Texts> ? N : never }[Name]
  : never
/** What they look at. */
export type FactOf<K extends RuleKind> = FactNamed<ConditionOf<K>>

interface Values {
  ids: readonly number[]
  names: readonly string[]
  paths: readonly string[]
  number: string
  day: string
}
export type ConditionValue = Values[Form]
type ValueNamed<N extends Name> = Values[FormOf<FactNamed<N>>] | null
/**
 * The conditions of a rule as the code has them: null matches anything, all must match. Decimals are texts, days are `YYYY-MM-DD`, both in
 * the account's currency and time zone.
 */
export type ConditionsOf<K extends RuleKind> = { [N in ConditionOf<K> as Camel<N>]: ValueNamed<N> }
/** Those that may be long. */
export type LongConditionsOf<K extends RuleKind> = {
  [N in ConditionOf<K> as FactNamed<N> extends FactsWith<{ isLong: true }> ? Camel<N> : never]: ValueNamed<N>
}
/** Any conditions, by the fields of the code. */
export type AnyConditions = { [N in Name as Camel<N>]?: ValueNamed<N> }

/** Names of conditions of one form, of a kind of rule. */
export type ConditionWith<K extends RuleKind, F extends Form> = {
  [N in ConditionOf<K>]: FormOf<FactNamed<N>> extends F ? N : never
}[ConditionOf<K>]
/** Facts for which a rule may state a range of numbers. */
export type RangeFact = {
  [N in Name]: (typeof CONDITIONS)[N] extends { lower: string }
    ? Extract<FactNamed<N>, FactsWith<{ form: 'number' }>>
    : never
}[Name]
/** The form of a condition. */
export type FormNamed<N extends Name> = FormOf<FactNamed<N>>

/** What `explain` calls a condition that is not met: a list by its fact, a bound by its own name. */
type ReasonNamed<N extends Name> = (typeof CONDITIONS)[N] extends { bound: string } ? N : FactNamed<N>
export type ReasonOf<K extends RuleKind> = { [N in ConditionOf<K>]: ReasonNamed<N> }[ConditionOf<K>]

type OfFact<F extends Fact> = FactTraits & (typeof FACTS)[F] & { fact: F }
/** A condition of a kind of rule. */
export type Condition<K extends RuleKind = RuleKind> = { [F in FactOf<K>]: OfFact<F> }[FactOf<K>] & {
  /** In the API, and the column. */
  name: ConditionOf<K>
  /** In the code. */
  field: Camel<ConditionOf<K>>
  reason: ReasonOf<K>
  bound: ConditionTraits['bound']
  lower: ConditionOf<K> | undefined
}
type Described<K extends RuleKind> = Condition<K> & { texts: Texts }

/** Every condition, of any kind of rule. */
export const EVERY_CONDITION = Object.entries<ConditionTraits>(CONDITIONS).map(([name, { fact, bound, lower }]) => {
  const traits: FactTraits = FACTS[fact]
  const reason = bound === undefined ? fact : name
  return { ...traits, fact, bound, lower, name, field: camel(name), reason } as unknown as Condition
})

function conditionsOf<K extends RuleKind>(kind: K): readonly Described<K>[] {
  return EVERY_CONDITION.flatMap((condition) => {
    const { [kind]: texts }: ConditionTraits = CONDITIONS[condition.name]
    return texts === undefined ? [] : [{ ...condition, texts } as unknown as Described<K>]
  })
}

export const PRICING_CONDITIONS = conditionsOf('pricing')
export const ASSORTMENT_CONDITIONS = conditionsOf('assortment')
/** By kind of rule. */
export const RULE_CONDITIONS = { pricing: PRICING_CONDITIONS, assortment: ASSORTMENT_CONDITIONS } as const

/** The names of those of a form. */
export const namesWith = <K extends RuleKind, F extends Form>(kind: K, form: F) =>
  (RULE_CONDITIONS[kind] as readonly Condition[])
    .filter((condition) => condition.form === form)
    .map(({ name }) => name as ConditionWith<K, F>)

/** The conditions of a kind by what they look at: the bounds of a range are together. */
export const conditionsByFact = <K extends RuleKind>(kind: K): (readonly Described<K>[])[] =>
  (Object.keys(FACTS) as Fact[])
    .map((fact) => (RULE_CONDITIONS[kind] as unknown as readonly Described<K>[]).filter((one) => one.fact === fact))
    .filter(({ length }) => length > 0)

/** No conditions. */
export const noConditions = <K extends RuleKind>(kind: K) =>
  Object.fromEntries(RULE_CONDITIONS[kind].map(({ field }) => [field, null])) as {
    readonly [N in ConditionOf<K> as Camel<N>]: null
  }

/** Why a pricing rule does not apply, in the order in which `explain` says so: what is the same for all products first. */
export const PRICE_REASONS = [
  'active' as const,
  ...PRICING_CONDITIONS.filter(({ of }) => of === 'place').map(({ reason }) => reason),
  ...PRICING_CONDITIONS.filter(({ of }) => of === 'product').map(({ reason }) => reason),
  'rate' as const,
]
export type PriceReason = (typeof PRICE_REASONS)[number]
