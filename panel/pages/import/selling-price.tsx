import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileColumn } from './columns.ts'
import classes from './import.module.css'
import { columnsIn, fieldsOf, withField, type Doc, type Source } from './mapping.ts'
import { currencyBeside, netOf, rateOf, vatTakenOff } from './net-cost.ts'
import type { PriceColumn } from './preview-file.ts'

/** Below the cost: what its column probably is instead, and what to do about that. */
export function SellingPrice({
  doc,
  change,
  columns,
  prices,
}: {
  doc: Doc
  change: (doc: Doc) => void
  columns: readonly FileColumn[]
  prices: readonly PriceColumn[]
}) {
  const { t } = useTranslation('import')
  const [typed, setTyped] = useState('')
  const { cost, currency } = fieldsOf(doc)
  const net = vatTakenOff(cost)
  if (net !== null)
    return (
      <p className={classes.hint}>
        {t('price.net', { rate: net.rate, columns: columnsIn(net.gross).join(', ') })}{' '}
        <Button variant="default" size="xs" onClick={() => change(withField(doc, 'cost', net.gross))}>
          {t('price.asInFile')}
        </Button>
      </p>
    )
  const read = columnsIn(cost)
  const selling = prices.filter(({ column, kind }) => kind === 'selling' && read.includes(column))
  const [first] = selling
  if (first === undefined) return null
  const purchase = prices.filter(({ column, kind }) => kind === 'purchase' && !read.includes(column))
  const rate = rateOf(typed)
  const makeNet = () => {
    if (rate === null) return
    const beside = currency === undefined || currency === null ? currencyBeside(cost, columns) : undefined
    const withCost = withField(doc, 'cost', netOf(cost as Source, rate))
    change(beside === undefined ? withCost : withField(withCost, 'currency', beside))
  }
  return (
    <div className={classes.hint} role="group" aria-label={t('price.label')}>
      <p className={classes.warning}>
        {t(`price.${first.vat}`, { columns: selling.map(({ column }) => `“${column}”`).join(', ') })}
      </p>
      {purchase.map(({ column }) => (
        <Button key={column} variant="default" size="xs" onClick={() => change(withField(doc, 'cost', column))}>
          {t('price.readOther', { column })}
        </Button>
      ))}
      {first.vat === 'excluded' ? null : (
        <form
          className={classes.net}
          onSubmit={(event) => {
            event.preventDefault()
            makeNet()
          }}
        >
          <TextInput
            label={t('price.rate')}
            placeholder="19"
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            error={typed !== '' && rate === null ? t('price.noRate') : undefined}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" size="sm" disabled={rate === null}>
            {t('price.makeNet')}
          </Button>
        </form>
      )}
    </div>
  )
}
