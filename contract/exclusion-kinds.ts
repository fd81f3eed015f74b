// The kinds of exclusion rule. These tables are the only place that lists the kinds. Derived from them are: the schema of a rule, which members
// it must and must not have, the command's help, the kinds that src/resolve/rules/exclusion.ts matches, and the panel's form. The panel imports
// this file at run time, so it imports nothing.

/** What a kind needs: nothing, or one member of the rule. Every other kind refuses that member. */
interface Need {
  member: 'names' | 'supplier_ids' | 'amount' | null
  /** What the member contains. */
  description: string
  /** For names: what they are compared with. */
  names?: 'manufacturers' | 'categories'
  /** For an amount: its digits before and after the decimal point, its lowest value, and whether it is money. */
  amount?: {
    whole: number
    fraction: number
    min?: string
    /** Whether the amount is in the rule's currency (by default the account's), and is converted to the store's. */
    hasCurrency: boolean
  }
}

const NEEDS = {
  nothing: { member: null, description: '' },
  manufacturers: { member: 'names', names: 'manufacturers', description: 'manufacturers' },
  categories: { member: 'names', names: 'categories', description: 'categories (with all below them)' },
  suppliers: { member: 'supplier_ids', description: 'suppliers of the best offer' },
  price: {
    member: 'amount',
    description: 'a price of the default customer group',
    amount: { whole: 15, fraction: 6, min: '0', hasCurrency: true },
  },
  margin: {
    member: 'amount',
    description: 'a margin in percent',
    amount: { whole: 8, fraction: 4, hasCurrency: false },
  },
} satisfies Record<string, Need>

/** Each kind and what it needs. */
const KINDS = {
  manufacturer: 'manufacturers',
  category: 'categories',
  supplier: 'suppliers',
  no_ean: 'nothing',
  no_title: 'nothing',
  no_image: 'nothing',
  no_category: 'nothing',
  no_price: 'nothing',
  no_stock: 'nothing',
  price_below: 'price',
  price_above: 'price',
  margin_below: 'margin',
} as const satisfies Record<string, keyof typeof NEEDS>

export type ExclusionKind = keyof typeof KINDS
export const EXCLUSION_KINDS = Object.keys(KINDS) as ExclusionKind[]
export type NeedName = keyof typeof NEEDS

/** The name of what a kind needs; `nothing` for an unknown kind. */
export const needNameOf = (kind: string): NeedName =>
  Object.hasOwn(KINDS, kind) ? KINDS[kind as ExclusionKind] : 'nothing'

/** What a kind needs; `NEEDS.nothing` for an unknown kind. */
export const needOf = (kind: string): Need => NEEDS[needNameOf(kind)]

/** The contents of a member, joined from all kinds that need it: "manufacturers, or categories, with all categories below them". */
export function describeMember(member: Need['member']): string {
  return Object.values(NEEDS)
    .filter((need) => need.member === member)
    .map((need) => need.description)
    .join(', or ')
}
