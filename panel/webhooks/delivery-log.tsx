import { Button } from '@mantine/core'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../api/read-pages.ts'
import { Empty } from '../components/loaded.tsx'
import { Filters } from '../components/filters.tsx'
import type { Column } from '../components/list.tsx'
import { ReadList } from '../components/read-list.tsx'
import { StateMark } from '../components/state-mark.tsx'
import { Toolbar } from '../components/page.tsx'
import { Due, RelativeTime } from '../components/relative-time.tsx'
import { useFormats } from '../words/format.ts'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import classes from './delivery-log.module.css'
import { type Delivery, DELIVERY_TONES, type LogFilter, type LogSource } from './log-source.ts'
import { useFailureWords } from './health.tsx'
import './words.ts'

const LIVE_MS = 3_000
/** With more pages than this the list is not refreshed, because the reader is looking at old deliveries. */
const LIVE_PAGES = 2

export interface LogSearch {
  state?: string | undefined
  event?: string | undefined
  origin?: string | undefined
  product?: number | undefined
  delivery?: string | undefined
}

/**
 * Deliveries of an endpoint, newest first, refreshed automatically. The page keeps the filters and the open delivery in
 * its address.
 */
export function DeliveryLog({
  source,
  search,
  change,
  beside,
}: {
  source: LogSource
  search: LogSearch
  change: (changes: LogSearch) => void
  /** Content on the left of the filters. */
  beside?: ReactNode
}) {
  const { t } = useTranslation(['webhooks', 'shared'])
  const filter: LogFilter = {
    state: search.state,
    event: search.event,
    origin: search.origin,
    product_id: search.product,
  }
  const { pages, query } = usePages({
    key: [...source.key, filter],
    read: ({ before }, signal) => source.deliveries(filter, before, signal),
    every: ({ length }) => (length <= LIVE_PAGES ? LIVE_MS : false),
  })
  const rows = useMemo(() => pages?.flatMap((page) => page.data), [pages])
  const columns = useColumns()
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <Toolbar>
        {beside}
        <Filters
          filters={[
            {
              name: 'state',
              label: t('log.state'),
              value: search.state,
              options: (['delivered', 'waiting', 'failed', 'parked', 'expired', 'void', 'empty'] as const).map(
                (value) => ({ value, label: t(`states.${value}`) }),
              ),
            },
            {
              name: 'event',
              label: t('log.event'),
              value: search.event,
              options: (['price', 'content', 'removed'] as const).map((value) => ({
                value,
                label: t(`shared:events.${value}`),
              })),
            },
            {
              name: 'origin',
              label: t('log.origin'),
              value: search.origin,
              options: (['log', 'redelivery', 'test'] as const).map((value) => ({
                value,
                label: t(`origins.${value}`),
              })),
            },
            ...(search.product === undefined
              ? []
              : [{ name: 'product', label: t('log.product'), value: String(search.product), options: [] }]),
          ]}
          change={(name, value) => change({ [name]: value })}
        />
      </Toolbar>
      <ReadList
        query={query}
        label={t('log.title')}
        columns={columns}
        rows={rows}
        keyOf={(row) => row.id}
        open={(row) => change({ delivery: row.id })}
        openKey={search.delivery ?? null}
        phoneLine={(row) => <PhoneLine row={row} />}
        empty={
          isFiltered ? (
            <Empty
              action={
                <Button
                  variant="default"
                  onClick={() => change({ state: undefined, event: undefined, origin: undefined, product: undefined })}
                >
                  {t('shared:clear')}
                </Button>
              }
            >
              {t('log.noneMatch')}
            </Empty>
          ) : (
            <Empty>{t('log.none')}</Empty>
          )
        }
      />
      {search.delivery === undefined ? null : (
        <DeliveryDrawer
          source={source}
          deliveryId={search.delivery}
          close={() => change({ delivery: undefined })}
          showProduct={(product) => change({ product, delivery: undefined })}
        />
      )}
    </>
  )
}

function useColumns(): Column<Delivery>[] {
  const { t } = useTranslation(['webhooks', 'shared'])
  const format = useFormats()
  return useMemo(
    () => [
      {
        id: 'state',
        title: t('log.state'),
        width: '16%',
        cell: (row) => <StateMark tone={DELIVERY_TONES[row.state]}>{t(`states.${row.state}`)}</StateMark>,
      },
      {
        id: 'time',
        title: t('log.time'),
        width: '13%',
        isWide: true,
        cell: (row) => <RelativeTime at={row.created_at} />,
      },
      {
        id: 'event',
        title: t('log.event'),
        width: '18%',
        isWide: true,
        cell: (row) => (
          <>
            {t(`shared:events.${row.event}`)}
            {row.origin === 'log' ? null : <span className={classes.quiet}> · {t(`origins.${row.origin}`)}</span>}
          </>
        ),
      },
      {
        id: 'store',
        title: t('log.store'),
        width: '14%',
        isWide: true,
        isShownFor: (rows) => rows.some((row) => row.store !== rows[0]?.store),
        cell: (row) => row.store ?? t('shared:allStores'),
      },
      {
        id: 'products',
        title: t('log.products'),
        width: '8%',
        isNumber: true,
        isWide: true,
        cell: (row) => format.number(row.products),
      },
      { id: 'answer', title: t('log.answer'), cell: (row) => <LastAnswer row={row} /> },
      {
        id: 'attempt',
        title: t('log.attempt'),
        width: '8%',
        isNumber: true,
        isWide: true,
        isShownFor: (rows) => rows.some((row) => row.attempts !== 1),
        cell: (row) => format.number(row.attempts),
      },
      {
        id: 'duration',
        title: t('log.duration'),
        width: '9%',
        isNumber: true,
        isWide: true,
        cell: (row) => (row.last_attempt === null ? '–' : format.duration(row.last_attempt.duration_ms)),
      },
    ],
    [t, format],
  )
}

function LastAnswer({ row }: { row: Delivery }) {
  const { t } = useTranslation(['webhooks', 'shared'])
  const failure = useFailureWords()
  const last = row.last_attempt === null ? null : failure(row.last_attempt)
  if (row.state !== 'waiting') return <>{last ?? '–'}</>
  return (
    <>
      {last === null ? null : `${last}; `}
      <span className={classes.quiet}>
        {row.next_attempt_at === null ? (
          t('log.nextInTurn')
        ) : (
          <>
            {t('log.next')} <Due at={row.next_attempt_at} />
          </>
        )}
      </span>
    </>
  )
}

function PhoneLine({ row }: { row: Delivery }) {
  const { t } = useTranslation()
  return (
    <>
      {t(`events.${row.event}`)} · <RelativeTime at={row.created_at} />
    </>
  )
}
