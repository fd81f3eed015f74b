import { useTranslation } from 'react-i18next'
import type { CatalogStore } from '../../api/catalog.ts'
import { useRead } from '../../api/read.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/page.tsx'
import { useAccount } from '../../session/account.ts'
import { Arithmetic } from './price-words.tsx'
import classes from './product.module.css'
import { StateWords } from './state-words.tsx'
import { StoreChoice } from './store-choice.tsx'
import { SlugWords } from './slug-words.tsx'
import { CostWords, SkuWords, StockWords } from './stock-words.tsx'
import { TaxWords } from './tax-words.tsx'

/** All decisions that make the product in one store, in words. */
export function Explanation({
  productId,
  stores,
  store,
  choose,
}: {
  productId: number
  stores: readonly CatalogStore[]
  store: CatalogStore
  choose: (slug: string) => void
}) {
  const { t } = useTranslation('product')
  const account = useAccount()
  const why = useRead('GET /v1/products/{id}/explain', {
    accountId: account.id,
    params: { id: productId },
    query: { store: store.slug },
  })
  return (
    <Section
      title={t('why.title')}
      actions={<StoreChoice label={t('why.store')} stores={stores} store={store} choose={choose} />}
    >
      <Loaded query={why} lines={8}>
        {({ data }) => (
          <div className={classes.why}>
            <StateWords why={data} />
            <StockWords why={data} />
            <CostWords why={data} />
            <TaxWords why={data} />
            {data.prices.map((price) => (
              <Arithmetic
                key={price.group_id}
                price={price}
                isOnly={data.prices.length === 1}
                hasCost={data.base_cost !== null}
                isWithoutTaxRate={data.tax?.is_priceless === true}
              />
            ))}
            <SkuWords why={data} />
            {data.slug === null ? null : <SlugWords slug={data.slug} />}
          </div>
        )}
      </Loaded>
    </Section>
  )
}
