import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { isOpen, OPERATION, type Operation } from '../../api/operations.ts'
import { reading } from '../../api/read.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { useFormats } from '../../words/format.ts'
import classes from './grid.module.css'
import type { SheetState } from './sheet-state.ts'
import { rereadRows } from './use-sheet.ts'

const FOLLOW_MS = 1_000

/** Progress and result of filling columns by the service; afterwards the rows of the grid are read again. */
export function FillProgress({
  accountId,
  state,
  operationIds,
  columns,
  forget,
}: {
  accountId: number
  state: SheetState
  operationIds: readonly number[]
  columns: readonly string[]
  forget: () => void
}) {
  const { t } = useTranslation('grid')
  const format = useFormats()
  const [error, setError] = useState<unknown>(null)
  const read = useQueries({
    queries: operationIds.map((id) => ({
      ...reading(OPERATION, { accountId, params: { id } }),
      refetchInterval: ({ state: { data } }: { state: { data: { data: unknown } | undefined } }) =>
        data === undefined || isOpen(data.data as Operation) ? FOLLOW_MS : false,
    })),
  })
  const found = read.flatMap(({ data }) => (data === undefined ? [] : [data.data as unknown as Operation]))
  const isDone = found.length === operationIds.length && !found.some(isOpen)
  useEffect(() => {
    if (isDone) rereadRows(accountId, state, columns).catch(setError)
    // runs once, when all of it is written
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isDone])
  const sum = (of: (operation: Operation) => number) => found.reduce((all, operation) => all + of(operation), 0)
  const failed = found.find((operation) => operation.state === 'failed')
  const total = sum((operation) => operation.total ?? 0)
  const stop = () => {
    for (const id of operationIds)
      void call('POST /v1/account/operations/{id}/cancel', { accountId, params: { id } }).catch(() => undefined)
  }
  return (
    <section className={classes.fillState} aria-label={t('fill.state')}>
      <ProblemNote error={error} />
      {isDone ? (
        <>
          <StateMark tone={failed !== undefined ? 'bad' : sum((entry) => entry.failed) > 0 ? 'warn' : 'good'}>
            {failed?.message ??
              t('fill.result', {
                changed: format.number(sum((entry) => entry.changed)),
                unchanged: format.number(sum((entry) => entry.unchanged)),
                failed: format.number(sum((entry) => entry.failed)),
              })}
          </StateMark>
          <Button size="compact-sm" variant="default" onClick={forget}>
            {t('fill.dismiss')}
          </Button>
        </>
      ) : (
        <>
          <StateMark tone="busy">
            {t('fill.progress', { done: format.number(sum(({ done }) => done)), total: format.number(total) })}
          </StateMark>
          <progress
            className={classes.progress}
            aria-label={t('fill.state')}
            value={total === 0 ? 0 : sum(({ done }) => done) / total}
            max={1}
          />
          <Button size="compact-sm" variant="default" onClick={stop}>
            {t('saving.stop')}
          </Button>
        </>
      )}
    </section>
  )
}
