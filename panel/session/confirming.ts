import { useSyncExternalStore } from 'react'

// The state of asking a person to confirm. Concurrent requests that need a confirmation wait for the same answer.

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

/** Answers all waiting requests. */
export function answerConfirmation(isConfirmed: boolean): void {
  const answered = waiting
  wait([])
  for (const answer of answered) answer(isConfirmed)
}

/** Whether the person is being asked to confirm. */
export function useIsConfirming(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting.length > 0,
  )
}
