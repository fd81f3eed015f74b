import { Button, Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ChevronDownIcon } from '../../design/icons.tsx'
import { COLUMNS_MAX, type GridColumn } from './columns.ts'

/** Which columns are shown; the address holds them. */
export function ColumnMenu({
  all,
  shown,
  choose,
}: {
  all: readonly GridColumn[]
  shown: readonly GridColumn[]
  choose: (names: string) => void
}) {
  const { t } = useTranslation('grid')
  const names = shown.map(({ name }) => name)
  const toggle = (name: string) => {
    const next = all.map((column) => column.name).filter((entry) => (entry === name) !== names.includes(entry))
    // with none there would be nothing to choose cells in
    if (next.length > 0) choose(next.join(','))
  }
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon size={14} />}>
          {t('columns.choose')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
        {all.map(({ name, title }) => {
          const isShown = names.includes(name)
          return (
            <Menu.CheckboxItem
              key={name}
              checked={isShown}
              disabled={!isShown && names.length >= COLUMNS_MAX}
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
