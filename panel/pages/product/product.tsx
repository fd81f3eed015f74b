import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useProductInStores, useStores, type CatalogStore } from '../../api/catalog.ts'
import { useProductNames } from '../../api/product-names.ts'
import { useRead } from '../../api/read.ts'
import { Empty, Loaded, Waiting } from '../../components/loaded.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page, Section, Sheet } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { ProductThumbnail } from '../../resources/product-line.tsx'
import { useProductWords } from '../../resources/product-name.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { AddAttribute, AddFact, MoreMenu } from './actions.tsx'
import { About } from './about.tsx'
import { Arrival } from './arrival.tsx'
import { Comparison } from './comparison.tsx'
import { useWhys } from './data.ts'
import { Description } from './description.tsx'
import { EditingProvider, SavedBar } from './editing.tsx'
import { Headline } from './headline.tsx'
import { Pictures } from './pictures.tsx'
import { PriceTable } from './price-table.tsx'
import { ProductTabs } from './product-tabs.tsx'
import classes from './product.module.css'
import type { ProductSearch } from './search.ts'
import { StoreMenu } from './store-choice.tsx'
import { Variants } from './variants.tsx'
import { ValuePanel } from './value-panel.tsx'
import { addWords } from '../../words/add-words.ts'
import conditionsWords from '../../words/en/conditions.json'
import productWords from '../../words/en/product.json'
import productEditWords from '../../words/en/product-edit.json'

addWords({ conditions: conditionsWords, product: productWords, 'product-edit': productEditWords })

/** The stores that are shown side by side at first, and at most. */
const STORES_SHOWN = 3
const STORES_MAX = 6

/**
 * A product in several stores side by side, with the source of each value and forms for everything that can be set on
 * it.
 */
export function ProductPage() {
  const { product: id } = useParams({ from: '/signed/$account/catalog/$product' })
  return (
    // the key makes a new page for another product
    <EditingProvider key={id} productId={Number(id)}>
      <Content id={id} />
    </EditingProvider>
  )
}

function Content({ id }: { id: string }) {
  const { t } = useTranslation(['product', 'product-edit'])
  const account = useAccount()
  const search = useSearch({ from: '/signed/$account/catalog/$product' })
  const navigate = useNavigate()
  const { query, stores = [] } = useStores(account.id)
  const shown = shownStores(stores, search)
  const slugs = shown.map(({ slug }) => slug)
  const products = useProductInStores(account.id, Number(id), slugs)
  const whys = useWhys(account.id, Number(id), slugs).map(({ data }) => data?.data)
  const first = products.find(({ data }) => data !== undefined && data !== null)?.data
  const error = products.find(({ error: caught }) => caught !== null)?.error
  const isWaiting = products.some(({ isPending }) => isPending)
  // no shown store lists it, so check whether the product exists
  const isNowhere = products.length > 0 && !isWaiting && products.every(({ data }) => data === null)
  const found = useRead(
    'GET /panel/api/accounts/{account_id}/products',
    { params: useAccountParams(), query: { search: id } },
    { isEnabled: isNowhere },
  )
  const known = isNowhere ? found.data?.data.find((row) => String(row.id) === id) : undefined
  const isUnknown = isNowhere && found.data !== undefined && known === undefined
  const why = stores.find(({ slug }) => slug === search.why) ?? shown[0]
  const change = (changes: Partial<ProductSearch>) =>
    void navigate({ to: '.', search: { ...search, ...changes }, replace: true, resetScroll: false })
  const choose = (slug: string) => {
    const next = slugs.includes(slug) ? slugs.filter((entry) => entry !== slug) : [...slugs, slug]
    if (next.length > 0) change({ stores: next.join(',') })
  }
  const tabs = useRef<HTMLDivElement>(null)
  /** After a merge, shows the offers that were moved here. */
  const showOffers = () => {
    change({ tab: 'offers' })
    requestAnimationFrame(() => tabs.current?.scrollIntoView({ block: 'start' }))
  }
  const find = useProductNames(account.id, /^\d+$/.test(id) ? [Number(id)] : [])
  const named = find(Number(id))
  const nameOf = useProductWords()
  // the name that was read by ID, in case no shown store lists the product
  const title = named === undefined ? (first?.title ?? t('title', { id })) : nameOf(named, named.product_id)
  const read = products.map(({ data }) => data ?? null)
  // the group is the same in every store, but its texts depend on the store
  const grouped = read.find((product) => product?.group !== undefined)
  return (
    <Page
      title={title}
      {...(isUnknown || (!isWaiting && shown.length === 0)
        ? {}
        : {
            lead: isWaiting ? (
              <span className={classes.headlineAwaited} />
            ) : (
              <Headline stores={shown} products={read} />
            ),
          })}
      above={{ to: `/${account.id}/catalog`, label: t('above') }}
      picture={isUnknown ? undefined : <ProductThumbnail picture={named?.picture ?? null} size={72} />}
      actions={
        isUnknown ? undefined : (
          <>
            {stores.length > 1 ? (
              <StoreMenu stores={stores} shown={shown} most={STORES_MAX} choose={choose} />
            ) : undefined}
            <MoreMenu title={title} merged={showOffers} />
          </>
        )
      }
    >
      <SavedBar />
      {search.arrival === true ? <Arrival productId={Number(id)} /> : null}
      <Loaded query={query} lines={8}>
        {() =>
          error !== undefined && error !== null ? (
            <ProblemNote error={error} />
          ) : isWaiting || (isNowhere && found.isPending) ? (
            <Waiting lines={10} />
          ) : isUnknown ? (
            <Sheet>
              <Empty action={<LinkButton to={`/${account.id}/catalog`}>{t('search')}</LinkButton>}>
                {t('unknown', { id })}
              </Empty>
            </Sheet>
          ) : (
            <>
              <Section
                title={t('sideBySide')}
                note={t('product-edit:marksNote')}
                actions={
                  <>
                    <AddFact products={read} open={(value) => change({ value, why: why?.slug })} />
                    <AddAttribute open={(value) => change({ value, why: why?.slug })} />
                  </>
                }
                isFlush
              >
                <Comparison
                  stores={shown}
                  products={read}
                  whys={whys}
                  open={(value, store) => change({ value, why: store })}
                />
              </Section>
              <PriceTable
                stores={shown}
                products={read}
                whys={whys}
                open={(value, store) => change({ value, why: store })}
              />
              {grouped?.group === undefined ? null : <Variants product={grouped} group={grouped.group} />}
              <Pictures key={id} grouped={grouped ?? undefined} />
              <About productId={Number(id)} stores={shown} products={read} whys={whys} />
              <Description products={read} stores={shown} />
              <ProductTabs
                productId={Number(id)}
                stores={stores}
                shown={shown}
                whys={whys}
                why={why}
                tabs={tabs}
                change={change}
              />
              {search.value === undefined || why === undefined ? null : (
                <ValuePanel
                  key={`${search.value} ${why.slug}`}
                  value={search.value}
                  store={why}
                  title={title}
                  open={(value) => change({ value })}
                  close={() => change({ value: undefined })}
                />
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

/** The stores in the address, by default the first ones. The store of an open value is among them. */
function shownStores(stores: readonly CatalogStore[], search: ProductSearch): readonly CatalogStore[] {
  const asked = search.stores?.split(',') ?? []
  const named = stores.filter(({ slug }) => asked.includes(slug))
  return (named.length > 0 ? named : stores.slice(0, STORES_SHOWN)).slice(0, STORES_MAX)
}
