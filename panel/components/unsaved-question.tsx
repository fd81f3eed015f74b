import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { askedNow, isAnythingUnsaved, isKeptFrom, onAsked } from './unsaved.ts'

const UnsavedDialog = lazy(async () => ({ default: (await import('./unsaved-dialog.tsx')).UnsavedDialog }))

/** Asks before something that was typed is lost; once for the whole panel. */
export function UnsavedQuestion() {
  const asked = useSyncExternalStore(onAsked, askedNow)
  useBlocker({
    // who has been signed out cannot stay
    shouldBlockFn: ({ current, next }) => !next.pathname.endsWith('/sign-in') && isKeptFrom(next, current),
    enableBeforeUnload: isAnythingUnsaved,
  })
  // windows are no part of the first page's files; the navigation's frame has loaded them
  return asked === null ? null : (
    <Suspense>
      <UnsavedDialog asked={asked} />
    </Suspense>
  )
}
