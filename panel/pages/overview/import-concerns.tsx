import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { useResources } from '../../api/resources.ts'
import { FaultText } from '../../components/fault-text.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import type { Overview } from './overview.tsx'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StateMark, type Tone } from '../../components/state-mark.tsx'

export type OverdueSupplier = Answer<'GET /v1/account/findings/completeness'>['data']['suppliers_silent'][number]

const LIVE_MS = 60_000

/** Suppliers that have been silent for longer than their limit; undefined until they are read. */
export function useSilent(): readonly OverdueSupplier[] | undefined {
  const { id: accountId } = useAccount()
  return useRead('GET /v1/account/findings/completeness', { accountId }, { everyMs: LIVE_MS }).data?.data
    .suppliers_silent
}

export function RunningImports({ running }: { running: Overview['imports']['running'] }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const format = useFormats()
  return (
    <>
      {running.map(({ supplier, name, run_id: runId, written, total }) => (
        <Concern
          key={runId}
          tone="busy"
          to={`/${id}/suppliers/${supplier}/runs/${runId}`}
          beside={total === null ? undefined : <progress aria-hidden="true" value={written} max={total} />}
        >
          {total === null
            ? t('imports.reading', { name })
            : t('imports.writing', { name, written: format.number(written), total: format.number(total) })}
        </Concern>
      ))}
    </>
  )
}

/** Held files, failing sources, and silent suppliers; each links to the page where it is resolved. */
export function useImportConcerns(
  { held, failing }: Overview['imports'],
  silent: readonly OverdueSupplier[],
): ConcernLine[] {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const { data: suppliers = [] } = useResources(id, 'suppliers', { isEnabled: silent.length > 0 })
  const nameOf = (code: string) => suppliers.find((row) => row.code === code)?.name ?? code
  return [
    ...held.map((run): ConcernLine => ({
      kind: 'held',
      tone: 'warn',
      shown: (
        <Concern key={`held ${run.run_id}`} tone="warn" to={`/${id}/suppliers/${run.supplier}/runs/${run.run_id}`}>
          {t('imports.held', { name: run.name })} <RelativeTime at={run.held_at} />
        </Concern>
      ),
    })),
    ...failing.map((row): ConcernLine => ({
      kind: 'failing',
      tone: 'warn',
      shown: (
        <Concern
          key={`failing ${row.supplier} ${row.source}`}
          tone="warn"
          to={`/${id}/suppliers/${row.supplier}`}
          search={{ tab: 'sources', open: row.source }}
        >
          {t('imports.failing', { name: row.name, source: row.source })} <RelativeTime at={row.since} />
          {row.failure === null ? null : (
            <>
              : <FaultText reason={row.failure} />
            </>
          )}
        </Concern>
      ),
    })),
    ...silent.map((row): ConcernLine => ({
      kind: 'silent',
      tone: 'warn',
      shown: (
        <Concern
          key={`silent ${row.supplier}`}
          tone="warn"
          to={`/${id}/suppliers/${row.supplier}`}
          search={{ tab: 'sources' }}
        >
          {row.heard_at === null ? (
            t('imports.neverHeard', { name: nameOf(row.supplier) })
          ) : (
            <>
              {t('imports.silent', { name: nameOf(row.supplier), count: row.silent_days_max })}{' '}
              <RelativeTime at={row.heard_at} />
            </>
          )}
        </Concern>
      ),
    })),
  ]
}

/** A line among the concerns with its kind: the first of each kind precedes the others. */
export interface ConcernLine {
  kind: string
  tone: Tone
  shown: ReactNode
}

/** A sentence about a concern, with a link. */
export function Concern({
  tone,
  to,
  search,
  beside,
  children,
}: {
  tone: Tone
  to?: string
  search?: object
  /** A bar that shows the same amount. */
  beside?: ReactNode
  children: ReactNode
}) {
  const { t } = useTranslation('overview')
  return (
    <li data-tone={tone}>
      <StateMark tone={tone}>{children}</StateMark>
      {beside}
      {to === undefined ? null : (
        <Link to={to} {...(search === undefined ? {} : { search: search as never })}>
          {t('show')}
        </Link>
      )}
    </li>
  )
}
