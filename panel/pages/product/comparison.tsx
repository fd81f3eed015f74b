import { useTranslation } from 'react-i18next'
import type { CatalogStore, StoreProduct } from '../../api/catalog.ts'
import { StateMark } from '../../components/state-mark.tsx'
import { useFormats } from '../../words/format.ts'
import classes from './product.module.css'

interface Row {
  key: string
  name: string
  /** What is compared; equal in all stores is quiet. */
  of: (product: StoreProduct) => string
  /** Only products that agree in this are compared: amounts of two currencies always differ, which says nothing. */
  within?: (product: StoreProduct) => string
  show?: (product: StoreProduct) => React.ReactNode
}

/** Stores as columns: what differs between them stands out. */
export function Comparison({
  stores,
  products,
}: {
  stores: readonly CatalogStore[]
  products: readonly (StoreProduct | null)[]
}) {
  const { t } = useTranslation('product')
  const format = useFormats()
  const listed = products.filter((product) => product !== null)
  const groups = [...new Set(listed.flatMap((product) => product.prices.map((price) => price.customer_group)))]
  // labels are in the language of the first store that has the attribute
  const attributes = [
    ...new Map(
      listed.toReversed().flatMap((product) => product.attributes.map(({ key, label }) => [key, label] as const)),
    ),
  ]
  const priceOf = (product: StoreProduct, group: string) =>
    product.prices.find((price) => price.customer_group === group)
  const rows: Row[] = [
    {
      key: 'state',
      name: t('rows.state'),
      of: (product) => (product.excluded ? (product.exclusion_reason ?? 'excluded') : ''),
      show: (product) =>
        product.excluded ? (
          <StateMark tone="warn">{t('excluded', { reason: product.exclusion_reason ?? '' })}</StateMark>
        ) : (
          <StateMark tone="good">{t('exported')}</StateMark>
        ),
    },
    {
      key: 'title',
      name: t('rows.title'),
      of: (product) => product.title ?? '',
      show: (product) => <span dir="auto">{product.title ?? '–'}</span>,
    },
    ...groups.map((group): Row => ({
      key: `price ${group}`,
      name: groups.length === 1 ? t('rows.price') : t('rows.priceOf', { group }),
      of: (product) => `${priceOf(product, group)?.computed_price}`,
      within: (product) => priceOf(product, group)?.currency ?? '',
      show(product) {
        const price = priceOf(product, group)
        return price === undefined ? '–' : format.money(price.computed_price, price.currency)
      },
    })),
    {
      key: 'cost',
      name: t('rows.cost'),
      of: (product) => `${product.prices[0]?.base_cost}`,
      within: (product) => product.prices[0]?.currency ?? '',
      show(product) {
        const [price] = product.prices
        return price === undefined ? '–' : format.money(price.base_cost, price.currency)
      },
    },
    {
      key: 'stock',
      name: t('rows.stock'),
      of: (product) => String(product.stock),
      show: (product) => format.number(product.stock),
    },
    { key: 'sku', name: 'SKU', of: (product) => product.sku ?? '–' },
    { key: 'ean', name: 'EAN', of: (product) => product.ean ?? '–' },
    { key: 'manufacturer', name: t('rows.manufacturer'), of: (product) => product.manufacturer ?? '–' },
    {
      key: 'images',
      name: t('rows.images'),
      of: (product) => product.images.join(' '),
      show: (product) => format.number(product.images.length),
    },
    ...attributes.map(([key, label]): Row => ({
      key: `attribute ${key}`,
      name: label,
      of: (product) => product.attributes.find((attribute) => attribute.key === key)?.value ?? '–',
    })),
  ]
  return (
    // a region that scrolls is reached by the keyboard
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('sideBySide')}>
      <table className={classes.comparison}>
        <thead>
          <tr>
            <td />
            {stores.map(({ slug, name, locale, currency }) => (
              <th key={slug} scope="col">
                <span dir="auto">{name}</span>
                <small>
                  {slug} · {locale} · {currency}
                </small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, of, within, show }) => {
            const isDifferent = differs(listed, of, within)
            return (
              <tr key={key} className={isDifferent ? classes.different : undefined}>
                <th scope="row">{name}</th>
                {products.map((product, i) => (
                  <td key={stores[i]?.slug ?? i}>
                    {product === null ? (
                      key === 'state' ? (
                        <StateMark tone="off">{t('notListed')}</StateMark>
                      ) : (
                        ''
                      )
                    ) : show === undefined ? (
                      <span dir="auto">{of(product)}</span>
                    ) : (
                      show(product)
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function differs(products: readonly StoreProduct[], of: Row['of'], within: Row['within'] = () => ''): boolean {
  const kinds = new Set(products.map(within))
  return new Set(products.map((product) => `${within(product)} ${of(product)}`)).size > kinds.size
}
