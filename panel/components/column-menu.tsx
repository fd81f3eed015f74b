import { Button, Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ChevronDownIcon } from '../design/icons.tsx'

/** A menu to choose which columns of a table are shown. */
export function ColumnMenu<N extends string>({
  columns,
  shown,
  max = columns.length,
  toggle,
}: {
  /** All columns, in their order. */
  columns: readonly { name: N; title: string }[]
  shown: readonly N[]
  /** The most columns that can be shown at once. */
  max?: number
  toggle: (name: N) => void
}) {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon size={14} />}>
          {t('list.columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
        {columns.map(({ name, title }) => {
          const isShown = shown.includes(name)
          return (
            <Menu.CheckboxItem
              key={name}
              checked={isShown}
              disabled={!isShown && shown.length >= max}
              onChange={() => toggle(name)}
            >
              <span dir="auto">{title}</span>
            </Menu.CheckboxItem>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
