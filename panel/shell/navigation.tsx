import { spotlight } from '@mantine/spotlight'
import { Kbd } from '../components/kbd.tsx'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SearchIcon } from '../design/icons.tsx'
import type { OwnAccount } from '../session/account.ts'
import { AccountSwitch } from './account-switch.tsx'
import classes from './navigation.module.css'
import { addressOf, type Group, GROUPS, placesOf } from './places.ts'
import { Sign } from '../components/plain.tsx'
import shellClasses from './shell.module.css'

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The pages. `isBare`: without the brand, which is shown above. */
export function Navigation({ account, isBare = false }: { account: OwnAccount | null; isBare?: boolean }) {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const id = account?.id ?? 0
  const groups = Object.keys(GROUPS) as Group[]
  const places = placesOf(account)
  return (
    <div className={classes.navigation}>
      {isBare ? null : (
        <div className={classes.brand}>
          <Brand />
        </div>
      )}
      <AccountSwitch account={account} />
      <button type="button" className={classes.search} onClick={() => spotlight.open()}>
        <SearchIcon size={14} />
        {t('palette.open')}
        <Kbd>{IS_MAC ? '⌘K' : 'Ctrl K'}</Kbd>
      </button>
      <nav aria-label={t('navigation')}>
        <ul className={classes.links}>
          {groups.map((group) => {
            const own = places.filter((place) => place.group === group)
            const [first] = own
            if (first === undefined) return null
            const isHere = own.some((place) => isAt(pathname, addressOf(place, id)))
            const GroupIcon = GROUPS[group]
            return (
              <li key={group}>
                <Link
                  to={addressOf(first, id)}
                  className={`${classes.link} ${isHere ? classes.here : ''}`}
                  activeOptions={{ exact: own.length > 1 }}
                >
                  <GroupIcon size={16} />
                  {t(`groups.${group}`)}
                </Link>
                {isHere && own.length > 1 ? (
                  <ul className={classes.places}>
                    {own.map((place) => (
                      <li key={place.name}>
                        <Link to={addressOf(place, id)} className={classes.link}>
                          {t(`places.${place.name}`)}
                        </Link>
                      </li>
                    ))}
                  </ul>
                ) : null}
              </li>
            )
          })}
        </ul>
        <div className={classes.group}>{t('groups.own')}</div>
        <ul className={classes.links}>
          {places
            .filter(({ group }) => group === 'own')
            .map((place) => (
              <li key={place.name}>
                <Link to={addressOf(place, id)} className={classes.link}>
                  <place.icon size={16} />
                  {t(`places.${place.name}`)}
                </Link>
              </li>
            ))}
        </ul>
      </nav>
    </div>
  )
}

/** Whether a page, or one below it, is open. */
const isAt = (pathname: string, address: string) => pathname === address || pathname.startsWith(`${address}/`)

/** The logo and the name. */
export function Brand() {
  return (
    <span className={shellClasses.brand}>
      <Sign size={20} />
      Shelfwire
    </span>
  )
}
