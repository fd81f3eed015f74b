import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useFormats } from '../../words/format.ts'
import classes from './grid.module.css'
import type { Saving } from './use-saving.ts'

/** The number of unsaved cells, the progress of saving, and its result. */
export function SaveBar({
  saving,
  drafts,
  jumps,
  confirmJumps,
  save,
  stop,
  undoSave,
  discard,
}: {
  saving: Saving
  drafts: number
  /** The number of prices that were not saved because they change too much. */
  jumps: number
  confirmJumps: () => void
  save: () => void
  stop: () => void
  undoSave: () => void
  discard: () => void
}) {
  const { t } = useTranslation('grid')
  const format = useFormats()
  const { isRunning, done, total, stored, faults, error, last, isUndo } = saving
  if (drafts === 0 && !isRunning && stored === 0 && error === null) return null
  return (
    <>
      <ProblemNote error={error} retry={save} />
      <section className={classes.saving} aria-label={t('saving.title')}>
        <span className={classes.words} role="status">
          {isRunning
            ? t('saving.progress', { done: format.number(done), total: format.number(total) })
            : [
                stored > 0 ? t(isUndo ? 'saving.restored' : 'saving.stored', { count: stored }) : null,
                jumps > 0 ? t('saving.jumps', { count: jumps }) : null,
                faults > jumps ? t('saving.faults', { count: faults - jumps }) : null,
                drafts > 0 ? t('saving.drafts', { count: drafts }) : null,
              ]
                .filter((words) => words !== null)
                .join(' · ')}
        </span>
        {isRunning ? (
          <progress className={classes.progress} aria-label={t('saving.title')} value={done} max={total} />
        ) : null}
        <span className={classes.buttons}>
          {isRunning ? (
            <Button variant="default" onClick={stop}>
              {t('saving.stop')}
            </Button>
          ) : (
            <>
              {last.length > 0 && drafts === 0 ? (
                <Button variant="default" onClick={undoSave}>
                  {t(isUndo ? 'saving.redo' : 'saving.undo', { count: last.length })}
                </Button>
              ) : null}
              {drafts > 0 ? (
                <>
                  <Button variant="default" onClick={discard}>
                    {t('saving.discard')}
                  </Button>
                  {jumps > 0 ? (
                    <Button variant={jumps === drafts ? 'filled' : 'default'} onClick={confirmJumps}>
                      {t('saving.confirmJumps', { count: jumps })}
                    </Button>
                  ) : null}
                  {jumps === drafts ? null : <Button onClick={save}>{t('saving.save', { count: drafts })}</Button>}
                </>
              ) : null}
            </>
          )}
        </span>
      </section>
    </>
  )
}
