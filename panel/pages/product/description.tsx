import { Tabs } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogStore, StoreProduct } from '../../api/catalog.ts'
import { Section } from '../../components/page.tsx'
import classes from './product.module.css'
import { asSafeHtml } from './safe-html.ts'

/** Pictures and texts. Descriptions are suppliers' HTML, and are sanitized before they are shown. */
export function Description({
  stores,
  products,
}: {
  stores: readonly CatalogStore[]
  products: readonly (StoreProduct | null)[]
}) {
  const { t } = useTranslation('product')
  const shown = stores.flatMap((store, i) => {
    const product = products[i]
    return product === null || product === undefined ? [] : [{ store, product }]
  })
  const [first] = shown
  if (first === undefined) return null
  return (
    <Section title={t('descriptions')}>
      <Tabs defaultValue={first.store.slug} keepMounted={false}>
        <Tabs.List aria-label={t('descriptions')}>
          {shown.map(({ store }) => (
            <Tabs.Tab key={store.slug} value={store.slug} className={classes.storeTab}>
              {store.name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(({ store, product }) => (
          <Tabs.Panel key={store.slug} value={store.slug} pt="sm">
            {product.description === null ? (
              <p className={classes.quiet}>{t('noDescription')}</p>
            ) : (
              <SafeHtml html={product.description} locale={store.locale} />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  )
}

function SafeHtml({ html, locale }: { html: string; locale: string }) {
  const clean = useMemo(() => asSafeHtml(html), [html])
  return <div className={classes.description} lang={locale} dir="auto" dangerouslySetInnerHTML={{ __html: clean }} />
}
