import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useNewestRuns } from '../../api/runs.ts'
import { useNow } from '../../components/now.ts'
import { Section } from '../../components/section.tsx'
import { RunState } from '../../runs/run-words.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './import.module.css'

const SHOWN = 5

/** The supplier's last files: what was begun here is found again. */
export function RecentRuns({ code }: { code: string }) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const format = useFormats()
  const now = useNow()
  const runs = (useNewestRuns(account.id, code) ?? []).filter(({ file }) => file !== null).slice(0, SHOWN)
  if (runs.length === 0) return null
  return (
    <Section title={t('recent.title')} note={t('recent.note')}>
      <ul className={classes.recent}>
        {runs.map((run) => (
          <li key={run.id}>
            <Link to="." search={{ run: run.id }}>
              {run.file?.name}
            </Link>
            <RunState run={run} />
            <span className={classes.quiet}>{format.relative(new Date(run.created_at), now)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
