import { Checkbox } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type Answer } from '../../api/client.ts'
import type { RunDetails } from '../../api/runs.ts'
import { Confirm } from '../../components/dialog.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Waiting } from '../../components/loaded.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './supplier.module.css'

const PREVIEW = 'GET /v1/account/imports/{id}/undo'
type Page = Answer<typeof PREVIEW>
type Left = Page['data'][number]

/** The members of a page's `meta`, which the types of lists do not have. */
interface Meta extends Readonly<Record<'restored' | 'deleted' | 'as_before' | 'left' | 'checked', number>> {
  next_after: string | null
}

/** The most offers that are shown among those that would be left unchanged. */
const SHOWN_MAX = 50
const PER_PAGE = 1_000

/** The preview of an undo, as far as it has been read. */
interface Preview {
  restored: number
  deleted: number
  as_before: number
  left: number
  checked: number
  rows: Left[]
  isWhole: boolean
  error: unknown
}

const NOTHING: Preview = {
  restored: 0,
  deleted: 0,
  as_before: 0,
  left: 0,
  checked: 0,
  rows: [],
  isWhole: false,
  error: null,
}

/** Reads the preview page by page, until the dialog is closed. */
function usePreview(accountId: number, runId: number): Preview {
  const [preview, setPreview] = useState(NOTHING)
  useEffect(() => {
    const closing = new AbortController()
    const read = async () => {
      let after: string | null = ''
      while (after !== null && !closing.signal.aborted) {
        const query: { per_page: number; after?: string } = {
          per_page: PER_PAGE,
          ...(after === '' ? {} : { after }),
        }
        const page: Page = await call(PREVIEW, { accountId, params: { id: runId }, query })
        const { data } = page
        const meta = page.meta as unknown as Meta
        after = meta.next_after
        const isWhole = after === null
        setPreview((sum) => ({
          restored: sum.restored + meta.restored,
          deleted: sum.deleted + meta.deleted,
          as_before: sum.as_before + meta.as_before,
          left: sum.left + meta.left,
          checked: sum.checked + meta.checked,
          rows: [...sum.rows, ...data].slice(0, SHOWN_MAX),
          isWhole,
          error: null,
        }))
      }
    }
    setPreview(NOTHING)
    read().catch((error: unknown) => setPreview((sum) => ({ ...sum, error })))
    return () => closing.abort()
  }, [accountId, runId])
  return preview
}

/** Previews an undo before it is done: what it restores, and what was changed since, which can be restored as well. */
export function UndoDialog({
  run,
  undo,
  close,
}: {
  run: RunDetails
  undo: (isForced: boolean) => Promise<void>
  close: () => void
}) {
  const { t } = useTranslation('runs')
  const format = useFormats()
  const account = useAccount()
  const preview = usePreview(account.id, run.id)
  const [isForced, setForced] = useState(false)
  const { rows, left } = preview
  const takes = (name: 'restored' | 'created' | 'asBefore', count: number) =>
    count === 0 ? null : <li>{t(`undo.takes.${name}`, { count, shown: format.number(count) })}</li>
  return (
    <Confirm
      title={t('undo.title')}
      action={t('undo.open')}
      isDangerous={isForced}
      run={() => undo(isForced)}
      close={close}
    >
      <div className={classes.says}>
        <ProblemNote error={preview.error} />
        {preview.isWhole ? null : (
          <>
            <p>
              {t('undo.looking', {
                shown: format.number(preview.checked),
                total: format.number(run.created + run.changed + run.zeroed),
              })}
            </p>
            {preview.checked === 0 ? <Waiting lines={3} /> : null}
          </>
        )}
        <ul>
          {takes('restored', preview.restored)}
          {takes('created', preview.deleted)}
          {takes('asBefore', preview.as_before)}
        </ul>
        {left === 0 ? null : (
          <>
            <p>{t('undo.left', { count: left, shown: format.number(left) })}</p>
            {rows.length < left ? <p>{t('undo.first', { shown: format.number(rows.length) })}</p> : null}
            <LeftRows rows={rows} label={t('undo.left', { count: left, shown: format.number(left) })} />
            <Checkbox
              label={t('undo.restore')}
              description={t('undo.restoreNote')}
              checked={isForced}
              onChange={(event) => setForced(event.currentTarget.checked)}
            />
          </>
        )}
        <p>{t('undo.limits')}</p>
        {run.source === null ? null : <p>{t('undo.source')}</p>}
      </div>
    </Confirm>
  )
}

function LeftRows({ rows, label }: { rows: readonly Left[]; label: string }) {
  const { t } = useTranslation('runs')
  const format = useFormats()
  const why = ({ reason, changed_by: runId }: Left) =>
    reason === 'changed' && runId !== null ? t('undo.reasons.run') : t(`undo.reasons.${reason}`)
  const figures = (offer: Left['now']) =>
    offer === null
      ? t('undo.none')
      : `${offer.cost === null ? '–' : format.money(offer.cost, offer.currency)} · ${format.number(offer.quantity)}`
  return (
    <div className={classes.leftRows} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('changes.sku')}</th>
            <th scope="col">{t('undo.why')}</th>
            <th scope="col">{t('undo.before')}</th>
            <th scope="col">{t('undo.now')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.sku}>
              <td dir="auto">{row.sku}</td>
              <td>{why(row)}</td>
              <td className={classes.quiet}>{figures(row.before)}</td>
              <td>{figures(row.now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
