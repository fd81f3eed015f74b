import { createContext, useContext } from 'react'
import type { Session } from './session.ts'

export type OwnAccount = Session['accounts'][number]

/** The account in the page's address. */
export const CurrentAccount = createContext<OwnAccount | null>(null)

export function useAccount(): OwnAccount {
  const account = useContext(CurrentAccount)
  if (account === null) throw new Error('this page is about an account')
  return account
}

/** The path parameters of routes of the account. */
export function useAccountParams(): { account_id: number } {
  return { account_id: useAccount().id }
}

export function useIsOwner(): boolean {
  return useAccount().role === 'owner'
}

const KEPT_AS = 'shelfwire.account'

/** The account that was opened last in this browser, or the first one. */
export function lastAccount(session: Session): OwnAccount | undefined {
  const kept = localStorage.getItem(KEPT_AS)
  return session.accounts.find(({ id }) => String(id) === kept) ?? session.accounts[0]
}

/** Remembers the account that was opened last. */
export function keepAccount(account: OwnAccount): void {
  localStorage.setItem(KEPT_AS, String(account.id))
}
