import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId } from 'react'
import { ChevronLeftIcon } from '../design/icons.tsx'
import classes from './page.module.css'
import sectionClasses from './section.module.css'
import toolbarClasses from './toolbar.module.css'

interface PageProps {
  title: string
  /** One sentence on the purpose of the page. */
  lead?: ReactNode
  /** A picture of the page's subject, beside the title. */
  picture?: ReactNode
  /** Buttons at the top right. */
  actions?: ReactNode
  /** The parent page, on pages below another one. */
  above?: { to: string; label: string; search?: Record<string, unknown> }
  /** narrow: for forms and text; full: as large as the window, with one part that takes the remaining height. */
  width?: 'wide' | 'narrow' | 'full'
  children: ReactNode
}

/** Longer titles may be cut after three lines, so the full title is shown on hover. */
const TITLE_LONG = 80

/** A page: sets the window's title, and puts title, actions and content in the same place on all pages. */
export function Page({ title, lead, picture, actions, above, width = 'wide', children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Shelfwire`
  }, [title])
  return (
    <div className={`${classes.page} ${width === 'wide' ? '' : classes[width]}`}>
      <header className={classes.head}>
        {picture}
        <div className={`${classes.words} ${picture === undefined ? '' : classes.besidePicture}`}>
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
          {/* gets the focus after a change of page, so that a screen reader reads the new title */}
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

interface SectionProps {
  title: string
  note?: ReactNode
  actions?: ReactNode
  /** Its content reaches the borders, for a list. */
  isFlush?: boolean
  children: ReactNode
}

/** A part of a page with a title of its own. */
export function Section({ title, note, actions, isFlush = false, children }: SectionProps) {
  const id = useId()
  return (
    <section className={sectionClasses.section} aria-labelledby={id}>
      <div className={sectionClasses.head}>
        <div className={sectionClasses.words}>
          <h2 id={id}>{title}</h2>
          {note === undefined ? null : <p className={sectionClasses.note}>{note}</p>}
        </div>
        {actions === undefined ? null : <div className={sectionClasses.actions}>{actions}</div>}
      </div>
      <div className={isFlush ? sectionClasses.flush : sectionClasses.body}>{children}</div>
    </section>
  )
}

/** Search and filters above a list. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={toolbarClasses.toolbar}>{children}</div>
}

/** The frame of a list that is a page's main content. */
export function Sheet({ children }: { children: ReactNode }) {
  return <div className={toolbarClasses.sheet}>{children}</div>
}
