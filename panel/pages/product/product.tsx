import { Checkbox, Menu, Button } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useProductInStores, useStores } from '../../api/catalog.ts'
import { useRead } from '../../api/read.ts'
import { Empty } from '../../components/empty.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/section.tsx'
import { Sheet } from '../../components/toolbar.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { ChevronDownIcon } from '../../design/icons.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { Comparison } from './comparison.tsx'
import { Description } from './description.tsx'
import { Explanation } from './explanation.tsx'

/** As many as stand side by side at first; others are chosen. */
const STORES_SHOWN = 3
const STORES_MAX = 6

/** A product as each store reads it, side by side, and why it is what it is in one of them. */
export function ProductPage() {
  const { t } = useTranslation('product')
  const account = useAccount()
  const { product: id } = useParams({ from: '/signed/$account/catalog/$product' })
  const search = useSearch({ from: '/signed/$account/catalog/$product' })
  const navigate = useNavigate()
  const { query, stores = [] } = useStores(account.id)
  const asked = search.stores?.split(',') ?? []
  const named = stores.filter(({ slug }) => asked.includes(slug))
  const shown = (named.length > 0 ? named : stores.slice(0, STORES_SHOWN)).slice(0, STORES_MAX)
  const products = useProductInStores(
    account.id,
    Number(id),
    shown.map(({ slug }) => slug),
  )
  const first = products.find(({ data }) => data !== undefined && data !== null)?.data
  const error = products.find(({ error: caught }) => caught !== null)?.error
  const isWaiting = products.some(({ isPending }) => isPending)
  // no store that is shown lists it: is there such a product at all?
  const isNowhere = products.length > 0 && !isWaiting && products.every(({ data }) => data === null)
  const found = useRead(
    'GET /panel/api/accounts/{account_id}/products',
    { params: useAccountParams(), query: { search: id } },
    { isEnabled: isNowhere },
  )
  const known = isNowhere ? found.data?.data.find((row) => String(row.id) === id) : undefined
  const isUnknown = isNowhere && found.data !== undefined && known === undefined
  const why = shown.find(({ slug }) => slug === search.why) ?? shown[0]
  const choose = (slug: string) => {
    const slugs = shown.map((store) => store.slug)
    const next = slugs.includes(slug) ? slugs.filter((entry) => entry !== slug) : [...slugs, slug]
    if (next.length === 0) return
    void navigate({ to: '.', search: { ...search, stores: next.join(',') }, replace: true, resetScroll: false })
  }
  return (
    <Page
      title={first?.title ?? known?.title ?? t('title', { id })}
      above={{ to: `/${account.id}/catalog`, label: t('above') }}
      actions={
        stores.length > 1 && !isUnknown ? (
          <Menu position="bottom-end" closeOnItemClick={false}>
            <Menu.Target>
              <Button variant="default" rightSection={<ChevronDownIcon size={14} />}>
                {t('choose', { shown: shown.length, count: stores.length })}
              </Button>
            </Menu.Target>
            <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
              {stores.map(({ slug, name }) => {
                const isShown = shown.some((store) => store.slug === slug)
                return (
                  <Menu.Item
                    key={slug}
                    role="menuitemcheckbox"
                    aria-checked={isShown}
                    disabled={!isShown && shown.length >= STORES_MAX}
                    onClick={() => choose(slug)}
                    leftSection={<Checkbox.Indicator checked={isShown} aria-hidden="true" />}
                  >
                    <span dir="auto">{name}</span>
                  </Menu.Item>
                )
              })}
            </Menu.Dropdown>
          </Menu>
        ) : undefined
      }
    >
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
              <Section title={t('sideBySide')} isFlush>
                <Comparison stores={shown} products={products.map(({ data }) => data ?? null)} />
              </Section>
              {first === undefined || first === null ? null : (
                <>
                  <Description products={products.map(({ data }) => data ?? null)} stores={shown} />
                  {why === undefined ? null : (
                    <Explanation
                      productId={Number(id)}
                      stores={shown}
                      store={why}
                      choose={(slug) =>
                        void navigate({
                          to: '.',
                          search: { ...search, why: slug },
                          replace: true,
                          resetScroll: false,
                        })
                      }
                    />
                  )}
                </>
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
