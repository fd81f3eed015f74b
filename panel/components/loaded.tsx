import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'
import { useTranslation } from 'react-i18next'
import classes from './waiting.module.css'
import emptyClasses from './empty.module.css'

/** Shows the result of a query; before that, a placeholder or the error. Old data stays visible while newer data is read. */
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

/** A placeholder while content is loading. It is shown only after 300 ms. */
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

const GHOST_ROWS = 3

/**
 * Shown if there is no content: one sentence about it, and the button that creates it. With `headings`, an outline of the list is
 * shown above, which is not read out.
 */
export function Empty({
  children,
  action,
  headings,
}: {
  children: ReactNode
  action?: ReactNode
  headings?: readonly string[]
}) {
  return (
    <div className={emptyClasses.empty}>
      {headings === undefined ? null : (
        <div className={emptyClasses.ghost} aria-hidden="true">
          {Array.from({ length: GHOST_ROWS }, (_, row) => (
            <div key={row} className={emptyClasses.row}>
              {headings.map((heading, i) => (
                <span key={heading}>
                  {row === 0 ? <small>{heading}</small> : null}
                  <i style={{ width: WIDTHS[(row * 2 + i) % WIDTHS.length] }} />
                </span>
              ))}
            </div>
          ))}
        </div>
      )}
      <p>{children}</p>
      {action === undefined ? null : <div className={emptyClasses.action}>{action}</div>}
    </div>
  )
}
