import type { ReactNode } from 'react'
import classes from './aside.module.css'

/** What stands below a form and is not one of its fields: a state, and actions of their own. */
export function Aside({ children }: { children: ReactNode }) {
  return <div className={classes.aside}>{children}</div>
}
