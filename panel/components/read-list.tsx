import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReadPages } from '../api/read-pages.ts'
import { List, type ListProps } from './list.tsx'
import { ProblemNote } from './problem-note.tsx'
import classes from './read-list.module.css'
import { Sheet } from './page.tsx'
import { Waiting } from './loaded.tsx'

/** The state of reading rows. Only rows that are read page by page have all members. */
type Reading = Pick<ReadPages<unknown>['query'], 'isError' | 'error' | 'refetch'> &
  Partial<Pick<ReadPages<unknown>['query'], 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>>

/**
 * The one mechanism of lists: rows that are read at once or page by page. Shows a placeholder or an error until there are rows, then the
 * list or what is shown for no rows, and the button for further rows. Old rows stay visible while newer ones are read.
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
  /** The rows that were read; undefined: none yet. */
  rows: readonly T[] | undefined
  /** Label of the button for further rows; by default it says older ones. */
  more?: string
  /** The number of placeholder lines. */
  lines?: number
  /** It is in a section, which has its own border. */
  isInSection?: boolean
  /** Further rows are also read when the last ones become visible. */
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
