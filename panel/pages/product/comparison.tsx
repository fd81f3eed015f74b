import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogStore, StoreProduct } from '../../api/catalog.ts'
import { useIsPhone } from '../../components/phone.ts'
import { StateMark } from '../../components/state-mark.tsx'
import { differs, useComparedRows, type ComparedRow } from './comparison-rows.tsx'
import type { ProductExplanation } from './data.ts'
import phone from './compared.module.css'
import classes from './product.module.css'

/**
 * Compares the product between stores, which are columns, or on a phone one below the other. Differences are emphasized, and each
 * value has its source.
 */
export function Comparison({
  stores,
  products,
  whys,
  open,
}: {
  stores: readonly CatalogStore[]
  products: readonly (StoreProduct | null)[]
  whys: readonly (ProductExplanation | undefined)[]
  /** Opens a value of a store beside the page. */
  open: (row: string, store: string) => void
}) {
  const { t } = useTranslation('product')
  const isPhone = useIsPhone()
  const all = useComparedRows(products, whys)
  const [isAll, setAll] = useState(false)
  const empty = all.filter((row) => row.isEmpty === true)
  const rows = isAll ? all : all.filter((row) => row.isEmpty !== true)
  const listed = products.filter((product) => product !== null)
  const cells = (row: ComparedRow) =>
    stores.map((store, i) => ({
      store,
      cell: <Cell row={row} store={store} product={products[i] ?? null} why={whys[i]} open={open} />,
    }))
  // a store that does not list the product is shown only in the row of states
  const phoneCells = (row: ComparedRow) =>
    cells(row).filter((_, i) => row.key === 'state' || (products[i] ?? null) !== null)
  // if no shown store lists the product, only the row of states is shown
  const phoneRows = listed.length > 0 ? rows : rows.filter((row) => row.key === 'state')
  const empties =
    empty.length === 0 ? null : (
      <Button
        className={classes.empties ?? ''}
        variant="subtle"
        size="compact-sm"
        aria-expanded={isAll}
        onClick={() => setAll(!isAll)}
      >
        {isAll ? t('hideEmpty') : t('showEmpty', { count: empty.length })}
      </Button>
    )
  if (isPhone)
    return (
      <>
        <ul className={phone.rows} aria-label={t('sideBySide')}>
          {phoneRows.map((row) => (
            <li key={row.key} className={differs(listed, row) ? phone.different : undefined}>
              <h3>{row.name}</h3>
              <dl>
                {phoneCells(row).map(({ store, cell }) => (
                  <div key={store.slug}>
                    <dt dir="auto">{store.name}</dt>
                    <dd>{cell}</dd>
                  </div>
                ))}
              </dl>
            </li>
          ))}
        </ul>
        {listed.length > 0 ? empties : null}
      </>
    )
  return (
    // a region that scrolls must be reachable by keyboard
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
          {rows.map((row) => (
            <tr key={row.key} className={differs(listed, row) ? classes.different : undefined}>
              <th scope="row">{row.name}</th>
              {cells(row).map(({ store, cell }) => (
                <td key={store.slug}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {empties}
    </div>
  )
}

/** A value in one store, with its source. */
function Cell({
  row: { key, name, of, show, mark },
  store,
  product,
  why,
  open,
}: {
  row: ComparedRow
  store: CatalogStore
  product: StoreProduct | null
  why: ProductExplanation | undefined
  open: (row: string, store: string) => void
}) {
  const { t } = useTranslation(['product', 'product-edit'])
  // for a store that does not list the product, only the row of states has a value
  if (product === null && key !== 'state') return null
  const source = why === undefined ? '' : mark(why, store.locale)
  return (
    <>
      {product === null ? (
        <StateMark tone="off">{t('notListed')}</StateMark>
      ) : show === undefined ? (
        <span dir="auto">{of(product)}</span>
      ) : (
        show(product, why)
      )}
      {why === undefined ? (
        // explanations arrive after the values; their line is reserved, so that rows do not move
        <span className={classes.markAwaited} aria-hidden="true" />
      ) : (
        <button
          type="button"
          className={classes.mark}
          aria-label={t('product-edit:mark.open', { value: name, store: store.name, source })}
          onClick={() => open(key, store.slug)}
        >
          <span dir="auto">{source}</span>
        </button>
      )}
    </>
  )
}
