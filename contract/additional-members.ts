// Members of the product payload that came after the first release and that every product has a value for. An account has those that
// `additional_members` names, and none unless it does: what accounts read that were there before stays what it was, byte for byte.
// Each has its schema in schemas.ts, its value in src/resolve/content/additional-members.ts (a member of prices in src/resolve/prices/price.ts), and in the panel its
// words below `account.members` of resources.json; tsc and the panel's tests name what is missing. Imports nothing: the panel makes its form of this table.

/** What each is, in the order in which payloads have them. */
export const ADDITIONAL_MEMBERS = {
  eans: 'all EANs of the product, the primary one first',
  image_details: 'of each picture what it shows, its size and type, and whether it is our copy',
  created_at: 'when the product was made',
  slug: 'its address in the store’s shop, which stays when the title changes',
  updated_at: 'when anything else of it than prices and stock last changed',
  prices_is_default: 'is_default of each price: whether it is the public one, of the default customer group',
} as const satisfies Record<string, string>

export type AdditionalMember = keyof typeof ADDITIONAL_MEMBERS

/** Those that each entry of `prices` has: a choice of them changes the price half alone. */
export const PRICE_MEMBERS = ['prices_is_default'] as const satisfies readonly AdditionalMember[]
export type PriceMember = (typeof PRICE_MEMBERS)[number]

/** Those that the product itself has, by their own names. */
export type ContentMember = Exclude<AdditionalMember, PriceMember>

export const ADDITIONAL_MEMBER_NAMES = Object.keys(ADDITIONAL_MEMBERS) as readonly AdditionalMember[]

export const isAdditionalMember = (name: string): name is AdditionalMember => Object.hasOwn(ADDITIONAL_MEMBERS, name)

/** For texts that say what may be named. */
export const describeAdditionalMembers = (): string =>
  ADDITIONAL_MEMBER_NAMES.map((name) => `${name}: ${ADDITIONAL_MEMBERS[name]}`).join('; ')
