import {
  AuditIcon,
  DeliveriesIcon,
  EndpointsIcon,
  FindingsIcon,
  KeyIcon,
  NoticesIcon,
  OverviewIcon,
  PeopleIcon,
  PersonIcon,
  PricingIcon,
  ProductsIcon,
  SettingsIcon,
  StoresIcon,
  SuppliersIcon,
  type Icon,
} from '../design/icons.tsx'

// The pages and actions, from which the navigation and the command palette are built.

/** Sections of the navigation in their order, with their icons. The pages of a section are listed while one of them is open. */
export const GROUPS = {
  overview: OverviewIcon,
  products: ProductsIcon,
  suppliers: SuppliersIcon,
  pricing: PricingIcon,
  stores: StoresIcon,
  webhooks: EndpointsIcon,
  findings: FindingsIcon,
  account: SettingsIcon,
} as const satisfies Record<string, Icon>
export type Group = keyof typeof GROUPS

interface Place {
  /** Key of its name in the words of the shell. */
  name:
    | 'overview'
    | 'catalog'
    | 'stock'
    | 'categories'
    | 'attributes'
    | 'skus'
    | 'suppliers'
    | 'source-orders'
    | 'pricing'
    | 'price-lists'
    | 'held-prices'
    | 'groups'
    | 'rates'
    | 'tax-classes'
    | 'stores'
    | 'channels'
    | 'endpoints'
    | 'deliveries'
    | 'notices'
    | 'notice-channels'
    | 'findings'
    | 'account'
    | 'tokens'
    | 'people'
    | 'audit'
    | 'limits'
    | 'profile'
    | 'settings'
  icon: Icon
  /** The path; for pages of an account it is relative to the account's. */
  path: string
  /** `own`: pages of the person, which are always listed. */
  group: Group | 'own'
  isOwnersOnly?: true
}

export const PLACES: readonly Place[] = [
  { name: 'overview', icon: OverviewIcon, path: 'overview', group: 'overview' },
  { name: 'catalog', icon: ProductsIcon, path: 'catalog', group: 'products' },
  { name: 'stock', icon: ProductsIcon, path: 'stock', group: 'products' },
  { name: 'categories', icon: ProductsIcon, path: 'categories', group: 'products' },
  { name: 'attributes', icon: ProductsIcon, path: 'attributes', group: 'products' },
  { name: 'skus', icon: ProductsIcon, path: 'skus', group: 'products' },
  { name: 'suppliers', icon: SuppliersIcon, path: 'suppliers', group: 'suppliers' },
  { name: 'source-orders', icon: SuppliersIcon, path: 'source-orders', group: 'suppliers' },
  { name: 'pricing', icon: PricingIcon, path: 'pricing', group: 'pricing' },
  { name: 'price-lists', icon: PricingIcon, path: 'price-lists', group: 'pricing' },
  { name: 'held-prices', icon: PricingIcon, path: 'held-prices', group: 'pricing' },
  { name: 'groups', icon: PricingIcon, path: 'groups', group: 'pricing' },
  { name: 'rates', icon: PricingIcon, path: 'rates', group: 'pricing' },
  { name: 'tax-classes', icon: PricingIcon, path: 'tax-classes', group: 'pricing' },
  { name: 'stores', icon: StoresIcon, path: 'stores', group: 'stores' },
  { name: 'channels', icon: StoresIcon, path: 'channels', group: 'stores' },
  { name: 'endpoints', icon: EndpointsIcon, path: 'endpoints', group: 'webhooks' },
  { name: 'deliveries', icon: DeliveriesIcon, path: 'deliveries', group: 'webhooks' },
  { name: 'notices', icon: NoticesIcon, path: 'notices', group: 'webhooks' },
  { name: 'notice-channels', icon: NoticesIcon, path: 'notice-channels', group: 'webhooks' },
  { name: 'findings', icon: FindingsIcon, path: 'findings', group: 'findings' },
  { name: 'account', icon: SettingsIcon, path: 'account', group: 'account' },
  { name: 'tokens', icon: KeyIcon, path: 'tokens', group: 'account' },
  { name: 'people', icon: PeopleIcon, path: 'people', group: 'account' },
  { name: 'limits', icon: SettingsIcon, path: 'limits', group: 'account' },
  { name: 'audit', icon: AuditIcon, path: 'audit', group: 'account', isOwnersOnly: true },
  { name: 'profile', icon: PersonIcon, path: '/profile', group: 'own' },
  { name: 'settings', icon: SettingsIcon, path: '/settings', group: 'own' },
]

export interface Action {
  /** Key of its words in those of the palette. */
  name:
    | 'newToken'
    | 'newEndpoint'
    | 'newStore'
    | 'newSupplier'
    | 'newGroup'
    | 'newPriceList'
    | 'newRate'
    | 'newCategory'
    | 'newAttribute'
    | 'newChannel'
    | 'mapPaths'
  icon: Icon
  path: string
  search: Readonly<Record<string, unknown>>
  isOwnersOnly?: true
}

/** Actions of the palette besides opening pages: each opens a page with a form or window on it. */
export const ACTIONS: readonly Action[] = [
  { name: 'newToken', icon: KeyIcon, path: 'tokens', search: { new: true }, isOwnersOnly: true },
  { name: 'newEndpoint', icon: EndpointsIcon, path: 'endpoints', search: { new: true } },
  { name: 'newStore', icon: StoresIcon, path: 'stores', search: { new: true } },
  { name: 'newSupplier', icon: SuppliersIcon, path: 'suppliers', search: { new: true } },
  { name: 'newGroup', icon: PricingIcon, path: 'groups', search: { new: true } },
  { name: 'newPriceList', icon: PricingIcon, path: 'price-lists', search: { new: true } },
  { name: 'newRate', icon: PricingIcon, path: 'rates', search: { new: true } },
  { name: 'newCategory', icon: ProductsIcon, path: 'categories', search: { new: true } },
  { name: 'newAttribute', icon: ProductsIcon, path: 'attributes', search: { new: true } },
  { name: 'newChannel', icon: StoresIcon, path: 'channels', search: { new: true } },
  { name: 'mapPaths', icon: ProductsIcon, path: 'categories', search: { tab: 'paths' } },
]

/** The path of a page or action in the panel. */
export function addressOf(place: { path: string }, accountId: number): string {
  return place.path.startsWith('/') ? place.path : `/${accountId}/${place.path}`
}

const isFor = (role: string | undefined, { isOwnersOnly }: { isOwnersOnly?: true }) =>
  isOwnersOnly !== true || role === 'owner'

/** The pages that a person with this role may open. */
export function placesOf(account: { role: string } | null): readonly Place[] {
  return PLACES.filter((place) => (account !== null || place.group === 'own') && isFor(account?.role, place))
}

/** The actions that a person with this role may take in an account. */
export function actionsOf(account: { role: string }): readonly Action[] {
  return ACTIONS.filter((action) => isFor(account.role, action))
}
