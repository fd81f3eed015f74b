import { useState } from 'react'

// Whether the first steps of an account were dismissed in this browser.

const keyOf = (accountId: number) => `shelfwire.steps-left.${accountId}`

export function useLeft(accountId: number): [boolean, (isLeft: boolean) => void] {
  const [isLeft, setLeft] = useState(() => localStorage.getItem(keyOf(accountId)) !== null)
  return [
    isLeft,
    (left) => {
      if (left) localStorage.setItem(keyOf(accountId), 'left')
      else localStorage.removeItem(keyOf(accountId))
      setLeft(left)
    },
  ]
}
