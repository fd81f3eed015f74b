import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { pendingQuestion, isAnythingUnsaved, isKeptFrom, onPendingQuestion } from './unsaved.ts'

const UnsavedDialog = lazy(async () => ({ default: (await import('./unsaved-dialog.tsx')).UnsavedDialog }))

/** Asks before typed text is lost. Rendered once for the whole panel. */
export function UnsavedQuestion() {
  const asked = useSyncExternalStore(onPendingQuestion, pendingQuestion)
  useBlocker({
    // a person who was signed out cannot stay on the page
    shouldBlockFn: ({ current, next }) => !next.pathname.endsWith('/sign-in') && isKeptFrom(next, current),
    enableBeforeUnload: isAnythingUnsaved,
  })
  // windows are not in the first page's files; the navigation's frame has loaded them by now
  return asked === null ? null : (
    <Suspense>
      <UnsavedDialog asked={asked} />
    </Suspense>
  )
}
