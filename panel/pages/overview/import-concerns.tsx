import { useTranslation } from 'react-i18next'
import { When } from '../../components/when.tsx'
import { useAccount } from '../../session/account.ts'
import { Concern } from './concern.tsx'
import type { Overview } from './overview.tsx'

/** Files that are held back, and sources that bring none. */
export function ImportConcerns({ imports: { held, failing } }: { imports: Overview['imports'] }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  return (
    <>
      {held.map((run) => (
        <Concern key={run.run_id} tone="warn" to={`/${id}/suppliers/${run.supplier}`}>
          {t('imports.held', { name: run.name })} <When at={run.held_at} />
        </Concern>
      ))}
      {failing.map((row) => (
        <Concern key={`${row.supplier} ${row.source}`} tone="warn" to={`/${id}/suppliers/${row.supplier}`}>
          {t('imports.failing', { name: row.name, source: row.source })} <When at={row.since} />
          {row.failure === null ? null : <span dir="auto">: {row.failure}</span>}
        </Concern>
      ))}
    </>
  )
}
