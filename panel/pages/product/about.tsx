import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { CatalogStore, StoreProduct } from '../../api/catalog.ts'
import { useRead } from '../../api/read.ts'
import { Facts } from '../../components/facts.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/page.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFieldNames } from '../../words/field-names.ts'
import { useFormats } from '../../words/format.ts'
import { PRODUCT, type ProductExplanation } from './data.ts'
import { eansOf } from './eans.ts'
import { useMarks } from './marks.ts'
import classes from './product.module.css'

/** Facts that are the same in every store: all EANs, the category and its source, and when the product was created and changed. */
export function About({
  productId,
  stores,
  products,
  whys,
}: {
  productId: number
  stores: readonly CatalogStore[]
  /** As each of the stores reads it. */
  products: readonly (StoreProduct | null)[]
  whys: readonly (ProductExplanation | undefined)[]
}) {
  const { t } = useTranslation(['product', 'shared'])
  const fieldName = useFieldNames()
  const account = useAccount()
  const params = { ...useAccountParams(), product_id: productId }
  const own = useRead(`GET ${PRODUCT}`, { accountId: account.id, params: { id: productId } })
  const offers = useRead('GET /panel/api/accounts/{account_id}/products/{product_id}/offers', { params })
  const history = useRead('GET /panel/api/accounts/{account_id}/products/{product_id}/history', { params })
  const why = whys.find((one) => one !== undefined)
  const primary = why?.ean.value ?? products.find((product) => product !== null)?.ean ?? null
  const updated = stores.flatMap(({ name }, i) => {
    const at = products[i]?.updated_at
    return at === undefined ? [] : [{ name, at }]
  })
  const changed = (history.data?.data.stores ?? []).map(({ store, at, kind }) => ({
    name: stores.find(({ slug }) => slug === store)?.name ?? store,
    at,
    what: t(`shared:events.${kind}`),
  }))
  return (
    <Section title={t('about.title')}>
      <Loaded query={own} lines={4}>
        {({ data }) => (
          <Facts
            facts={[
              [t('about.eans'), <Eans key="eans" eans={eansOf(primary, data.ean, offers.data?.data ?? [])} />],
              [fieldName('category'), why === undefined ? '–' : <Category key="category" why={why} />],
              [t('about.created'), <Moment key="created" at={data.created_at} />],
              ...(updated.length === 0
                ? []
                : [[t('about.updated'), <Moments key="updated" moments={updated} />] as const]),
              [t('about.changed'), changed.length === 0 ? '–' : <Moments key="changed" moments={changed} />],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function Eans({ eans }: { eans: ReturnType<typeof eansOf> }) {
  const { t } = useTranslation('product')
  const format = useFormats()
  if (eans.length === 0) return '–'
  return (
    <ul className={classes.plainLines}>
      {eans.map(({ ean, isPrimary, isOwn, suppliers }) => (
        <li key={ean}>
          <span dir="ltr">{ean}</span>{' '}
          <small className={classes.quiet}>
            {[
              isPrimary ? t('about.primary') : null,
              isOwn ? t('about.own') : null,
              suppliers.length === 0 ? null : format.list(suppliers),
            ]
              .filter((part) => part !== null)
              .join(' · ')}
          </small>
        </li>
      ))}
    </ul>
  )
}

/** The account's category of the product; and the supplier's path, with whether it is mapped. */
function Category({ why }: { why: ProductExplanation }) {
  const { t } = useTranslation('product')
  const account = useAccount()
  const { supplierOf } = useMarks()
  const { value, stated, own, source } = why.category
  if (value === null || source === null) return t('about.noCategory')
  const path = stated ?? value
  return (
    <ul className={classes.plainLines}>
      <li dir="auto">{own?.path ?? value}</li>
      {source.from === 'override' ? (
        <li>
          <small className={classes.quiet}>{t('about.own')}</small>
          {own === null ? <StateMark tone="warn">{t('about.notYours')}</StateMark> : null}
        </li>
      ) : (
        <li>
          <small className={classes.quiet}>
            {t('about.stated', { path, supplier: supplierOf(why, source.supplier_id) })}
          </small>{' '}
          {own === null ? (
            <>
              <StateMark tone="warn">{t('about.unmapped')}</StateMark>{' '}
              <Link
                to="/$account/categories"
                params={{ account: String(account.id) }}
                search={{ tab: 'paths', q: path }}
              >
                {t('about.map')}
              </Link>
            </>
          ) : (
            <StateMark tone="good">{t('about.mapped')}</StateMark>
          )}
        </li>
      )}
    </ul>
  )
}

function Moments({ moments }: { moments: readonly { name: string; at: string; what?: string }[] }) {
  return (
    <ul className={classes.plainLines}>
      {moments.map(({ name, at, what }) => (
        <li key={name}>
          <span dir="auto">{name}</span>: <Moment at={at} />
          {what === undefined ? null : <small className={classes.quiet}> · {what}</small>}
        </li>
      ))}
    </ul>
  )
}

function Moment({ at }: { at: string }) {
  const format = useFormats()
  return <time dateTime={at}>{format.exact(new Date(at))}</time>
}
