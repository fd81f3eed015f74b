import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'

/** Leads to a rule by its name. @param tab left out: a pricing rule */
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

/** Conditions of a rule that are not met, in words. */
export function useConditions(names: readonly string[]): string {
  const { t, i18n } = useTranslation('product-edit')
  const format = useFormats()
  return format.list(
    names.map((name) =>
      i18n.exists(`product-edit:condition.${name}`) ? t(`condition.${name}` as 'condition.store') : name,
    ),
  )
}
