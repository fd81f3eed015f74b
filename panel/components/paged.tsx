import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Pages, ReadPages } from '../api/read-pages.ts'
import classes from './paged.module.css'
import { ProblemNote } from './problem-note.tsx'
import { Sheet } from './toolbar.tsx'
import { Waiting } from './waiting.tsx'

/** A list that is read page by page, with the button for further rows. */
export function Paged<T>({
  query,
  more,
  children,
}: {
  query: Pages<T>
  /** The button's words, where further rows are not older ones. */
  more?: string
  children: (rows: readonly T[]) => ReactNode
}) {
  const { rows, query: state } = query
  return (
    <>
      {state.isError ? <ProblemNote error={state.error} retry={() => void state.refetch()} /> : null}
      {rows === undefined && state.isError ? null : (
        <Sheet>{rows === undefined ? <Waiting lines={8} /> : children(rows)}</Sheet>
      )}
      <More query={state} {...(more === undefined ? {} : { words: more })} />
    </>
  )
}

/** The button that reads the next page, while there is one. */
export function More({ query, words }: { query: ReadPages<unknown>['query']; words?: string }) {
  const { t } = useTranslation()
  if (!query.hasNextPage) return null
  return (
    <div className={classes.more}>
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {words ?? t('more')}
      </Button>
    </div>
  )
}
