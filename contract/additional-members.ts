// Optional members of the product payload that were added after the first release and for which every product has a value. A payload contains those
// that the account's `additional_members` names, by default none, so that the payloads of existing accounts stay the same, byte for byte.
//
// Each member has its schema in schemas.ts, its value in src/resolve/content/additional-members.ts (a member of prices in
// src/resolve/prices/price.ts), and its words for the panel below `account.members` of resources.json; tsc and the panel's tests name what is
// missing. The panel builds its form from this table at run time, so this file imports nothing.

/** Each member with its description, in the order in which payloads have them. */
export const ADDITIONAL_MEMBERS = {
  eans: 'all EANs of the product, the primary one first',
  image_details:
    'for each picture its alternative text, size, type and hash, and whether this service serves a copy of it',
  created_at: 'when the product was created',
  slug: 'the product’s name in the URLs of the store’s shop, which stays when the title changes',
  updated_at: 'when anything except prices and stock last changed',
  prices_is_default:
    'is_default in each price: whether it is the public price, which is that of the default customer group',
} as const satisfies Record<string, string>

export type AdditionalMember = keyof typeof ADDITIONAL_MEMBERS

/** Members of each entry of `prices`. Choosing them changes the price half only. */
export const PRICE_MEMBERS = ['prices_is_default'] as const satisfies readonly AdditionalMember[]
export type PriceMember = (typeof PRICE_MEMBERS)[number]

/** Members of the product itself. */
export type ContentMember = Exclude<AdditionalMember, PriceMember>

export const ADDITIONAL_MEMBER_NAMES = Object.keys(ADDITIONAL_MEMBERS) as readonly AdditionalMember[]

export const isAdditionalMember = (name: string): name is AdditionalMember => Object.hasOwn(ADDITIONAL_MEMBERS, name)

/** All names with their descriptions, for texts that list the allowed names. */
export const describeAdditionalMembers = (): string =>
  ADDITIONAL_MEMBER_NAMES.map((name) => `${name}: ${ADDITIONAL_MEMBERS[name]}`).join('; ')
