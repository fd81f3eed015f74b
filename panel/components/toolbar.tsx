import type { ReactNode } from 'react'
import classes from './toolbar.module.css'

/** What is above a list: search and filters. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={classes.toolbar}>{children}</div>
}

/** What surrounds a list that is a page's main content. */
export function Sheet({ children }: { children: ReactNode }) {
  return <div className={classes.sheet}>{children}</div>
}
