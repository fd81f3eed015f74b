import { Tabs } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogStore } from '../../api/catalog.ts'
import { TabList } from '../../components/tab-list.tsx'
import { Changes } from './changes.tsx'
import type { ProductExplanation } from './data.ts'
import { Explanation } from './explanation.tsx'
import { Offers } from './offers.tsx'
import { PriceHistory } from './price-history.tsx'
import classes from './product.module.css'
import type { ProductSearch, ProductTab } from './search.ts'

const TABS: readonly ProductTab[] = ['why', 'offers', 'prices', 'changes']

/** Tabs: the explanation in one store, the prices, the offers, and the changes. */
export function ProductTabs({
  productId,
  stores,
  shown,
  whys,
  why,
  tabs,
  change,
}: {
  productId: number
  stores: readonly CatalogStore[]
  shown: readonly CatalogStore[]
  whys: readonly (ProductExplanation | undefined)[]
  /** The store whose explanation is shown. */
  why: CatalogStore | undefined
  tabs: RefObject<HTMLDivElement | null>
  change: (changes: Partial<ProductSearch>) => void
}) {
  const { t } = useTranslation('product-edit')
  const search = useSearch({ from: '/signed/$account/catalog/$product' })
  return (
    <Tabs
      value={search.tab ?? 'why'}
      onChange={(tab) => change({ tab: tab === 'why' ? undefined : (tab as ProductTab) })}
      keepMounted={false}
    >
      <TabList chosen={search.tab ?? 'why'} ref={tabs} aria-label={t('tabs.label')} className={classes.tabs}>
        {TABS.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {t(`tabs.${tab}`)}
          </Tabs.Tab>
        ))}
      </TabList>
      {why === undefined ? null : (
        <>
          <Tabs.Panel value="why">
            <Explanation productId={productId} stores={stores} store={why} choose={(slug) => change({ why: slug })} />
          </Tabs.Panel>
          <Tabs.Panel value="prices">
            <PriceHistory productId={productId} stores={stores} store={why} choose={(slug) => change({ why: slug })} />
          </Tabs.Panel>
        </>
      )}
      <Tabs.Panel value="offers">
        <Offers productId={productId} stores={shown} whys={whys} />
      </Tabs.Panel>
      <Tabs.Panel value="changes">
        <Changes productId={productId} />
      </Tabs.Panel>
    </Tabs>
  )
}
