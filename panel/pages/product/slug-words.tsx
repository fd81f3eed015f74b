import { useTranslation } from 'react-i18next'
import type { ProductExplanation } from './data.ts'
import classes from './product.module.css'

/** The product's slug in a store, its source, and former slugs that lead to it. */
export function SlugWords({ slug: { value, by, old } }: { slug: NonNullable<ProductExplanation['slug']> }) {
  const { t } = useTranslation('product-edit')
  return (
    <div>
      <h3>{t('slug.name')}</h3>
      <p>
        <bdi>{value}</bdi> <span className={classes.quiet}>{t(`slug.by.${by}`)}</span>
      </p>
      {old.length === 0 ? null : (
        <>
          <p className={classes.quiet}>{t('slug.old')}</p>
          <ul className={classes.lines}>
            {old.map((slug) => (
              <li key={slug}>
                <bdi>{slug}</bdi>
                <span className={classes.quiet}>
                  → <bdi>{value}</bdi>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
