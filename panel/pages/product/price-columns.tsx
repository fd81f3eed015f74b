import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../components/state-mark.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { useReasonWords } from '../../words/reasons.ts'
import { useMarks } from './marks.ts'
import type { PriceLine } from './price-lines.ts'
import classes from './price-table.module.css'
import { RuleLink } from './state-words.tsx'
import { useUnitPriceWords } from './unit-price-words.tsx'

export interface PriceColumn {
  id: string
  title: string
  cell: (line: PriceLine) => ReactNode
  /** If set, the column is left out if it is empty in every line. */
  isShown?: (line: PriceLine) => boolean
}

/** The columns of the table of prices, in the order in which a shopper reads them; the origin is last. */
export function usePriceColumns(): PriceColumn[] {
  const { t } = useTranslation('product')
  const format = useFormats()
  const perUnit = useUnitPriceWords()
  const reasonWords = useReasonWords()
  return [
    {
      id: 'price',
      title: t('rows.price'),
      cell: ({ read, exclusion }) => (
        <>
          <strong>{read === undefined ? '–' : format.money(read.computed_price, read.currency)}</strong>
          {read === undefined ? null : <TaxNote price={read} />}
          {exclusion === null ? null : (
            <small>
              <StateMark tone="warn">{t('excluded', { reason: reasonWords(exclusion) })}</StateMark>
            </small>
          )}
        </>
      ),
    },
    {
      id: 'compare',
      title: t('priceTable.compare'),
      isShown: ({ read }) => read?.compare_at_price !== undefined,
      cell: ({ read }) =>
        read?.compare_at_price === undefined ? '–' : <s>{format.money(read.compare_at_price, read.currency)}</s>,
    },
    {
      id: 'sale',
      title: t('priceTable.sale'),
      isShown: ({ read }) => read?.is_sale === true,
      cell: ({ read }) => (read?.is_sale === true ? <Sale price={read} /> : '–'),
    },
    {
      id: 'tiers',
      title: t('priceTable.tiers'),
      isShown: ({ read }) => (read?.tiers ?? []).length > 0,
      cell: ({ read }) =>
        (read?.tiers ?? []).length === 0
          ? '–'
          : read?.tiers?.map(({ quantity, price }) => (
              <div key={quantity} className={classes.whole}>
                {t('priceTable.tier', {
                  quantity: format.number(quantity),
                  price: format.money(price, read.currency),
                })}
              </div>
            )),
    },
    {
      id: 'unit',
      title: t('priceTable.unit'),
      isShown: ({ read }) => read?.unit_price !== undefined,
      cell: ({ read }) => (read?.unit_price === undefined ? '–' : perUnit(read.unit_price, read.currency)),
    },
    { id: 'origin', title: t('priceTable.origin'), cell: (line) => <Origin line={line} /> },
  ]
}

type Read = NonNullable<PriceLine['read']>

/** Whether the price includes tax, and the rate; nothing in a store without tax settings. */
function TaxNote({ price: { tax_included: isIncluded, tax_rate: rate } }: { price: Read }) {
  const { t } = useTranslation('product')
  const format = useFormats()
  if (isIncluded === undefined) return null
  const percent = rate === undefined ? undefined : format.decimal(String(rate))
  return (
    <small>
      {percent === undefined
        ? t('priceTable.tax.withoutAny')
        : t(isIncluded ? 'priceTable.tax.with' : 'priceTable.tax.without', { rate: percent })}
    </small>
  )
}

/** The days of a sale, and the lowest price before it. */
function Sale({
  price: { sale_begins_on: from, sale_ends_on: to, lowest_price_30_days: lowest, currency },
}: {
  price: Read
}) {
  const { t } = useTranslation('product')
  const format = useFormats()
  const day = (text: string) => format.day(new Date(`${text}T12:00:00Z`))
  const days =
    from === undefined
      ? to === undefined
        ? t('priceTable.days.open')
        : t('priceTable.days.to', { to: day(to) })
      : to === undefined
        ? t('priceTable.days.from', { from: day(from) })
        : t('priceTable.days.between', { from: day(from), to: day(to) })
  return (
    <>
      {days}
      {lowest === undefined ? null : <small>{t('priceTable.lowest', { price: format.money(lowest, currency) })}</small>}
    </>
  )
}

/** The origin of the price: a rule, a price list, a sale, or a held price. */
function Origin({ line: { why, made } }: { line: PriceLine }) {
  const { t } = useTranslation('product')
  const account = useAccount()
  const marks = useMarks()
  if (why === undefined) return null
  const rule = made?.rules.find(({ is_applied: isApplied }) => isApplied)
  if (made === undefined || rule === undefined)
    return why.tax?.is_priceless === true && why.base_cost !== null ? (
      <>{t('why.noTaxRate')}</>
    ) : (
      <>{t(why.base_cost === null ? 'why.noCost' : 'why.noRule')}</>
    )
  const source = why.sale_price.source
  return (
    <>
      {made.sale === 'shown' ? (
        <div>
          {source?.from === 'override' || source === null
            ? t('priceTable.from.ownSale')
            : t('priceTable.from.sale', { supplier: marks.supplierOf(why, source.supplier_id) })}
        </div>
      ) : null}
      {made.held === null ? null : <StateMark tone="warn">{t('priceTable.from.held')}</StateMark>}
      {made.price_list === null ? (
        <div>
          {t('priceTable.from.rule')} <RuleLink tab={undefined} id={rule.rule_id} name={rule.name} />
        </div>
      ) : (
        <div>
          {t('priceTable.from.list')}{' '}
          <Link to="/$account/price-lists/$list" params={{ account: String(account.id), list: made.price_list.key }}>
            <span dir="auto">{made.price_list.name}</span>
          </Link>
        </div>
      )}
    </>
  )
}
