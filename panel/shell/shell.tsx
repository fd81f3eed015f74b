import { Burger, Drawer } from '@mantine/core'
import { Link, Outlet, useLocation, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFocusReturn } from '../components/focus.ts'
import { InFrame } from '../components/frame.ts'
import { CurrentAccount, type OwnAccount } from '../session/account.ts'
import { AccountTimeZone } from '../words/time-zone.ts'
import { Brand } from './brand.tsx'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'
import classes from './shell.module.css'

/** What surrounds every page of somebody who is signed in. `account`: the one in the address, or the one looked at last. */
export function Shell({ account }: { account: OwnAccount | null }) {
  const { t } = useTranslation('shell')
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  useEffect(() => setOpen(false), [pathname])
  useFocusOnNewPage()
  return (
    <CurrentAccount value={account}>
      <AccountTimeZone value={account?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}>
        <a className={classes.skip} href="#content">
          {t('skip')}
        </a>
        <div className={classes.shell}>
          <aside className={classes.side}>
            <Navigation account={account} />
          </aside>
          <nav className={classes.top} aria-label={t('menu')}>
            <Burger opened={isOpen} onClick={() => setOpen(!isOpen)} size="sm" aria-label={t('menu')} />
            <Link to="/" className={classes.home} aria-label={t('home')}>
              <Brand />
            </Link>
          </nav>
          <main id="content" className={classes.main} tabIndex={-1}>
            <InFrame value>
              <Outlet />
            </InFrame>
          </main>
        </div>
        {isOpen ? <MenuDrawer account={account} close={() => setOpen(false)} /> : null}
        <Palette account={account} />
      </AccountTimeZone>
    </CurrentAccount>
  )
}

/** The navigation on a phone. */
function MenuDrawer({ account, close }: { account: OwnAccount | null; close: () => void }) {
  const { t } = useTranslation()
  useFocusReturn()
  return (
    <Drawer
      opened
      onClose={close}
      returnFocus={false}
      size={280}
      padding={0}
      title={<Brand />}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ header: classes.drawerHead, content: classes.drawer }}
    >
      <Navigation account={account} isBare />
    </Drawer>
  )
}

/** After a change of page the focus is at its title, so that the next Tab goes on from there. */
function useFocusOnNewPage(): void {
  // once it is shown: until then the page before is
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const last = useRef(pathname)
  useEffect(() => {
    const before = last.current
    last.current = pathname
    // a page that was loaded begins at its beginning
    if (before === undefined || before === pathname) return undefined
    const frame = requestAnimationFrame(() => {
      // what the page itself has put the focus on stays
      if (document.activeElement !== null && document.activeElement.closest('main, [role="dialog"]') !== null) return
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [pathname])
}
