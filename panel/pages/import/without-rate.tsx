import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useResource, useResources } from '../../api/resources.ts'
import { useSettings } from '../../api/settings.ts'
import { useAccount } from '../../session/account.ts'
import classes from './import.module.css'

/** Costs in a currency without an exchange rate make no prices: it is said before they are imported. */
export function WithoutRate({ code }: { code: string }) {
  const { t } = useTranslation('import')
  const { id } = useAccount()
  const own = useSettings(id).data?.data.currency
  const currency = useResource(id, 'suppliers', code).data?.data.currency
  const rates = useResources(id, 'rates').data
  if (own === undefined || currency === undefined || rates === undefined) return null
  if (currency === own || rates.some((rate) => rate.currency === currency)) return null
  return (
    <p className={classes.warning}>
      {t('run.noRate', { currency, own })}{' '}
      <Link to="/$account/rates" params={{ account: String(id) }} search={{ new: true, from: currency }}>
        {t('run.setRate')}
      </Link>
    </p>
  )
}
