import { useTranslation } from 'react-i18next'
import type { ProductExplanation } from './data.ts'
import classes from './product.module.css'

/** The tax class of the product, and the tax in each customer group's price; nothing in a store without tax settings. */
export function TaxWords({ why: { tax, prices } }: { why: ProductExplanation }) {
  const { t } = useTranslation('product')
  if (tax === null) return null
  const { class: name, by, category } = tax
  return (
    <div>
      <h3>{t('why.tax')}</h3>
      <p>
        {name === null || by === null
          ? t('why.taxClass.none')
          : t(`why.taxClass.${by}`, { name, category: category ?? '' })}
      </p>
      <ul className={classes.lines}>
        {prices.map(({ group_id: id, group, tax: own }) =>
          own === null ? null : (
            <li key={id}>
              {group}:{' '}
              {own.rate === null
                ? t('why.taxRate.unknown', { country: own.country })
                : t(own.is_included ? 'why.taxRate.with' : 'why.taxRate.without', {
                    rate: own.rate,
                    country: own.country,
                  })}
            </li>
          ),
        )}
      </ul>
    </div>
  )
}
