import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StateMark, type Tone } from '../../components/state-mark.tsx'

/** A sentence about something to look at, and where to go. */
export function Concern({
  tone,
  to,
  search,
  children,
}: {
  tone: Tone
  to?: string
  search?: object
  children: ReactNode
}) {
  const { t } = useTranslation('overview')
  return (
    <li>
      <StateMark tone={tone}>{children}</StateMark>
      {to === undefined ? null : (
        <Link to={to} {...(search === undefined ? {} : { search: search as never })}>
          {t('show')}
        </Link>
      )}
    </li>
  )
}
