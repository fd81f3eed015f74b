import { Burger, Drawer } from '@mantine/core'
import { Link, Outlet, useLocation, useParams, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFocusReturn } from '../components/dialog.tsx'
import { InFrame } from '../components/plain.tsx'
import { CurrentAccount, keepAccount, lastAccount, type OwnAccount } from '../session/account.ts'
import { useIsConfirming } from '../session/confirming.ts'
import { AccountTimeZone } from '../words/format.ts'
import { Brand, Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'
import classes from './shell.module.css'
import { MissingAccount } from '../pages/missing/missing.tsx'
import { SecondFactorNeeded } from '../pages/missing/second-factor.tsx'
import { Suspended } from '../pages/missing/suspended.tsx'
import { useSession } from '../session/session.ts'

const ConfirmQuestion = lazy(async () => ({
  default: (await import('../session/confirm-question.tsx')).ConfirmQuestion,
}))

/** The frame of every page of a signed-in person. `account`: the one in the address, or the one opened last. */
function Shell({ account }: { account: OwnAccount | null }) {
  const { t } = useTranslation('shell')
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  useEffect(() => setOpen(false), [pathname])
  useFocusOnNewPage()
  const isConfirming = useIsConfirming()
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
        {isConfirming ? (
          <Suspense>
            <ConfirmQuestion />
          </Suspense>
        ) : null}
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

/** After a change of page the title gets the focus, so that the next Tab continues from there. */
function useFocusOnNewPage(): void {
  // the resolved location, because the previous page is shown until then
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const last = useRef(pathname)
  useEffect(() => {
    const before = last.current
    last.current = pathname
    // after a full page load the browser's own focus is kept
    if (before === undefined || before === pathname) return undefined
    const frame = requestAnimationFrame(() => {
      // if the page has already set the focus itself, it stays there
      if (document.activeElement !== null && document.activeElement.closest('main, [role="dialog"]') !== null) return
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [pathname])
}

/** The frame with the account of the address, or on pages without one, with the account that was opened last. */
export function SignedIn() {
  const session = useSession()
  const { account: id } = useParams({ strict: false })
  const named = session.accounts.find((own) => String(own.id) === id)
  useEffect(() => {
    if (named !== undefined) keepAccount(named)
  }, [named])
  if (id !== undefined && named === undefined) return <MissingAccount />
  if (named !== undefined && named.suspended !== null) return <Suspended account={named} />
  if (named?.needs_second_factor === true) return <SecondFactorNeeded account={named} />
  const account = named ?? lastAccount(session)
  const isOpen = account !== undefined && !account.needs_second_factor && account.suspended === null
  return <Shell account={isOpen ? account : null} />
}
