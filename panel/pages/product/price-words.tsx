import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { CatalogStore } from '../../api/catalog.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import type { ProductExplanation } from './data.ts'
import { FixedPrice, OwnCost } from './fixed-price.tsx'
import classes from './product.module.css'
import { RuleLink, useConditions } from './state-words.tsx'
import { useUnitPriceWords } from './unit-price-words.tsx'

type Price = ProductExplanation['prices'][number]

/** The most rules that are shown: those nearest to the applied one. */
const TRIED_SHOWN = 8

/** The price of one customer group, the rules that were tried for it, and a form for a fixed price. */
export function PriceWords({
  open,
  why,
  group,
  store,
  title,
}: {
  why: ProductExplanation
  group: string
  store: CatalogStore
  title: string
  /** Opens another value of the product. */
  open: (value: string) => void
}) {
  const { t } = useTranslation('product-edit')
  const account = useAccount()
  const price = why.prices.find((entry) => entry.group === group)
  return (
    <div className={classes.why}>
      {price === undefined ? (
        <p>{t('mark.noRule')}</p>
      ) : (
        <Arithmetic
          price={price}
          isOnly={why.prices.length === 1}
          hasCost={why.base_cost !== null}
          isWithoutTaxRate={why.tax?.is_priceless === true}
        />
      )}
      {price === undefined ? (
        <p className={classes.quiet}>
          {t('priceNote')}{' '}
          <Link to="/$account/pricing" params={{ account: String(account.id) }} search={{ new: true }}>
            {t('priceRule')}
          </Link>
        </p>
      ) : why.base_cost === null ? (
        <OwnCost note={t('fixed.noCost')} open={open} />
      ) : (
        <FixedPrice price={price} isOnly={why.prices.length === 1} store={store} title={title} />
      )}
    </div>
  )
}

/** The calculation of a price, line by line. */
export function Arithmetic({
  price,
  isOnly,
  hasCost,
  isWithoutTaxRate,
}: {
  price: Price
  isOnly: boolean
  /** Without a cost, rules make no price. */
  hasCost: boolean
  /** Without the tax rate, a store that shows prices with tax has no price. */
  isWithoutTaxRate: boolean
}) {
  const { t } = useTranslation('product')
  const format = useFormats()
  const perUnit = useUnitPriceWords()
  const rule = price.rules.find(({ is_applied: isApplied }) => isApplied)
  return (
    <div>
      <h3>
        {isOnly ? t('why.price') : t('why.priceOf', { group: price.group })}
        {price.price === null ? '' : `: ${format.money(price.price, price.currency)}`}
        {price.compare_at_price === null ? null : (
          <>
            {' '}
            <s className={classes.quiet}>{format.money(price.compare_at_price, price.currency)}</s>
          </>
        )}
      </h3>
      {price.unit_price === null || price.unit_price.value === null ? null : (
        <p>{perUnit({ ...price.unit_price, value: price.unit_price.value }, price.currency)}</p>
      )}
      {price.sale === null ? null : (
        <p className={classes.quiet}>
          {t(`why.sales.${price.sale}`)}
          {price.lowest_price_30_days === null
            ? null
            : ` ${t('why.lowest', { price: format.money(price.lowest_price_30_days, price.currency) })}`}
        </p>
      )}
      <p className={classes.quiet}>
        {rule === undefined ? (
          t(!hasCost ? 'why.noCost' : isWithoutTaxRate ? 'why.noTaxRate' : 'why.noRule')
        ) : (
          <>
            {t('why.byRule')} <RuleLink tab={undefined} id={rule.rule_id} name={rule.name} />
          </>
        )}
        {price.held === null
          ? null
          : ` ${t('why.held', { price: format.money(price.held.wanted_price, price.currency) })}`}
      </p>
      {price.price_list === null ? null : (
        <p className={classes.quiet}>
          {t('why.byList')} <ListLink list={price.price_list} />
        </p>
      )}
      {price.steps.length === 0 ? null : <Steps steps={price.steps} />}
      {price.made_list_price === null ? null : <MadeListPrice made={price.made_list_price} currency={price.currency} />}
      {price.tiers.length === 0 ? null : <Tiers price={price} />}
      {price.unit_price === null ? null : <Steps steps={price.unit_price.steps} />}
      {hasCost ? <Tried rules={price.rules} appliedId={price.applied_rule_id} /> : null}
    </div>
  )
}

/** A link to a price list by its name. */
function ListLink({ list: { key, name } }: { list: NonNullable<Price['price_list']> }) {
  const account = useAccount()
  return (
    <Link to="/$account/price-lists/$list" params={{ account: String(account.id), list: key }}>
      <span dir="auto">{name}</span>
    </Link>
  )
}

/** The list price that the rule computes from the cost, with its calculation; also if prices do not show it. */
function MadeListPrice({ made, currency }: { made: NonNullable<Price['made_list_price']>; currency: string }) {
  const { t } = useTranslation('product')
  const format = useFormats()
  return (
    <details>
      <summary>
        {t('why.madeListPrice')}: {format.money(made.price, currency)}
        {made.left_out === null ? null : (
          <span className={classes.quiet}> {t(`why.madeListPriceLeftOut.${made.left_out}`)}</span>
        )}
      </summary>
      <Steps steps={made.steps} />
    </details>
  )
}

/** The tiers with their calculations; also those that prices do not show. */
function Tiers({ price: { tiers, currency } }: { price: Price }) {
  const { t } = useTranslation('product')
  const format = useFormats()
  return (
    <>
      <h4>{t('why.tiers')}</h4>
      {tiers.map(({ quantity, price, left_out: leftOut, steps }) => (
        <details key={quantity}>
          <summary>
            {t('why.tier', { quantity: format.number(quantity), price: format.money(price, currency) })}
            {leftOut === null ? null : <span className={classes.quiet}> {t(`why.tierLeftOut.${leftOut}`)}</span>}
          </summary>
          <Steps steps={steps} />
        </details>
      ))}
    </>
  )
}

/** The rules that were tried, up to the applied one, with the reasons why the others do not apply. */
function Tried({ rules, appliedId }: { rules: Price['rules']; appliedId: number | null }) {
  const { t } = useTranslation('product-edit')
  const applied = rules.findIndex((rule) => rule.rule_id === appliedId)
  const tried = applied < 0 ? rules : rules.slice(0, applied + 1)
  const shown = tried.slice(-TRIED_SHOWN)
  return (
    <>
      {tried.length > shown.length ? (
        <p className={classes.quiet}>{t('rule.before', { count: tried.length - shown.length })}</p>
      ) : null}
      <ol className={classes.lines} start={tried.length - shown.length + 1}>
        {shown.map((rule) => (
          <TriedRule key={rule.rule_id} rule={rule} isApplied={rule.rule_id === appliedId} />
        ))}
      </ol>
    </>
  )
}

function TriedRule({ rule, isApplied }: { rule: Price['rules'][number]; isApplied: boolean }) {
  const { t } = useTranslation('product-edit')
  const conditions = useConditions(rule.unmet)
  return (
    <li>
      <RuleLink tab={undefined} id={rule.rule_id} name={rule.name} />
      <span className={classes.quiet}>
        {isApplied ? t('rule.applies') : rule.unmet.length === 0 ? t('rule.later') : t('rule.unmet', { conditions })}
      </span>
    </li>
  )
}

export function Steps({ steps }: { steps: Price['steps'] }) {
  const { t } = useTranslation('product')
  const format = useFormats()
  const by = (text: string) => {
    if (text === 'minor_digits') return t('why.digits')
    if (text === 'minor_digits up') return t('why.digitsUp')
    if (text === 'minor_digits down') return t('why.digitsDown')
    return /^-?\d+(?:\.\d+)?$/.test(text) ? format.figure(text) : text
  }
  return (
    <table className={`${classes.steps} ${classes.amounts}`}>
      <thead>
        <tr>
          <th scope="col">{t('why.step')}</th>
          <th scope="col">{t('why.by')}</th>
          <th scope="col">{t('why.gives')}</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step, i) => (
          <tr key={i}>
            <td>{t(`why.steps.${step.step}`)}</td>
            <td className={classes.quiet}>
              {t(`why.ops.${step.op}`)} {by(step.by)}
            </td>
            <td>{format.figure(step.result)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
