import {
  Bell,
  Boxes,
  CircleUser,
  Gauge,
  KeyRound,
  ListTree,
  Palette as PaletteIcon,
  ScrollText,
  SlidersHorizontal,
  UsersRound,
  Webhook,
  type LucideIcon,
} from 'lucide-react'

// Where one can go: the navigation and the command palette are made of this table.

interface Place {
  /** Key of its name in the words of the shell. */
  name:
    | 'overview'
    | 'catalog'
    | 'endpoints'
    | 'deliveries'
    | 'notices'
    | 'tokens'
    | 'people'
    | 'audit'
    | 'profile'
    | 'settings'
    | 'components'
  icon: LucideIcon
  /** The address; below the account's for those of an account. */
  path: string
  group: 'account' | 'webhooks' | 'access' | 'own'
  isOwnersOnly?: true
  /** Only in the palette. */
  isHidden?: true
}

export const PLACES: readonly Place[] = [
  { name: 'overview', icon: Gauge, path: 'overview', group: 'account' },
  { name: 'catalog', icon: Boxes, path: 'catalog', group: 'account' },
  { name: 'endpoints', icon: Webhook, path: 'endpoints', group: 'webhooks' },
  { name: 'deliveries', icon: ListTree, path: 'deliveries', group: 'webhooks' },
  { name: 'notices', icon: Bell, path: 'notices', group: 'webhooks' },
  { name: 'tokens', icon: KeyRound, path: 'tokens', group: 'access' },
  { name: 'people', icon: UsersRound, path: 'people', group: 'access' },
  { name: 'audit', icon: ScrollText, path: 'audit', group: 'access', isOwnersOnly: true },
  { name: 'profile', icon: CircleUser, path: '/profile', group: 'own' },
  { name: 'settings', icon: SlidersHorizontal, path: '/settings', group: 'own' },
  { name: 'components', icon: PaletteIcon, path: '/components', group: 'own', isHidden: true },
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
