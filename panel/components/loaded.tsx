import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'
import { useTranslation } from 'react-i18next'
import classes from './waiting.module.css'
import emptyClasses from './empty.module.css'

/** The result of a query; until it is there, that it is being loaded, or why it failed. Old data stays while newer is fetched. */
export function Loaded<T>({
  query,
  lines = 4,
  children,
}: {
  query: UseQueryResult<T>
  lines?: number
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined)
    return (
      <>
        {query.isError ? <ProblemNote error={query.error} retry={() => void query.refetch()} /> : null}
        {children(query.data)}
      </>
    )
  if (query.isError) return <ProblemNote error={query.error} retry={() => void query.refetch()} />
  return <Waiting lines={lines} />
}

const WIDTHS = ['72%', '58%', '66%', '49%', '61%', '54%']

/** A placeholder while content is loading; shown only when that takes longer than 300 ms. */
export function Waiting({ lines = 4 }: { lines?: number }) {
  const { t } = useTranslation()
  return (
    <div className={classes.waiting} role="status" aria-label={t('waiting')}>
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} className={classes.line} style={{ width: WIDTHS[i % WIDTHS.length] }} />
      ))}
    </div>
  )
}

/** What is here instead of nothing: one sentence on what would be here, and the button that brings it. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={emptyClasses.empty}>
      <p>{children}</p>
      {action === undefined ? null : <div className={emptyClasses.action}>{action}</div>}
    </div>
  )
}
