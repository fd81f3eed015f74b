import { useTranslation } from 'react-i18next'
import { StateMark } from '../../components/state-mark.tsx'
import { useReasonWords } from '../../words/reasons.ts'
import type { ProductExplanation } from './data.ts'
import classes from './product.module.css'
import { Link } from '@tanstack/react-router'
import { PRICE_REASONS, type PriceReason } from '../../../contract/rule-conditions.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'

/** Whether the store lists and excludes the product: each rule that was tried, with its result. */
export function StateWords({ why: { listing, exclusion } }: { why: ProductExplanation }) {
  const { t } = useTranslation(['product', 'product-edit'])
  const reasonWords = useReasonWords()
  return (
    <div>
      <h3>{t('why.listing')}</h3>
      <p>
        <StateMark tone={listing.is_listed ? 'good' : 'off'}>
          {t(listing.is_listed ? `why.listed.${listing.by}` : `why.unlisted.${listing.by}`)}
        </StateMark>
      </p>
      {listing.rules.length === 0 ? null : (
        <ul className={classes.lines}>
          {listing.rules.map((rule) => (
            <ListingRule key={rule.rule_id} rule={rule} />
          ))}
        </ul>
      )}
      <h3 className={classes.second}>{t('why.exclusion')}</h3>
      {exclusion.found.length === 0 ? (
        <p>
          <StateMark tone="good">{t('why.notExcluded')}</StateMark>
        </p>
      ) : (
        <ul className={classes.lines}>
          {exclusion.found.map((found, i) => (
            <li key={i}>
              <StateMark tone="warn">{reasonWords(found.reason)}</StateMark>
              <span className={classes.quiet}>
                {t(`product-edit:exclusion.${found.by}`)}
                {i === 0 && exclusion.found.length > 1 ? ` ${t('product-edit:exclusion.first')}` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
      {exclusion.rules.length === 0 ? null : (
        <ul className={classes.lines}>
          {exclusion.rules.map((rule) => (
            <li key={rule.rule_id}>
              <RuleLink tab="exclusion-rules" id={rule.rule_id} name={rule.name} />
              <span className={classes.quiet}>
                {t(rule.is_match ? 'product-edit:rule.excludes' : 'product-edit:rule.doesNot')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function ListingRule({ rule }: { rule: ProductExplanation['listing']['rules'][number] }) {
  const { t } = useTranslation('product-edit')
  const conditions = useConditions(rule.unmet)
  return (
    <li>
      <RuleLink tab="assortment-rules" id={rule.rule_id} name={rule.name} />
      <span className={classes.quiet}>
        {rule.is_applied
          ? t(rule.lists ? 'rule.lists' : 'rule.unlists')
          : rule.unmet.length === 0
            ? t('rule.later')
            : t('rule.unmet', { conditions })}
      </span>
    </li>
  )
}

/** A link to a rule by its name. @param tab left out: a pricing rule */
export function RuleLink({
  tab,
  id,
  name,
}: {
  tab: 'assortment-rules' | 'exclusion-rules' | undefined
  id: number
  name: string
}) {
  const account = useAccount()
  return (
    <Link
      to="/$account/pricing"
      params={{ account: String(account.id) }}
      search={{ ...(tab === undefined ? {} : { tab }), open: id }}
    >
      <span dir="auto">{name}</span>
    </Link>
  )
}

const isReason = (name: string): name is PriceReason => PRICE_REASONS.some((reason) => reason === name)

/** Conditions of a rule that do not match, in words. */
export function useConditions(names: readonly string[]): string {
  const { t } = useTranslation('conditions')
  const format = useFormats()
  return format.list(names.map((name) => (isReason(name) ? t(`unmet.${name}`) : name)))
}
