import { Tabs } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogStore, StoreProduct } from '../../api/catalog.ts'
import { Section } from '../../components/section.tsx'
import classes from './product.module.css'
import { asSafeHtml } from './safe-html.ts'

/** Pictures and texts. Descriptions are suppliers' HTML, and are cleaned before they are shown. */
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
    <Section title={t('content')}>
      <Images urls={first.product.images} />
      <Tabs defaultValue={first.store.slug} keepMounted={false}>
        <Tabs.List aria-label={t('content')}>
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

const IMAGES_SHOWN = 8

function Images({ urls }: { urls: readonly string[] }) {
  const { t } = useTranslation('product')
  const shown = urls.filter((url) => /^https?:/i.test(url)).slice(0, IMAGES_SHOWN)
  if (shown.length === 0) return null
  return (
    <div className={classes.images}>
      {shown.map((url, i) => (
        <img
          key={url}
          src={url}
          alt={t('image', { number: i + 1 })}
          loading="lazy"
          referrerPolicy="no-referrer"
          width={96}
          height={96}
          onError={(event) => {
            event.currentTarget.style.display = 'none'
          }}
        />
      ))}
    </div>
  )
}
