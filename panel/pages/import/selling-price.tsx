import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unsaved } from '../../components/unsaved.ts'
import { useFormats } from '../../words/format.ts'
import type { FileColumn } from './columns.ts'
import classes from './import.module.css'
import { isObject } from '../../resources/is-object.ts'
import { columnsIn, type Doc, fieldsOf, type Source, withField } from './mapping.ts'
import type { PriceColumn } from './preview-file.ts'

/** Shown below a cost whose column is probably a selling price, with ways to correct it. */
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
  const format = useFormats()
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
        {t(`price.${first.vat}`, { columns: selling.map(({ column }) => format.quote(column)).join(', ') })}
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
          <Unsaved when={typed !== ''} />
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

// matches costs that are computed from prices with VAT

const FORMULA = /^gross \* 100 \/ \(100 \+ (\d{1,2}(?:\.\d{1,2})?)\)$/

/** The same cost without VAT. @param rate percent, as plain decimal text */
const netOf = (source: Source, rate: string): Source => ({
  calc: `gross * 100 / (100 + ${rate})`,
  of: { gross: source },
})

/** The VAT rate in percent that a source subtracts, and the source with VAT; null if it subtracts none. */
function vatTakenOff(source: unknown): { rate: string; gross: Source } | null {
  if (!isObject(source) || typeof source['calc'] !== 'string' || !isObject(source['of'])) return null
  const rate = FORMULA.exec(source['calc'])?.[1]
  const gross = source['of']['gross']
  if (rate === undefined || (typeof gross !== 'string' && !isObject(gross))) return null
  return { rate, gross }
}

/** A typed rate in percent, above 0 and below 100; null if it is not one. */
function rateOf(typed: string): string | null {
  const text = typed.trim().replace(/\s*%$/, '').replace(',', '.')
  return /^\d{1,2}(?:\.\d{1,2})?$/.test(text) && Number(text) > 0 ? text : null
}

/**
 * The currency that a cost column contains beside the amount. A formula loses it, so it is read from the same column.
 */
function currencyBeside(source: unknown, columns: readonly FileColumn[]): Doc | undefined {
  const beside = columnsIn(source).find((name) =>
    columns.find((column) => column.name === name)?.samples.some((sample) => /\b[A-Z]{3}\b/.test(sample)),
  )
  return beside === undefined ? undefined : { column: beside, capture: '[A-Z]{3}' }
}
