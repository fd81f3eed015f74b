import { use, useEffect, type ReactNode } from 'react'
import { InFrame } from './frame.ts'
import { Page } from './page.tsx'
import classes from './plain.module.css'
import { Sign } from './sign.tsx'

interface PlainProps {
  title: string
  children: ReactNode
  foot?: ReactNode
}

/** A page with one thing in the middle and without navigation; inside the navigation's frame it is a page like others. */
export function Plain(props: PlainProps) {
  if (!use(InFrame)) return <Alone {...props} />
  return (
    <Page title={props.title} width="narrow">
      {props.children}
      {props.foot}
    </Page>
  )
}

function Alone({ title, children, foot }: PlainProps) {
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
