import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { useNow } from '../../components/now.ts'
import { Section } from '../../components/section.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './import.module.css'
import { STATE_TONES, useStateWords, type Run } from './run-view.tsx'

const SHOWN = 5
const EVERY_MS = 5_000

/** The supplier's last files: what was begun here is found again. */
export function RecentRuns({ code }: { code: string }) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const format = useFormats()
  const now = useNow()
  const stateWords = useStateWords()
  const read = useRead(
    'GET /v1/account/imports',
    { accountId: account.id, query: { supplier: code, per_page: SHOWN } },
    { everyMs: EVERY_MS },
  )
  const runs = ((read.data?.data ?? []) as unknown as Run[]).filter(({ file }) => file !== null)
  if (runs.length === 0) return null
  return (
    <Section title={t('recent.title')} note={t('recent.note')}>
      <ul className={classes.recent}>
        {runs.map((run) => (
          <li key={run.id}>
            <Link to="." search={{ run: run.id }}>
              {run.file?.name}
            </Link>
            <StateMark tone={STATE_TONES[run.state] ?? 'busy'}>{stateWords(run)}</StateMark>
            <span className={classes.quiet}>{format.relative(new Date(run.created_at), now)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
