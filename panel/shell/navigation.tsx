import { spotlight } from '@mantine/spotlight'
import { Kbd } from '../components/kbd.tsx'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SearchIcon } from '../design/icons.tsx'
import type { OwnAccount } from '../session/account.ts'
import { AccountSwitch } from './account-switch.tsx'
import { Brand } from './brand.tsx'
import classes from './navigation.module.css'
import { addressOf, placesOf } from './places.ts'

const GROUPS = ['account', 'webhooks', 'access', 'own'] as const
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The pages. `isBare`: without the brand, which is above already. */
export function Navigation({ account, isBare = false }: { account: OwnAccount | null; isBare?: boolean }) {
  const { t } = useTranslation('shell')
  const places = placesOf(account).filter(({ isHidden }) => isHidden !== true)
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
        {GROUPS.map((group) => {
          const links = places.filter((place) => place.group === group)
          if (links.length === 0) return null
          return (
            <div key={group}>
              {group === 'account' ? null : <div className={classes.group}>{t(`groups.${group}`)}</div>}
              <ul className={classes.links}>
                {links.map((place) => (
                  <li key={place.name}>
                    <Link to={addressOf(place, account?.id ?? 0)} className={classes.link}>
                      <place.icon size={16} />
                      {t(`places.${place.name}`)}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </nav>
    </div>
  )
}
