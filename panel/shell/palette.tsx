import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../api/read.ts'
import { OtherWindow } from '../components/unsaved.ts'
import { EndpointsIcon, ProductsIcon, SearchIcon } from '../design/icons.tsx'
import { ProductThumbnail } from '../resources/product-line.tsx'
import { useProductWords } from '../resources/product-name.tsx'
import type { OwnAccount } from '../session/account.ts'
import { useSession } from '../session/session.ts'
import { actionsOf, addressOf, placesOf } from './places.ts'

const TYPING_MS = 150
const PRODUCTS_SHOWN = 5
/** The service accepts no longer searches. */
const SEARCH_LENGTH_MAX = 200

/**
 * The command palette (Ctrl or Cmd and K): opens a page, an action, an endpoint, a product that is found by words, or
 * another account.
 */
export function Palette({ account }: { account: OwnAccount | null }) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const nameOf = useProductWords()
  const { accounts } = useSession()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const endpoints = useRead(
    'GET /panel/api/accounts/{account_id}/endpoints',
    { params: { account_id: account?.id ?? 0 } },
    { isEnabled: account !== null && isOpen },
  )
  const wanted = text.trim()
  const [settled] = useDebouncedValue(wanted, TYPING_MS)
  const products = useRead(
    'GET /panel/api/accounts/{account_id}/products',
    { params: { account_id: account?.id ?? 0 }, query: { search: settled.slice(0, SEARCH_LENGTH_MAX) } },
    { isEnabled: account !== null && isOpen && settled !== '' },
  )
  const isFound = settled === wanted && wanted !== '' && products.data !== undefined && !products.isPlaceholderData
  const found = isFound ? products.data.data.slice(0, PRODUCTS_SHOWN) : []
  const meant = isFound ? products.data.meta.did_you_mean : null
  const go = (to: string, search: Record<string, unknown> = {}) => void navigate({ to, search } as never)
  const groups: SpotlightActionGroupData[] = []
  groups.push({
    group: t('palette.pages'),
    actions: placesOf(account).map((place) => ({
      id: place.name,
      label: t(`places.${place.name}`),
      leftSection: <place.icon />,
      onClick: () => go(addressOf(place, account?.id ?? 0)),
    })),
  })
  if (account !== null) {
    groups.push({
      group: t('palette.actions'),
      actions: actionsOf(account).map((action) => ({
        id: action.name,
        label: t(`palette.${action.name}`),
        leftSection: <action.icon />,
        onClick: () => go(addressOf(action, account.id), action.search),
      })),
    })
    const known = endpoints.data?.data ?? []
    if (known.length > 0)
      groups.push({
        group: t('places.endpoints'),
        actions: known.map((endpoint) => ({
          id: `endpoint-${endpoint.id}`,
          label: endpoint.url,
          leftSection: <EndpointsIcon />,
          onClick: () => go(`/${account.id}/endpoints/${endpoint.id}`),
        })),
      })
  }
  const others = accounts.filter(({ id }) => id !== account?.id)
  if (others.length > 0)
    groups.push({
      group: t('account.accounts'),
      actions: others.map((own) => ({
        id: `account-${own.id}`,
        label: own.name,
        leftSection: <ProductsIcon />,
        onClick: () => go(`/${own.id}/overview`),
      })),
    })
  if (account !== null && wanted !== '') {
    groups.push({
      group: t('palette.products'),
      actions: [
        // a fixed ID: the selection stays on the search until products arrive, then the first product takes its place,
        // and Enter opens it
        ...found.map((product, i) => ({
          id: `match-${i}`,
          label: nameOf(product, product.id),
          description: [product.sku, product.ean].filter((part) => part !== null).join(' · '),
          // matches whatever was typed, because the service may have found the product by a field that is not shown
          keywords: [wanted],
          leftSection: <ProductThumbnail picture={product.picture} />,
          onClick: () => go(`/${account.id}/catalog/${product.id}`),
        })),
        ...(meant === null
          ? []
          : [
              {
                id: 'meant',
                label: t('palette.meant', { text: meant }),
                keywords: [wanted],
                leftSection: <SearchIcon />,
                closeSpotlightOnTrigger: false,
                onClick: () => setText(meant),
              },
            ]),
        {
          id: `match-${found.length}`,
          label: t('palette.search', { text: wanted }),
          // matches whatever was typed
          keywords: [wanted],
          leftSection: <SearchIcon />,
          onClick: () => go(`/${account.id}/catalog`, { search: wanted }),
        },
      ],
    })
  }
  return (
    <>
      {isOpen ? <OtherWindow /> : null}
      <Spotlight
        actions={groups}
        query={text}
        onQueryChange={setText}
        onSpotlightOpen={() => setOpen(true)}
        onSpotlightClose={() => setOpen(false)}
        shortcut={['mod + K']}
        // works within a field as well, because the search of the product list has the focus from the start
        tagsToIgnore={[]}
        nothingFound={t('palette.nothing')}
        highlightQuery
        centered={false}
        yOffset="14vh"
        overlayProps={{ backgroundOpacity: 0.45, blur: 0 }}
        scrollable
        maxHeight={420}
        attributes={{ content: { 'aria-label': t('palette.open') } }}
        searchProps={{
          placeholder: t('palette.placeholder'),
          'aria-label': t('palette.placeholder'),
          leftSection: <SearchIcon />,
        }}
      />
    </>
  )
}
