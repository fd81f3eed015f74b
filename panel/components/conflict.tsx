import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './conflict.module.css'

export interface ConflictProps {
  differences: readonly { name: string; theirs: string; mine: string }[]
  takeTheirs: () => Promise<void> | void
  /** Keeps what was typed; the next save replaces the other person's values. */
  keepMine: () => Promise<void> | void
}

/**
 * Shown when two people edited the same thing: lists the other person's values beside the typed ones, and lets the reader
 * choose.
 */
export function Conflict({ differences, takeTheirs, keepMine }: ConflictProps) {
  const { t } = useTranslation()
  const note = useRef<HTMLDivElement>(null)
  // the note is above the form, whose end may be in view
  useEffect(() => {
    note.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={note} className={classes.conflict} role="alert">
      <strong>{t('conflict.title')}</strong>
      <p>{t('conflict.text')}</p>
      {differences.length === 0 ? null : (
        <table className={classes.table}>
          <thead>
            <tr>
              <td />
              <th scope="col">{t('conflict.theirs')}</th>
              <th scope="col">{t('conflict.mine')}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ name, theirs, mine }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{theirs}</td>
                <td>{mine}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => void takeTheirs()}>
          {t('conflict.takeTheirs')}
        </Button>
        <Button variant="default" onClick={() => void keepMine()}>
          {t('conflict.keepMine')}
        </Button>
      </div>
    </div>
  )
}
