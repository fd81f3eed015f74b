import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReadPages } from '../api/read-pages.ts'
import { List, type ListProps } from './list.tsx'
import { ProblemNote } from './problem-note.tsx'
import classes from './read-list.module.css'
import { Sheet } from './page.tsx'
import { Waiting } from './loaded.tsx'

/** How the reading of rows stands; those that are read page by page have more of them. */
type Reading = Pick<ReadPages<unknown>['query'], 'isError' | 'error' | 'refetch'> &
  Partial<Pick<ReadPages<unknown>['query'], 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>>

/**
 * The one mechanism of lists: rows that are read, at once or page by page. Until they are there, that they are being loaded, or why
 * that failed; then the list, or what is shown in place of no rows; and the button for further ones. Old rows stay while newer are read.
 */
export function ReadList<T>({
  query,
  rows,
  more,
  lines = 8,
  isInSection = false,
  isReadOn = false,
  ...list
}: Omit<ListProps<T>, 'rows' | 'reachEnd'> & {
  query: Reading
  /** What was read; undefined: nothing yet. */
  rows: readonly T[] | undefined
  /** The words of the button for further rows, where they are not older ones. */
  more?: string
  /** So many lines stand for rows that are not there yet. */
  lines?: number
  /** A section has borders of its own. */
  isInSection?: boolean
  /** Further rows are read when the last ones come into sight, too. */
  isReadOn?: boolean
}) {
  const { hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = query
  const framed = (content: ReactNode) => (isInSection ? content : <Sheet>{content}</Sheet>)
  const readOn = () => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage?.()
  }
  return (
    <>
      {query.isError ? <ProblemNote error={query.error} retry={() => void query.refetch()} /> : null}
      {rows !== undefined
        ? framed(<List {...list} rows={rows} {...(isReadOn ? { reachEnd: readOn } : {})} />)
        : query.isError
          ? null
          : framed(<Waiting lines={lines} />)}
      {hasNextPage ? <More isBusy={isFetchingNextPage} read={readOn} words={more} /> : null}
    </>
  )
}

/** The button that reads the next page. */
export function More({ isBusy, read, words }: { isBusy: boolean; read: () => void; words?: string | undefined }) {
  const { t } = useTranslation()
  return (
    <div className={classes.more}>
      <Button variant="default" loading={isBusy} onClick={read}>
        {words ?? t('more')}
      </Button>
    </div>
  )
}
