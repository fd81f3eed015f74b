import { Button } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PreviewOperation, RuleChangeBody } from '../../../contract/panel/previews.ts'
import { call } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './pricing.module.css'

const ONE = 'GET /panel/api/accounts/{account_id}/preview-operations/{operation_id}'
const LIST = 'GET /panel/api/accounts/{account_id}/preview-operations'
const LIVE_MS = 1_000

export const isRunning = (state: PreviewOperation['state']) => state === 'queued' || state === 'running'

/** A preview over all products, read again until it has ended. */
export function useCheck(operationId: number | undefined): { check: PreviewOperation | undefined; error: unknown } {
  const params = { ...useAccountParams(), operation_id: operationId ?? 0 }
  const [isEnded, setEnded] = useState(false)
  const query = useRead(
    ONE,
    { params },
    { isEnabled: operationId !== undefined, ...(isEnded ? {} : { everyMs: LIVE_MS }) },
  )
  const check = query.data?.data
  const isOther = check?.operation_id !== operationId
  const hasEnded = check !== undefined && !isOther && !isRunning(check.state)
  if (hasEnded !== isEnded) setEnded(hasEnded)
  return { check: isOther ? undefined : check, error: operationId === undefined ? null : query.error }
}

/** The account's latest previews over all products, by any person. */
export function useChecks(): readonly PreviewOperation[] {
  const params = useAccountParams()
  return useRead(LIST, { params }, { everyMs: 5_000 }).data?.data ?? []
}

/** Starts a preview over all products. @returns the operation's ID */
export function useStartCheck(): (change: RuleChangeBody) => Promise<number> {
  const params = useAccountParams()
  const refresh = useRefresh()
  return async (body) => {
    const { data } = await call('POST /panel/api/accounts/{account_id}/preview-operations', { params, body })
    await refresh(LIST)
    return data.operation_id
  }
}

/** The progress of a preview over all products, and a button to cancel it. */
export function CheckProgress({ check }: { check: PreviewOperation }) {
  const { t } = useTranslation(['pricing', 'shared'])
  const format = useFormats()
  const account = useAccount()
  const refresh = useRefresh()
  const cancel = useMutation({
    mutationFn: async () => {
      await call('POST /v1/account/operations/{id}/cancel', {
        accountId: account.id,
        params: { id: check.operation_id },
      })
      await refresh(ONE, LIST)
    },
  })
  if (!isRunning(check.state)) {
    if (check.state === 'succeeded') return null
    return (
      <p className={classes.quiet}>
        {check.state === 'canceled' ? t('check.canceled') : (check.message ?? t('check.failed'))}
      </p>
    )
  }
  const words = t('check.progress', { done: format.number(check.done), count: check.products })
  return (
    <div className={classes.progress}>
      <ProblemNote error={cancel.error} />
      <label>
        <span>{words}</span>
        <progress max={Math.max(1, check.products)} value={check.done} />
      </label>
      <Button variant="default" size="xs" onClick={() => cancel.mutate()}>
        {t('check.cancel')}
      </Button>
    </div>
  )
}

const PREVIEWS = 'POST /panel/api/accounts/{account_id}/previews'

/** Milliseconds without typing before a preview is requested. */
const SETTLE_MS = 300
const FRESH_MS = 30_000

/** The value, updated only after it has stayed the same for SETTLE_MS. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/**
 * The preview of a change over a sample, requested shortly after the last edit. The previous preview is shown until a
 * new one arrives.
 */
export function usePreview(accountId: number, change: RuleChangeBody | null) {
  const text = JSON.stringify(change)
  const settled = useSettled(text)
  const query = useQuery({
    queryKey: [PREVIEWS, accountId, settled],
    queryFn: ({ signal }) =>
      call(PREVIEWS, {
        params: { account_id: accountId },
        body: JSON.parse(settled) as RuleChangeBody,
        signal,
      }),
    enabled: settled !== 'null',
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: false,
  })
  return {
    preview: query.data?.data,
    error: query.error,
    isOld: query.isFetching || settled !== text,
  }
}
