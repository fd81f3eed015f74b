import type { ReactNode } from 'react'
import classes from './kbd.module.css'

/** The label of a key. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className={classes.kbd}>{children}</kbd>
}
