import { useId, type ReactNode } from 'react'
import classes from './section.module.css'

export interface SectionProps {
  title: string
  note?: ReactNode
  actions?: ReactNode
  /** Lists reach the borders. */
  isFlush?: boolean
  children: ReactNode
}

/** A part of a page with a title of its own. */
export function Section({ title, note, actions, isFlush = false, children }: SectionProps) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h2 id={id}>{title}</h2>
          {note === undefined ? null : <p className={classes.note}>{note}</p>}
        </div>
        {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
      </div>
      <div className={isFlush ? classes.flush : classes.body}>{children}</div>
    </section>
  )
}
