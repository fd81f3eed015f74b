import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CheckIcon, ChevronDownIcon, CloseIcon } from '../design/icons.tsx'
import classes from './filters.module.css'

export interface Filter {
  name: string
  label: string
  value: string | undefined
  options: readonly { value: string; label: string }[]
}

/** Filters as chips: each says what it holds back, and is taken off by its cross. The values belong into the page's address. */
export function Filters({
  filters,
  change,
}: {
  filters: readonly Filter[]
  change: (name: string, value: string | undefined) => void
}) {
  const { t } = useTranslation()
  const set = filters.filter(({ value }) => value !== undefined)
  return (
    <div className={classes.filters}>
      {filters.map(({ name, label, value, options }) => {
        const chosen = options.find((option) => option.value === value)
        return (
          <span key={name} className={`${classes.chip} ${value === undefined ? '' : classes.on}`}>
            <Menu position="bottom-start">
              <Menu.Target>
                <button type="button" className={classes.button}>
                  {value === undefined ? label : `${label}: ${chosen?.label ?? value}`}
                  {value === undefined ? <ChevronDownIcon size={14} /> : null}
                </button>
              </Menu.Target>
              <Menu.Dropdown>
                {options.map((option) => (
                  <Menu.Item
                    key={option.value}
                    leftSection={option.value === value ? <CheckIcon size={14} /> : <span style={{ width: 14 }} />}
                    onClick={() => change(name, option.value)}
                  >
                    {option.label}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
            {value === undefined ? null : (
              <button
                type="button"
                className={classes.cross}
                aria-label={t('filter.remove', { label })}
                onClick={() => change(name, undefined)}
              >
                <CloseIcon size={14} />
              </button>
            )}
          </span>
        )
      })}
      {set.length < 2 ? null : (
        <button
          type="button"
          className={classes.clear}
          onClick={() => {
            for (const { name } of set) change(name, undefined)
          }}
        >
          {t('clear')}
        </button>
      )}
    </div>
  )
}
