import { useEffect, type ReactNode } from 'react'
import classes from './plain.module.css'
import { Sign } from './sign.tsx'

/** A page without navigation: one thing in the middle. */
export function Plain({ title, children, foot }: { title: string; children: ReactNode; foot?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} – Shelfwire`
  }, [title])
  return (
    <div className={classes.plain}>
      <main className={classes.box}>
        <Sign size={28} />
        <h1 tabIndex={-1}>{title}</h1>
        {children}
        {foot === undefined ? null : <div className={classes.foot}>{foot}</div>}
      </main>
    </div>
  )
}
