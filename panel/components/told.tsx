import { useSyncExternalStore } from 'react'
import classes from './told.module.css'

// Short messages that something was done. What failed is told where it failed, and stays.

interface Message {
  id: number
  text: string
}

const SHOWN_MS = 4_000
let messages: readonly Message[] = []
let last = 0
const listeners = new Set<() => void>()

function change(next: readonly Message[]): void {
  messages = next
  for (const listener of listeners) listener()
}

/** Says that something was done, for a few seconds. */
export function tell(text: string): void {
  const id = ++last
  change([...messages, { id, text }])
  setTimeout(() => change(messages.filter((message) => message.id !== id)), SHOWN_MS)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where messages appear; screen readers read them out. Once in the document. */
export function Told() {
  const shown = useSyncExternalStore(subscribe, () => messages)
  return (
    <div className={classes.told} role="status">
      {shown.map(({ id, text }) => (
        <p key={id} className={classes.message}>
          {text}
        </p>
      ))}
    </div>
  )
}
