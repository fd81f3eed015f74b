import { useTranslation } from 'react-i18next'
import { isOpen, type Run } from '../../api/runs.ts'
import { useFormats } from '../../words/format.ts'
import classes from './supplier.module.css'

const SHOWN = ['rows', 'created', 'changed', 'unchanged', 'zeroed', 'refused', 'stale', 'skipped', 'products'] as const
/** Of a run that undoes another one. */
const UNDO_SHOWN = ['changed', 'zeroed', 'refused', 'products'] as const
/** Of a file of which nothing was written. */
const READ_SHOWN = ['rows', 'refused', 'skipped'] as const
/** Left out where they are 0. */
const SELDOM: readonly string[] = ['stale', 'skipped']
const NOTHING_WRITTEN: readonly Run['state'][] = ['unchanged', 'held', 'refused']

type Counted = (typeof SHOWN)[number]

/** What is worth showing of a run's counts; nothing of one that has read nothing. */
export function countsOf(run: Run): readonly Counted[] {
  if (run.trigger === 'undo') return UNDO_SHOWN
  if (!isOpen(run) && run.rows === 0) return []
  const all = NOTHING_WRITTEN.includes(run.state) ? READ_SHOWN : SHOWN
  return all.filter((name) => !SELDOM.includes(name) || run[name] > 0)
}

/** What a run counted; the figures change in place while it goes on. */
export function RunCounts({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const format = useFormats()
  const isUndo = run.trigger === 'undo'
  return (
    <dl className={classes.counts}>
      {countsOf(run).map((name) => (
        <div key={name}>
          <dt title={isUndo ? undefined : t(`counts.means.${name}`)}>
            {isUndo ? t(`counts.undo.${name}` as 'counts.undo.changed') : t(`counts.${name}`)}
          </dt>
          <dd>{format.number(run[name])}</dd>
        </div>
      ))}
    </dl>
  )
}
