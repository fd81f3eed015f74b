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

const GHOST_ROWS = 3

/**
 * What is here instead of nothing: one sentence on what would be here, and the button that brings it. With the headings of a list the
 * shape of its rows is shown above, without saying anything.
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
