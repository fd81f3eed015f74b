import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RunDetails } from '../../api/runs.ts'
import { Facts } from '../../components/facts.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './supplier.module.css'
import { supplierTabs } from './search.ts'

/** The parameters of the run, who started it and when, and its file while it is kept. */
export function RunAbout({ run, code }: { run: RunDetails; code: string }) {
  const { t } = useTranslation('runs')
  const account = useAccount()
  const format = useFormats()
  const { file, source, mapping, undoes } = run
  const base = `/${account.id}/suppliers/${code}`
  const preset = (mapping as { preset?: unknown } | null)?.preset
  const seconds =
    run.started_at === null || run.ended_at === null
      ? null
      : // both times are whole seconds, so their difference may be 0
        Math.max(1, (new Date(run.ended_at).getTime() - new Date(run.started_at).getTime()) / 1_000)
  const facts: [string, ReactNode][] = [
    [t('about.trigger'), t(`triggers.${run.trigger}`)],
    ...(source === null
      ? []
      : ([
          [
            t('source'),
            <Link key="source" to={base} search={{ tab: supplierTabs.sources, open: source } as never}>
              {source}
            </Link>,
          ],
        ] as [string, ReactNode][])),
    ...(undoes === null
      ? ([
          [t('about.mode'), t(`modeMeans.${run.mode}`)],
          [t('about.mapping'), typeof preset === 'string' ? preset : t('about.ownMapping')],
        ] as [string, ReactNode][])
      : ([
          [
            t('about.undoes'),
            <Link
              key="undoes"
              to="/$account/suppliers/$supplier/runs/$run"
              params={{ account: String(account.id), supplier: code, run: String(undoes) }}
            >
              {t('show')}
            </Link>,
          ],
        ] as [string, ReactNode][])),
    ...(run.confirmed && undoes === null
      ? ([[t('about.confirmed'), t('about.confirmedYes')]] as [string, ReactNode][])
      : []),
    [t('about.created'), <RelativeTime key="created" at={run.created_at} />],
    ...(seconds === null ? [] : ([[t('about.took'), format.took(seconds)]] as [string, ReactNode][])),
    ...(file === null
      ? []
      : ([
          [
            t('about.file'),
            <span key="file" dir="auto">
              {file.name} ({format.bytes(file.bytes)})
            </span>,
          ],
          ['SHA-256', <code key="hash">{file.sha256}</code>],
        ] as [string, ReactNode][])),
  ]
  return (
    <>
      <Facts facts={facts} />
      {file === null ? null : file.is_kept ? (
        <div className={classes.buttons}>
          <Button
            component="a"
            variant="default"
            href={`/panel/api/accounts/${account.id}/imports/${run.id}/file`}
            download={file.name}
          >
            {t('about.download')}
          </Button>
        </div>
      ) : (
        <p className={classes.advice}>{t('about.gone')}</p>
      )}
    </>
  )
}
