import type { ReactNode } from 'react'
import classes from './below-form.module.css'

/** Content below a form that is not one of its fields: a state, with its own actions. */
export function BelowForm({ children }: { children: ReactNode }) {
  return <div className={classes.aside}>{children}</div>
}
