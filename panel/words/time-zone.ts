import { createContext, useContext } from 'react'

/** The account's time zone; the browser's before one is signed in. */
export const AccountTimeZone = createContext(Intl.DateTimeFormat().resolvedOptions().timeZone)

export function useAccountTimeZone(): string {
  return useContext(AccountTimeZone)
}
