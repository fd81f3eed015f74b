import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from '../components/list.tsx'
import { StateMark } from '../components/state-mark.tsx'
import '../words/resources.ts'

/** Whether something is in use. */
export function Activity({ isActive }: { isActive: boolean }) {
  const { t } = useTranslation('resources')
  return <StateMark tone={isActive ? 'good' : 'off'}>{isActive ? t('active') : t('inactive')}</StateMark>
}

export function useStateColumn<T extends { is_active: boolean }>(): Column<T> {
  const { t } = useTranslation('resources')
  return {
    id: 'state',
    title: t('state'),
    width: '13%',
    isWide: true,
    sortBy: (row) => Number(row.is_active),
    cell: (row) => <Activity isActive={row.is_active} />,
  }
}

/** A column that shows and sorts by one value; left out on a phone. */
export function plainColumn<T>(
  id: string,
  title: string,
  width: string,
  of: (row: T) => string | number,
  show: (row: T) => string = (row) => String(of(row)),
): Column<T> {
  return { id, title, width, isWide: true, sortBy: of, cell: (row) => show(row) || '–' }
}

/** The same for numbers. */
export function numberColumn<T>(
  id: string,
  title: string,
  width: string,
  of: (row: T) => number,
  show?: (row: T) => string,
): Column<T> {
  return { ...plainColumn(id, title, width, of, show), isNumber: true }
}

/** The column that names a row, in whatever script. */
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
