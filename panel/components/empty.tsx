import type { ReactNode } from 'react'
import classes from './empty.module.css'

/** What is here instead of nothing: one sentence on what would be here, and the button that brings it. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <p>{children}</p>
      {action === undefined ? null : <div className={classes.action}>{action}</div>}
    </div>
  )
}
