import { useTranslation } from 'react-i18next'
import { useFormats } from '../words/format.ts'
import { useSyncExternalStore } from 'react'

/** How long ago a moment was, or how far ahead it is; on hover the exact time. `at` is RFC 3339. */
export function RelativeTime({ at, empty = '–' }: { at: string | null; empty?: string }) {
  const format = useFormats()
  const now = useNow()
  if (at === null) return <span>{empty}</span>
  const moment = new Date(at)
  return (
    <time dateTime={at} title={format.exact(moment)}>
      {format.relative(moment, now)}
    </time>
  )
}

/** When something will happen automatically. If that time has passed, shows "any moment" instead of "2 minutes ago". */
export function Due({ at }: { at: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const moment = new Date(at)
  if (moment > useNow()) return <RelativeTime at={at} />
  return (
    <time dateTime={at} title={format.exact(moment)}>
      {t('anyMoment')}
    </time>
  )
}

// One clock for all relative times.

const TICK_MS = 10_000
let now = new Date()
const listeners = new Set<() => void>()

setInterval(() => {
  now = new Date()
  for (const listener of listeners) listener()
}, TICK_MS)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The current time, updated every ten seconds. Times that arrive between two updates may be slightly later than it. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => now)
}
