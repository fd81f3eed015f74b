import { createContext, type ReactNode, use, useEffect } from 'react'
import { Page } from './page.tsx'
import classes from './plain.module.css'

interface PlainProps {
  title: string
  children: ReactNode
  foot?: ReactNode
}

/** A centred page without navigation. Inside the navigation's frame it is an ordinary page. */
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

/** Shelfwire's logo. */
export function Sign({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--sw-accent)" />
      <path
        d="M7 21.5h18M9 21.5v-8M14 21.5V9.5M19 21.5v-6M23.5 21.5l-2.2-9"
        fill="none"
        stroke="var(--sw-on-accent)"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** Whether the page is inside the navigation's frame, which already has the landmark `main`. */
export const InFrame = createContext(false)
