import { useState } from 'react'

// Whether the first steps of an account were dismissed in this browser.

const keyOf = (accountId: number) => `shelfwire.steps-left.${accountId}`

export function useStepsDismissed(accountId: number): [boolean, (isDismissed: boolean) => void] {
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(keyOf(accountId)) !== null)
  return [
    isDismissed,
    (isNow) => {
      if (isNow) localStorage.setItem(keyOf(accountId), 'left')
      else localStorage.removeItem(keyOf(accountId))
      setDismissed(isNow)
    },
  ]
}
