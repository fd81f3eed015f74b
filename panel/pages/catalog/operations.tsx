import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { isOpen, type Operation } from '../../api/operations.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { useNow } from '../../components/relative-time.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { showMessage } from '../../components/messages.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './operations.module.css'

const LIST = 'GET /v1/account/operations'
const BUSY_MS = 1_000
const QUIET_MS = 10_000
/** How long an operation is shown after its end. */
const SHOWN_MS = 120_000
const KINDS: readonly string[] = ['bulk_stock', 'bulk_overrides', 'bulk_exclusions', 'bulk_offers', 'bulk_prices']

/**
 * Operations on many products that are running or have just ended. The service keeps them, so they are shown after leaving the
 * page as well.
 */
export function Operations() {
  const { t } = useTranslation('catalog')
  const account = useAccount()
  const client = useQueryClient()
  const now = useNow().getTime()
  const read = useRead(LIST, { accountId: account.id, query: { per_page: 10 } }, { everyMs: QUIET_MS })
  const shown = ((read.data?.data ?? []) as unknown as Operation[]).filter(
    (operation) =>
      KINDS.includes(operation.kind) &&
      (operation.ended_at === null || now - new Date(operation.ended_at).getTime() < SHOWN_MS),
  )
  const isBusy = shown.some(isOpen)
  const { refetch } = read
  useEffect(() => {
    if (!isBusy) return undefined
    const timer = setInterval(() => void refetch(), BUSY_MS)
    return () => clearInterval(timer)
  }, [isBusy, refetch])
  // the operations have changed the list; this includes ones that ended while the reader was on another page, for which the cached
  // list would still count as fresh
  const known = useRef<ReadonlySet<number>>(new Set())
  const ended = shown.filter((operation) => !isOpen(operation)).map(({ id }) => id)
  const newlyEnded = ended.filter((id) => !known.current.has(id)).join(' ')
  useEffect(() => {
    if (newlyEnded === '') return
    known.current = new Set([...known.current, ...newlyEnded.split(' ').map(Number)])
    void client.invalidateQueries({ queryKey: ['GET /panel/api/accounts/{account_id}/products'] })
  }, [newlyEnded, client])
  if (shown.length === 0) return null
  return (
    <ul className={classes.list} aria-label={t('operations.title')}>
      {shown.map((operation) => (
        <Row key={operation.id} operation={operation} />
      ))}
    </ul>
  )
}

function Row({ operation }: { operation: Operation }) {
  const { t } = useTranslation('catalog')
  const account = useAccount()
  const refresh = useRefresh()
  const format = useFormats()
  const { id, kind, state, total, done, changed, unchanged, failed, message } = operation
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total)
  const cancel = async () => {
    await call('POST /v1/account/operations/{id}/cancel', { accountId: account.id, params: { id } }).catch(
      (error: unknown) => showMessage(error instanceof Error ? error.message : String(error)),
    )
    await refresh(LIST)
  }
  const name = t(`operations.${kind}` as never) as string
  if (operation.ended_at !== null) {
    const tone = state === 'succeeded' ? (failed > 0 ? 'warn' : 'good') : state === 'canceled' ? 'off' : 'bad'
    return (
      <li className={classes.row}>
        <StateMark tone={tone}>{name}</StateMark>
        <span>
          {state === 'failed'
            ? message
            : t('operations.result', {
                changed: format.number(changed),
                unchanged: format.number(unchanged),
                failed: format.number(failed),
              })}
        </span>
        {failed > 0 ? <Errors operationId={id} /> : null}
      </li>
    )
  }
  return (
    <li className={classes.row}>
      <StateMark tone="busy">{name}</StateMark>
      <progress className={classes.progress} aria-label={name} value={share} max={1} />
      <span className={classes.figures}>
        {state === 'resolving'
          ? t('operations.resolving')
          : t('operations.progress', { done: format.number(done), total: total === null ? '?' : format.number(total) })}
      </span>
      {state === 'resolving' ? null : (
        <button type="button" className={classes.link} onClick={() => void cancel()}>
          {t('operations.cancel')}
        </button>
      )}
    </li>
  )
}

/** The first refused rows, with their reasons. */
function Errors({ operationId }: { operationId: number }) {
  const { t } = useTranslation('catalog')
  const account = useAccount()
  const read = useRead('GET /v1/account/operations/{id}/errors', {
    accountId: account.id,
    params: { id: operationId },
    query: { per_page: 3 },
  })
  const first = (read.data?.data as { row: number; errors: { name: string; reason: string }[] }[] | undefined) ?? []
  const reasons = [...new Set(first.flatMap(({ errors }) => errors.map(({ name, reason }) => `${name} ${reason}`)))]
  return reasons.length === 0 ? null : (
    <span className={classes.why}>{t('operations.why', { why: reasons.join('; ') })}</span>
  )
}
