import {
  AuditIcon,
  ComponentsIcon,
  DeliveriesIcon,
  EndpointsIcon,
  KeyIcon,
  NoticesIcon,
  OverviewIcon,
  PeopleIcon,
  PersonIcon,
  PricingIcon,
  ProductsIcon,
  SettingsIcon,
  type Icon,
} from '../design/icons.tsx'

// Where one can go: the navigation and the command palette are made of this table.

interface Place {
  /** Key of its name in the words of the shell. */
  name:
    | 'overview'
    | 'catalog'
    | 'pricing'
    | 'endpoints'
    | 'deliveries'
    | 'notices'
    | 'tokens'
    | 'people'
    | 'audit'
    | 'profile'
    | 'settings'
    | 'components'
  icon: Icon
  /** The address; below the account's for those of an account. */
  path: string
  group: 'account' | 'webhooks' | 'access' | 'own'
  isOwnersOnly?: true
  /** Only in the palette. */
  isHidden?: true
}

export const PLACES: readonly Place[] = [
  { name: 'overview', icon: OverviewIcon, path: 'overview', group: 'account' },
  { name: 'catalog', icon: ProductsIcon, path: 'catalog', group: 'account' },
  { name: 'pricing', icon: PricingIcon, path: 'pricing', group: 'account' },
  { name: 'endpoints', icon: EndpointsIcon, path: 'endpoints', group: 'webhooks' },
  { name: 'deliveries', icon: DeliveriesIcon, path: 'deliveries', group: 'webhooks' },
  { name: 'notices', icon: NoticesIcon, path: 'notices', group: 'webhooks' },
  { name: 'tokens', icon: KeyIcon, path: 'tokens', group: 'access' },
  { name: 'people', icon: PeopleIcon, path: 'people', group: 'access' },
  { name: 'audit', icon: AuditIcon, path: 'audit', group: 'access', isOwnersOnly: true },
  { name: 'profile', icon: PersonIcon, path: '/profile', group: 'own' },
  { name: 'settings', icon: SettingsIcon, path: '/settings', group: 'own' },
  { name: 'components', icon: ComponentsIcon, path: '/components', group: 'own', isHidden: true },
]

export function addressOf(place: Place, accountId: number): string {
  return place.path.startsWith('/') ? place.path : `/${accountId}/${place.path}`
}

/** The places that somebody may go to. */
export function placesOf(account: { role: string } | null): readonly Place[] {
  return PLACES.filter(
    (place) =>
      (account !== null || place.group === 'own') && (place.isOwnersOnly !== true || account?.role === 'owner'),
  )
}
