import { Button, Menu, Popover, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckIcon, ChevronDownIcon, CloseIcon } from '../design/icons.tsx'
import classes from './filters.module.css'

export interface Filter {
  name: string
  label: string
  value: string | undefined
  /** The values to choose from; for a text, suggestions. */
  options: readonly { value: string; label: string }[]
  /** Any text can be typed. */
  isText?: boolean
}

/** Filters as chips: each shows its value, and its cross removes it. Pages keep the values in their address. */
export function Filters({
  filters,
  change,
  clear,
}: {
  filters: readonly Filter[]
  change: (name: string, value: string | undefined) => void
  /** Removes all filters at once. Without it, they are removed one by one. */
  clear?: () => void
}) {
  const { t } = useTranslation()
  const set = filters.filter(({ value }) => value !== undefined)
  return (
    <div className={classes.filters}>
      {filters.map((filter) => {
        const { name, label, value } = filter
        return (
          <span key={name} className={`${classes.chip} ${value === undefined ? '' : classes.on}`}>
            {filter.isText === true ? (
              <Typed filter={filter} change={(text) => change(name, text)} />
            ) : (
              <Chosen filter={filter} change={(chosen) => change(name, chosen)} />
            )}
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
          onClick={
            clear ??
            (() => {
              for (const { name } of set) change(name, undefined)
            })
          }
        >
          {t('clear')}
        </button>
      )}
    </div>
  )
}

interface ChipProps {
  filter: Filter
  change: (value: string | undefined) => void
}

/** The text of a chip. */
function words({ label, value, options }: Filter): string {
  if (value === undefined) return label
  return `${label}: ${options.find((option) => option.value === value)?.label ?? value}`
}

function Chosen({ filter, change }: ChipProps) {
  const { value, options } = filter
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className={classes.button}>
          <span className={classes.words}>{words(filter)}</span>
          {value === undefined ? <ChevronDownIcon size={14} /> : null}
        </button>
      </Menu.Target>
      <Menu.Dropdown className={classes.options}>
        {options.map((option) => (
          <Menu.Item
            key={option.value}
            leftSection={option.value === value ? <CheckIcon size={14} /> : <span style={{ width: 14 }} />}
            onClick={() => change(option.value)}
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Typed({ filter, change }: ChipProps) {
  const { t } = useTranslation()
  const { label, value, options } = filter
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const list = useId()
  const open = () => {
    setText(value ?? '')
    setOpen(true)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={classes.button} onClick={() => (isOpen ? setOpen(false) : open())}>
          <span className={classes.words}>{words(filter)}</span>
          {value === undefined ? <ChevronDownIcon size={14} /> : null}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className={classes.typed}
          onSubmit={(event) => {
            event.preventDefault()
            setOpen(false)
            change(text.trim() === '' ? undefined : text.trim())
          }}
        >
          <TextInput
            aria-label={label}
            placeholder={label}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            list={list}
            autoComplete="off"
            data-autofocus
          />
          <datalist id={list}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </datalist>
          <Button type="submit">{t('filter.apply')}</Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
