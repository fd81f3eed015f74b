import { camel, type Camel } from './field-names.ts'

// The conditions of pricing and assortment rules. These tables are the only place that lists them. Derived from them are the schema of a rule,
// columns in statements, checks, options of the command, reasons of explain, the panel's form, and the table in docs/rules.md.
// docs/how-to/add-a-condition.md lists the steps to add one. The panel imports this file at run time, so it imports nothing but names.

/** The form of a condition's value, and how it is compared with the fact. */
export type Form =
  /** IDs; the fact must be one of them. */
  | 'ids'
  /** Names; letter case is ignored. */
  | 'names'
  /** Paths of categories, each with all below it. */
  | 'paths'
  /** A decimal: the fact must be at least this, or below it. */
  | 'number'
  /** A day: the first one or the last one. */
  | 'day'

interface FactTraits {
  form: Form
  /** Whether it is a fact about a product, or about the place and day of the price, which is the same for all products. */
  of: 'product' | 'place'
  /**
   * A rule may have ten thousand of its values: they are read separately from the rule, and count towards rule_bytes.
   */
  isLong?: true
  /** The most digits before and after the decimal point. */
  digits?: { whole: number; fraction: number }
  /** Whether a number is an amount in the account's currency. */
  isMoney?: true
}

/**
 * The facts that conditions test, in the order in which the panel shows them. All of them are known when only the price half of a product is
 * resolved; with a fact of the content half, sweeps of prices would have to resolve whole products (`isPriceAlone` in src/resolve/compile.ts).
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
/** Facts about the place and day, and those that are an ID. */
export type PlaceFact = FactsWith<{ of: 'place' }>
export type ReferenceFact = FactsWith<{ form: 'ids' }>
export type FormOf<F extends Fact> = (typeof FACTS)[F]['form']

/**
 * The kinds of rules that share these conditions. Those of exclusion rules depend on their kind (exclusion-kinds.ts).
 */
type RuleKind = 'pricing' | 'assortment'

interface Texts {
  /** Its description in the schema of the rule. */
  description: string
  /** In the help of the command, and in docs/rules.md. */
  help: string
  /** An addition for docs/rules.md. */
  note?: string
}

interface ConditionTraits {
  fact: Fact
  /** For a number or a day, the side of the condition on which the fact must be. */
  bound?: 'from' | 'below' | 'to'
  /** For an upper bound, the name of the lower one, which must not exceed it. */
  lower?: string
  /** The kinds of rules that may have it, with its texts there. */
  pricing?: Texts
  assortment?: Texts
}

/** Each condition by its name in the API, which is also its column, in the order of the API. */
const CONDITIONS = {
  store_ids: {
    fact: 'store',
    pricing: { description: 'IDs of the stores that the rule applies to; null: all.', help: 'only these stores' },
  },
  group_ids: {
    fact: 'group',
    pricing: {
      description: 'IDs of the customer groups that the rule applies to; null: all.',
      help: 'only these customer groups',
    },
  },
  product_ids: {
    fact: 'product',
    pricing: { description: 'IDs of the products that the rule applies to; null: all.', help: 'only these products' },
  },
  supplier_ids: {
    fact: 'supplier',
    pricing: {
      description: 'IDs of the suppliers whose costs the rule applies to; null: any.',
      help: 'only costs of these suppliers',
      note: 'own cost has no supplier, so such a rule does not match while own stock with a cost lasts',
    },
    assortment: {
      description: 'IDs of suppliers, at least one of which must offer the product; null: any.',
      help: 'products with an offer of any of these suppliers',
    },
  },
  manufacturers: {
    fact: 'manufacturer',
    pricing: {
      description: 'Manufacturers that the rule applies to, ignoring letter case; null: any.',
      help: 'only these manufacturers',
      note: 'letter case aside',
    },
    assortment: {
      description: 'Manufacturers that the rule applies to, ignoring letter case; null: any.',
      help: 'these manufacturers',
    },
  },
  categories: {
    fact: 'category',
    pricing: {
      description: 'Paths of the categories that the rule applies to, including all categories below them; null: any.',
      help: 'only these categories and those below them',
      note: '`Garden` also matches `garden/Soil`',
    },
    assortment: {
      description: 'Paths of the categories that the rule applies to, including all categories below them; null: any.',
      help: 'these categories and those below them',
    },
  },
  cost_min: {
    fact: 'cost',
    bound: 'from',
    pricing: {
      description: 'Minimum cost, in the account’s currency; null: none.',
      help: 'only costs of at least this, in the account’s currency',
    },
  },
  cost_below: {
    fact: 'cost',
    bound: 'below',
    lower: 'cost_min',
    pricing: {
      description: 'Upper limit of the cost, exclusive, in the account’s currency; null: none.',
      help: 'only costs below this',
      note: 'tiers that meet have neither a gap nor an overlap',
    },
  },
  valid_from: {
    fact: 'day',
    bound: 'from',
    pricing: {
      description: 'First day of the rule, such as 2026-11-27, in the account’s time zone; null: no first day.',
      help: 'first day, such as 2026-11-27, in the account’s time zone',
    },
  },
  valid_to: {
    fact: 'day',
    bound: 'to',
    lower: 'valid_from',
    pricing: {
      description: 'Last day of the rule, inclusive, in the account’s time zone; null: no last day.',
      help: 'last day',
      note: 'included',
    },
  },
} as const satisfies Record<string, ConditionTraits>

type Name = keyof typeof CONDITIONS
type FactNamed<N extends Name> = (typeof CONDITIONS)[N]['fact']
/** The names of a kind's conditions. */
export type ConditionOf<K extends RuleKind> = K extends RuleKind
  ? { [N in Name]: (typeof CONDITIONS)[N] extends Record<K, Texts> ? N : never }[Name]
  : never
/** The facts that a kind's conditions test. */
export type FactOf<K extends RuleKind> = FactNamed<ConditionOf<K>>

interface Values {
  ids: readonly number[]
  names: readonly string[]
  paths: readonly string[]
  number: string
  day: string
}
/** The value of a condition in the code. */
export type ConditionValue = Values[Form]
type ValueNamed<N extends Name> = Values[FormOf<FactNamed<N>>] | null
/**
 * The conditions of a rule in the code: null matches everything, and all must match. Decimals are texts in the account's currency; days
 * are `YYYY-MM-DD` in the account's time zone.
 */
export type ConditionsOf<K extends RuleKind> = { [N in ConditionOf<K> as Camel<N>]: ValueNamed<N> }
/** Conditions that may have many values. */
export type LongConditionsOf<K extends RuleKind> = {
  [N in ConditionOf<K> as FactNamed<N> extends FactsWith<{ isLong: true }> ? Camel<N> : never]: ValueNamed<N>
}
/** Any conditions, by their names in the code. */
export type AnyConditions = { [N in Name as Camel<N>]?: ValueNamed<N> }

/** Names of a kind's conditions of one form. */
export type ConditionWith<K extends RuleKind, F extends Form> = {
  [N in ConditionOf<K>]: FormOf<FactNamed<N>> extends F ? N : never
}[ConditionOf<K>]
/** Facts for which a rule may state a range of numbers. */
export type RangeFact = {
  [N in Name]: (typeof CONDITIONS)[N] extends { lower: string }
    ? Extract<FactNamed<N>, FactsWith<{ form: 'number' }>>
    : never
}[Name]
export type FormNamed<N extends Name> = FormOf<FactNamed<N>>

/** The name that `explain` gives to a condition that does not match: for a list the fact, for a bound its own name. */
type ReasonNamed<N extends Name> = (typeof CONDITIONS)[N] extends { bound: string } ? N : FactNamed<N>
export type ReasonOf<K extends RuleKind> = { [N in ConditionOf<K>]: ReasonNamed<N> }[ConditionOf<K>]

type OfFact<F extends Fact> = FactTraits & (typeof FACTS)[F] & { fact: F }
export type Condition<K extends RuleKind = RuleKind> = { [F in FactOf<K>]: OfFact<F> }[FactOf<K>] & {
  /** In the API; also the column. */
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
export const RULE_CONDITIONS = { pricing: PRICING_CONDITIONS, assortment: ASSORTMENT_CONDITIONS } as const

/** The names of a kind's conditions of one form. */
export const namesWith = <K extends RuleKind, F extends Form>(kind: K, form: F) =>
  (RULE_CONDITIONS[kind] as readonly Condition[])
    .filter((condition) => condition.form === form)
    .map(({ name }) => name as ConditionWith<K, F>)

/** A kind's conditions grouped by fact, so that the bounds of a range are together. */
export const conditionsByFact = <K extends RuleKind>(kind: K): (readonly Described<K>[])[] =>
  (Object.keys(FACTS) as Fact[])
    .map((fact) => (RULE_CONDITIONS[kind] as unknown as readonly Described<K>[]).filter((one) => one.fact === fact))
    .filter(({ length }) => length > 0)

/** A rule's conditions with nothing set. */
export const noConditions = <K extends RuleKind>(kind: K) =>
  Object.fromEntries(RULE_CONDITIONS[kind].map(({ field }) => [field, null])) as {
    readonly [N in ConditionOf<K> as Camel<N>]: null
  }

/**
 * Reasons why a pricing rule does not apply, in the order in which `explain` reports them: first those that are the same
 * for all products.
 */
export const PRICE_REASONS = [
  'active' as const,
  ...PRICING_CONDITIONS.filter(({ of }) => of === 'place').map(({ reason }) => reason),
  ...PRICING_CONDITIONS.filter(({ of }) => of === 'product').map(({ reason }) => reason),
  'rate' as const,
]
export type PriceReason = (typeof PRICE_REASONS)[number]
