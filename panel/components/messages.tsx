import { ActionIcon } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { CloseIcon } from '../design/icons.tsx'
import classes from './messages.module.css'

// Short messages of success. An error is shown where it occurred, and stays.

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

/** Shows for a few seconds that something was done. */
export function showMessage(text: string): void {
  change([...messages, { id: ++last, text }])
}

const end = (id: number) => change(messages.filter((message) => message.id !== id))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * The place of messages: over the navigation, where they cover no content. They are read out, and Escape closes them.
 * Render it once.
 */
export function Messages() {
  const shown = useSyncExternalStore(subscribe, () => messages)
  const isShown = shown.length > 0
  useEffect(() => {
    if (!isShown) return undefined
    const escape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') change([])
    }
    document.addEventListener('keydown', escape)
    return () => document.removeEventListener('keydown', escape)
  }, [isShown])
  return (
    <div className={classes.messages} role="status" aria-atomic={false}>
      {shown.map((message) => (
        <Shown key={message.id} message={message} />
      ))}
    </div>
  )
}

/** A message disappears after a while, but not while it has the pointer or the focus. */
function Shown({ message: { id, text } }: { message: Message }) {
  const { t } = useTranslation()
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => end(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isHeld])
  return (
    <div
      className={classes.message}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>{text}</p>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('closeMessage')} onClick={() => end(id)}>
        <CloseIcon size={14} />
      </ActionIcon>
    </div>
  )
}
