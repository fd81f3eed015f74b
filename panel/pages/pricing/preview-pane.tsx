import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Preview, PreviewEffect, PreviewExample } from '../../../contract/panel/previews.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Waiting } from '../../components/loaded.tsx'
import { ProductName, useProductWords, useStoreName } from '../../resources/product-name.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { useReasonWords } from '../../words/reasons.ts'
import classes from './pricing.module.css'
import { priceDifferenceText, EFFECTS_WITH_EXAMPLES, effectSentence, moneyOf } from './sentences.ts'

/** Effects whose examples are folded at first, because their number suffices. */
const QUIET: ReadonlySet<PreviewEffect> = new Set(['priced', 'reasoned', 'ruled'])

/** A preview: a sentence, then the largest changes and examples. */
export function PreviewPane({
  preview,
  error,
  isOld,
  faults = [],
  note,
  isFolded = false,
}: {
  preview: Preview | undefined
  error: unknown
  isOld: boolean
  /** Reasons why the change cannot be previewed; each is also shown beside its field. */
  faults?: readonly string[]
  /** A further remark. */
  note?: ReactNode
  /** Changes and examples are folded at first. */
  isFolded?: boolean
}) {
  const { t } = useTranslation(['pricing', 'shared'])
  const storeName = useStoreNames()
  if (faults.length > 0)
    return (
      <div className={classes.unready} role="status">
        <p>{t('preview.unready')}</p>
        <ul>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      </div>
    )
  if (error !== null) return <ProblemNote error={error} />
  if (preview === undefined) return <Waiting lines={isFolded ? 1 : 6} />
  const details = (
    <>
      <Moves title={t('preview.up')} moves={preview.largest_up} storeName={storeName} />
      <Moves title={t('preview.down')} moves={preview.largest_down} storeName={storeName} />
      {EFFECTS_WITH_EXAMPLES.map((effect) => (
        <Examples key={effect} effect={effect} preview={preview} storeName={storeName} />
      ))}
      <ByStore preview={preview} storeName={storeName} />
    </>
  )
  return (
    <div className={isOld ? classes.old : undefined} aria-busy={isOld}>
      <Summary preview={preview} />
      {note}
      {!isFolded ? (
        details
      ) : preview.changed.products + preview.effects.held.products === 0 ? null : (
        <details className={classes.examples}>
          <summary>{t('preview.examples')}</summary>
          <div className={classes.folded}>{details}</div>
        </details>
      )}
    </div>
  )
}

/** The name of a store; its slug is shown on hover. */
type StoreNames = (slug: string) => ReactNode

function useStoreNames(): StoreNames {
  const nameOf = useStoreName()
  return (slug) => (
    <span title={slug} dir="auto">
      {nameOf(slug)}
    </span>
  )
}

function Summary({ preview }: { preview: Preview }) {
  const { t } = useTranslation(['pricing', 'shared'])
  const format = useFormats()
  const { spread, products } = preview
  const prices = preview.prices_up + preview.prices_down
  const share = spread.products === 0 ? 0 : Math.round((spread.changed / spread.products) * 100)
  return (
    <div role="status">
      <p className={classes.sentence}>{effectSentence(preview, t, format)}</p>
      <p className={classes.quiet}>
        {preview.is_everything
          ? t('preview.everything', { count: products })
          : `${t('preview.sample', { count: products })} ${t('preview.share', { percent: share })}`}
        {prices > preview.effects.repriced.products ? ` ${t('preview.prices', { count: prices })}` : ''}
      </p>
    </div>
  )
}

function Moves({
  title,
  moves,
  storeName,
}: {
  title: string
  moves: readonly PreviewExample[]
  storeName: StoreNames
}) {
  const { t } = useTranslation(['pricing', 'shared'])
  const format = useFormats()
  if (moves.length === 0) return null
  return (
    <table className={classes.moves}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t('preview.product')}</th>
          <th scope="col" className={classes.number}>
            {t('preview.before')}
          </th>
          <th scope="col" className={classes.number}>
            {t('preview.after')}
          </th>
          <th scope="col" className={classes.number}>
            {t('preview.by')}
          </th>
        </tr>
      </thead>
      <tbody>
        {moves.map((move) => (
          <tr key={`${move.product_id} ${move.store} ${move.customer_group?.id}`}>
            <td>
              <ProductLink example={move} />
              <small className={classes.where}>
                {storeName(move.store)}
                {move.customer_group === null ? null : ` · ${move.customer_group.name}`}
              </small>
            </td>
            <td className={classes.number}>
              {moneyOf(format, move.old_price ?? '', move.currency)}
              <WithoutTax amount={move.old_price_without_tax} currency={move.currency} />
            </td>
            <td className={classes.number}>
              {moneyOf(format, move.new_price ?? '', move.currency)}
              <WithoutTax amount={move.new_price_without_tax} currency={move.currency} />
            </td>
            <td className={classes.number}>{priceDifferenceText(format, move)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Examples({ effect, preview, storeName }: { effect: PreviewEffect; preview: Preview; storeName: StoreNames }) {
  const { t } = useTranslation(['pricing', 'shared'])
  const examples = preview.examples[effect]
  if (examples.length === 0) return null
  return (
    <details className={classes.examples} open={!QUIET.has(effect)}>
      <summary>{t(`effect.${effect}`, { count: preview.effects[effect].products })}</summary>
      <ul>
        {examples.map((example) => (
          <li key={`${example.product_id} ${example.store}`}>
            <ProductLink example={example} /> <span className={classes.quiet}>{storeName(example.store)}</span>{' '}
            <Difference example={example} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Difference({ example }: { example: PreviewExample }) {
  const { t } = useTranslation(['pricing', 'shared'])
  const format = useFormats()
  const reasonWords = useReasonWords()
  const {
    currency,
    old_price: before,
    new_price: after,
    wanted_price: wanted,
    old_reason: was,
    new_reason: now,
  } = example
  const money = (value: string | null) => (value === null ? t('preview.noPrice') : moneyOf(format, value, currency))
  if (wanted !== null) return <span>{t('preview.heldAt', { price: money(before), wanted: money(wanted) })}</span>
  const [beside, besideThen] = [example.old_compare_at_price, example.new_compare_at_price]
  if (before !== null && before === after && beside !== besideThen) {
    const struck = (value: string | null) => (value === null ? '–' : <s>{money(value)}</s>)
    return (
      <span>
        {money(before)} {struck(beside)} → {struck(besideThen)}
      </span>
    )
  }
  if (before !== null || after !== null)
    return (
      <span>
        {money(before)} <WithoutTax amount={example.old_price_without_tax} currency={currency} /> → {money(after)}{' '}
        <WithoutTax amount={example.new_price_without_tax} currency={currency} />
      </span>
    )
  if (was !== null || now !== null)
    return (
      <span>
        {was === null ? t('preview.exported') : reasonWords(was)} →{' '}
        {now === null ? t('preview.exported') : reasonWords(now)}
      </span>
    )
  return null
}

/** The price without tax, for a price that is shown with tax. */
function WithoutTax({ amount, currency }: { amount: string | null; currency: string | null }) {
  const { t } = useTranslation('pricing')
  const format = useFormats()
  if (amount === null) return null
  return <small className={classes.net}> {t('preview.withoutTax', { price: moneyOf(format, amount, currency) })}</small>
}

function ProductLink({ example }: { example: PreviewExample }) {
  const nameOf = useProductWords()
  const account = useAccount()
  return (
    <Link
      to="/$account/catalog/$product"
      params={{ account: String(account.id), product: String(example.product_id) }}
      className={classes.product}
      // a new tab, so that the form's input is not lost
      target="_blank"
      title={nameOf(example, example.product_id)}
      dir="auto"
    >
      <ProductName of={example} id={example.product_id} />
    </Link>
  )
}

function ByStore({ preview, storeName }: { preview: Preview; storeName: StoreNames }) {
  const { t } = useTranslation(['pricing', 'shared'])
  if (preview.stores.length < 2) return null
  return (
    <details className={classes.examples}>
      <summary>{t('preview.byStore')}</summary>
      <ul>
        {preview.stores.map(({ store, changed }) => (
          <li key={store}>
            {storeName(store)} <span className={classes.quiet}>{t('preview.inStore', { count: changed })}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
