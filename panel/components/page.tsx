import { Link } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { ChevronLeftIcon } from '../design/icons.tsx'
import classes from './page.module.css'

export interface PageProps {
  title: string
  /** One sentence on what the page is for. */
  lead?: ReactNode
  /** Buttons at the top right. */
  actions?: ReactNode
  /** The page above, where there is depth. */
  above?: { to: string; label: string; search?: Record<string, unknown> }
  /** Narrow pages are for forms and text. */
  width?: 'wide' | 'narrow'
  children: ReactNode
}

/** Titles are cut after three lines; the whole one is shown on hover. */
const TITLE_LONG = 80

/** A page: names the window, and has its title, its actions and its content in the same places as all others. */
export function Page({ title, lead, actions, above, width = 'wide', children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Shelfwire`
  }, [title])
  return (
    <div className={`${classes.page} ${width === 'narrow' ? classes.narrow : ''}`}>
      <header className={classes.head}>
        <div className={classes.words}>
          {above === undefined ? null : (
            <Link
              to={above.to}
              {...(above.search === undefined ? {} : { search: above.search as never })}
              className={classes.crumb}
            >
              <ChevronLeftIcon size={14} />
              {above.label}
            </Link>
          )}
          {/* gets the focus after a change of page, so that a screen reader says where one is */}
          <h1 tabIndex={-1} title={title.length > TITLE_LONG ? title : undefined} dir="auto">
            {title}
          </h1>
          {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
        </div>
        {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
