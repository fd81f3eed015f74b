import type { ReactNode } from 'react'
import classes from './state-mark.module.css'

/** good: nothing to do; busy: under way; warn: look at it; bad: a person is needed; off: switched off. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'off'

const SHAPES: Readonly<Record<Tone, ReactNode>> = {
  good: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  busy: (
    <>
      <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M5 1.5a3.5 3.5 0 0 1 0 7z" fill="currentColor" />
    </>
  ),
  warn: <path d="M5 .8 9.6 9H.4z" fill="currentColor" />,
  bad: <rect x="1.2" y="1.2" width="7.6" height="7.6" rx="1" fill="currentColor" />,
  off: <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
}

/** A state in words, with a mark whose shape and colour depend on it. */
export function StateMark({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`${classes.mark} ${classes[tone]}`}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        {SHAPES[tone]}
      </svg>
      <span>{children}</span>
    </span>
  )
}
