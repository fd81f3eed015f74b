import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from '../components/list.tsx'
import { StateMark } from '../components/state-mark.tsx'
import '../words/resources.ts'
import classes from './columns.module.css'

/** Whether something is active. */
export function Activity({ isActive }: { isActive: boolean }) {
  const { t } = useTranslation('resources')
  return <StateMark tone={isActive ? 'good' : 'off'}>{isActive ? t('active') : t('inactive')}</StateMark>
}

/** The same within a line, where only inactivity is shown, because nearly every row is active. */
export function Inactivity({ isActive }: { isActive: boolean }) {
  return isActive ? null : (
    <>
      {' · '}
      <Activity isActive={false} />
    </>
  )
}

/** A column that marks inactive rows; left out if all are active. */
export function useStateColumn<T extends { is_active: boolean }>(): Column<T> {
  const { t } = useTranslation('resources')
  return {
    id: 'state',
    title: t('state'),
    width: '13%',
    isWide: true,
    isShownFor: (rows) => rows.some((row) => !row.is_active),
    sortBy: (row) => Number(row.is_active),
    cell: (row) => <Activity isActive={row.is_active} />,
  }
}

/** A remark about a row, after its name. */
export function Special({ children }: { children: ReactNode }) {
  return <span className={classes.special}> · {children}</span>
}

/** A column that shows and sorts by one value; hidden on a phone. */
export function plainColumn<T>(
  id: string,
  title: string,
  width: string,
  of: (row: T) => string | number,
  show: (row: T) => string = (row) => String(of(row)),
): Column<T> {
  return { id, title, width, isWide: true, sortBy: of, cell: (row) => show(row) || '–' }
}

export function numberColumn<T>(
  id: string,
  title: string,
  width: string,
  of: (row: T) => number,
  show?: (row: T) => string,
): Column<T> {
  return { ...plainColumn(id, title, width, of, show), isNumber: true }
}

/** The column that names a row, in any script. */
export function nameColumn<T>(
  id: string,
  title: string,
  of: (row: T) => string,
  rest?: (row: T) => ReactNode,
): Column<T> {
  return {
    id,
    title,
    sortBy: (row) => of(row).toLowerCase(),
    cell: (row) => (
      <>
        <span dir="auto" title={of(row)}>
          {of(row)}
        </span>
        {rest?.(row)}
      </>
    ),
  }
}
