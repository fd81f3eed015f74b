import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../api/read.ts'
import { ProblemNote } from '../components/problem-note.tsx'
import { useAccountParams } from '../session/account.ts'
import { ProductThumbnail } from './product-line.tsx'
import { ProductName, useProductWords } from './product-name.tsx'
import classes from './product-search.module.css'

const TYPING_MS = 150
const FOUND = 8
/** The service accepts no longer searches. */
const SEARCH_LENGTH_MAX = 200

/** Searches products by words and lets the reader choose some of them. */
export function ProductSearch({
  label,
  action,
  isLeftOut,
  choose,
}: {
  label: string
  /** Label of the button beside each product: a verb. */
  action: string
  isLeftOut: (id: number) => boolean
  choose: (id: number) => void
}) {
  const { t } = useTranslation()
  const nameOf = useProductWords()
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text.trim(), TYPING_MS)
  const found = useRead(
    'GET /panel/api/accounts/{account_id}/products',
    { params: useAccountParams(), query: { search: settled.slice(0, SEARCH_LENGTH_MAX), per_page: FOUND * 2 } },
    { isEnabled: settled !== '' },
  )
  const meant = found.data?.meta.did_you_mean ?? null
  const rows = (found.data?.data ?? []).filter(({ id }) => !isLeftOut(id)).slice(0, FOUND)
  return (
    <>
      <TextInput
        label={label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      {settled === '' ? null : found.isError ? (
        <ProblemNote error={found.error} />
      ) : found.data !== undefined && rows.length === 0 ? (
        <p className={classes.none}>
          {t('productSearch.none')}{' '}
          {meant === null ? null : (
            <Button size="compact-sm" variant="default" onClick={() => setText(meant)}>
              {t('productSearch.meant', { text: meant })}
            </Button>
          )}
        </p>
      ) : (
        <ul className={classes.found}>
          {rows.map((row) => (
            <li key={row.id}>
              <ProductThumbnail picture={row.picture} size={40} />
              <span dir="auto" className={classes.name}>
                <ProductName of={row} id={row.id} />
                <small>
                  {[`#${row.id}`, row.sku, row.ean, row.manufacturer].filter((part) => part !== null).join(' · ')}
                </small>
              </span>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`${action}: ${nameOf(row, row.id)}`}
                onClick={() => choose(row.id)}
              >
                {action}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
