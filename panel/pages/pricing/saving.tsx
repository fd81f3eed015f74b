import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOpen, OPERATION, type Operation } from '../../api/operations.ts'
import { useRead, useRefreshAccount } from '../../api/read.ts'
import { StateMark } from '../../components/state-mark.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './pricing.module.css'

const LIVE_MS = 1_000

/** What follows a change that was saved: how far the payloads are, until all can be read. */
export function Saving({ operationId }: { operationId: number }) {
  const { t } = useTranslation(['pricing', 'shared'])
  const format = useFormats()
  const account = useAccount()
  const [isEnded, setEnded] = useState(false)
  const query = useRead(
    OPERATION,
    { accountId: account.id, params: { id: operationId } },
    isEnded ? {} : { everyMs: LIVE_MS },
  )
  const operation = query.data?.data as unknown as Operation | undefined
  const refresh = useRefreshAccount()
  // what was read while products were computed may be from before
  useEffect(() => {
    if (isEnded) void refresh()
  }, [isEnded, refresh])
  if (operation === undefined) return null
  const hasEnded = !isOpen(operation)
  if (hasEnded !== isEnded) setEnded(hasEnded)
  if (operation.state === 'succeeded')
    return (
      <p className={classes.saving}>
        <StateMark tone="good">{t('saving.done', { count: operation.total ?? operation.done })}</StateMark>
      </p>
    )
  return (
    <div className={classes.progress}>
      <label>
        <span>{t('saving.progress', { done: format.number(operation.done), count: operation.total ?? 0 })}</span>
        <progress max={Math.max(1, operation.total ?? 1)} value={operation.done} />
      </label>
    </div>
  )
}
