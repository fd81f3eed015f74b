import { useSyncExternalStore } from 'react'

// Whether the person is being asked to confirm that it is them. Requests that need it at the same time wait for one answer.

type Answered = (isConfirmed: boolean) => void

let waiting: readonly Answered[] = []
const listeners = new Set<() => void>()

function wait(next: readonly Answered[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

/** Asks. @returns whether the person has confirmed */
export function askToConfirm(): Promise<boolean> {
  return new Promise((resolve) => wait([...waiting, resolve]))
}

/** Ends asking. */
export function answerConfirmation(isConfirmed: boolean): void {
  const answered = waiting
  wait([])
  for (const answer of answered) answer(isConfirmed)
}

export function useIsConfirming(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting.length > 0,
  )
}
