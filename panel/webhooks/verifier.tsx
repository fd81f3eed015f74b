import { lazy, Suspense } from 'react'
import { Waiting } from '../components/loaded.tsx'

const VerifierTabs = lazy(() => import('./verifier-tabs.tsx'))

/** The verifiers, loaded lazily, because they contain the whole guide. */
export function Verifier() {
  return (
    <Suspense fallback={<Waiting />}>
      <VerifierTabs />
    </Suspense>
  )
}
