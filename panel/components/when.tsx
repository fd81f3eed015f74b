import { useTranslation } from 'react-i18next'
import { useFormats } from '../words/format.ts'
import { useSyncExternalStore } from 'react'

/** How long ago a moment was, or is to come; the exact one on hover. `at` is RFC 3339. */
export function When({ at, empty = '–' }: { at: string | null; empty?: string }) {
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

/** When something will happen automatically. If the time has passed already, "any moment" is shown and not "2 minutes ago". */
export function Due({ at }: { at: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const moment = new Date(at)
  if (moment > useNow()) return <When at={at} />
  return (
    <time dateTime={at} title={format.exact(moment)}>
      {t('anyMoment')}
    </time>
  )
}

// One clock for everything that says how long ago something was.

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

/** The time, renewed every ten seconds; what arrives between two ticks may be a little ahead of it. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => now)
}
