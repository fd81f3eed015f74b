// The budgets of an account: the most that it may have and do. They are declared only here: settings, the command `shelfwire account
// limits`, GET /v1/account/limits, the panel's page, refusals and the table of docs/operations.md are derived from this table.

/**
 * `stock`: how many of something exist; `rate`: how many are done within `per`; `concurrent`: how many at the same moment,
 * in each process.
 */
export type BudgetKind = 'stock' | 'rate' | 'concurrent'
export type BudgetPeriod = 'second' | 'minute' | 'hour'

interface Declared {
  kind: BudgetKind
  unit: 'count' | 'bytes'
  /** Only for rates. */
  per?: BudgetPeriod
  /** The limit, unless the operator has set another one for the account or for all accounts (ACCOUNT_LIMITS). */
  default: number
  description: string
}

/** Every budget by its name, in the order in which lists show them. */
export const BUDGETS = {
  products: { kind: 'stock', unit: 'count', default: 2_000_000, description: 'Products.' },
  offers: {
    kind: 'stock',
    unit: 'count',
    default: 5_000_000,
    description: 'Offers of all suppliers, except those that were deleted or have been missing from files for 30 days.',
  },
  overrides: {
    kind: 'stock',
    unit: 'count',
    default: 10_000_000,
    description: 'Values that the account sets on products itself: texts, pictures, attributes and other fields.',
  },
  stores: { kind: 'stock', unit: 'count', default: 100, description: 'Stores.' },
  groups: { kind: 'stock', unit: 'count', default: 50, description: 'Customer groups.' },
  suppliers: { kind: 'stock', unit: 'count', default: 1_000, description: 'Suppliers.' },
  sources: { kind: 'stock', unit: 'count', default: 1_000, description: 'Sources of suppliers’ files.' },
  pricing_rules: { kind: 'stock', unit: 'count', default: 10_000, description: 'Pricing rules.' },
  exclusion_rules: { kind: 'stock', unit: 'count', default: 1_000, description: 'Exclusion rules.' },
  assortment_rules: { kind: 'stock', unit: 'count', default: 1_000, description: 'Assortment rules.' },
  rule_bytes: {
    kind: 'stock',
    unit: 'bytes',
    default: 100_663_296,
    description:
      'Values that the account’s rules name, such as manufacturers and categories: the length of each value, plus 32 bytes.',
  },
  attribute_bytes: {
    kind: 'stock',
    unit: 'bytes',
    default: 16_777_216,
    description: 'Labels, units and options of all attribute definitions, as JSON.',
  },
  category_bytes: {
    kind: 'stock',
    unit: 'bytes',
    default: 16_777_216,
    description: 'Paths, suppliers’ paths, names and external IDs of all categories.',
  },
  endpoints: { kind: 'stock', unit: 'count', default: 20, description: 'Webhook endpoints.' },
  tokens: { kind: 'stock', unit: 'count', default: 100, description: 'Tokens that are not revoked.' },
  members: { kind: 'stock', unit: 'count', default: 100, description: 'Members and open invitations.' },
  pictures: {
    kind: 'stock',
    unit: 'count',
    default: 2_000_000,
    description: 'Stored pictures. Further pictures of suppliers are not copied, and are shown from their source.',
  },
  picture_bytes: {
    kind: 'stock',
    unit: 'bytes',
    default: 25_000_000_000,
    description:
      'Size of the stored pictures. Further pictures of suppliers are not copied, and are shown from their source.',
  },
  import_file_bytes: {
    kind: 'stock',
    unit: 'bytes',
    default: 20_000_000_000,
    description: 'Size of the import files that are kept, as they were sent; each is kept for seven days.',
  },
  imports_per_hour: {
    kind: 'rate',
    unit: 'count',
    per: 'hour',
    default: 2_000,
    description: 'Imports that are started.',
  },
  operations_per_hour: {
    kind: 'rate',
    unit: 'count',
    per: 'hour',
    default: 2_000,
    description: 'Operations that are started: large bulk writes and previews of all products.',
  },
  rows_per_minute: {
    kind: 'rate',
    unit: 'count',
    per: 'minute',
    default: 3_000_000,
    description:
      'Rows that are written: each row of a bulk write, one for any other write over the API, and offers that imports write. Imports wait instead of being refused.',
  },
  requests_per_second: {
    kind: 'rate',
    unit: 'count',
    per: 'second',
    default: 500,
    description: 'Requests with all tokens and sessions of the account together; twice as many can be sent at once.',
  },
  concurrent_requests: {
    kind: 'concurrent',
    unit: 'count',
    default: 200,
    description: 'Requests that one process answers at the same time, except long polls that wait.',
  },
} as const satisfies Readonly<Record<string, Declared>>

export type BudgetName = keyof typeof BUDGETS
export type Budget = Declared

export const BUDGET_NAMES = Object.keys(BUDGETS) as readonly BudgetName[]

export const budgetOf = (name: BudgetName): Budget => BUDGETS[name]

export const isBudgetName = (text: string): text is BudgetName => Object.hasOwn(BUDGETS, text)

/** The owner is warned when this share of a budget is used. */
export const NEAR_SHARE = 0.8

/** The largest limit that can be set. */
export const AMOUNT_MAX = Number.MAX_SAFE_INTEGER
