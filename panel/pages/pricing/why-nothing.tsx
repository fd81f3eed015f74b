import { useTranslation } from 'react-i18next'
import type { Preview } from '../../../contract/panel/previews.ts'
import classes from './pricing.module.css'
import type { NamedThings, RuleTab } from './rules.ts'
import type { RuleValues } from './values.ts'

/** Why a rule changes nothing where products are treated like that without it, and how one gets what one had in mind. */
export function WhyNothing({
  tab,
  values,
  preview,
  named,
}: {
  tab: RuleTab
  values: RuleValues
  preview: Preview | undefined
  named: NamedThings
}) {
  const { t } = useTranslation('pricing')
  if (preview?.changed.payloads !== 0) return null
  if (tab === 'exclusion-rules' && values.kind === 'no_price')
    return <p className={classes.quiet}>{t('already.unpriced')}</p>
  const store = named.stores?.find(({ id }) => String(id) === values.store_id)
  const isListed = values.is_listed === 'yes'
  if (tab !== 'assortment-rules' || store?.lists_by_default !== isListed) return null
  const words = { store: store.name, unlists: t('fields.unlists') }
  return <p className={classes.quiet}>{t(isListed ? 'already.listed' : 'already.unlisted', words)}</p>
}
