import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../components/link-button.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Section } from '../../components/page.tsx'
import { useResources } from '../../api/resources.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './overview.module.css'
import type { Lacking, Store } from './store-groups.ts'

/** Parts of a product that shops require, in the order in which shoppers see them. */
const PARTS = ['no_title', 'no_image', 'no_category', 'no_price'] as const
type Part = (typeof PARTS)[number]

/**
 * For each store, the share of products with a title in its language, a picture, a category and a price; each bar links to the products
 * without.
 */
export function Fullness({ stores, lacking }: { stores: readonly Store[]; lacking: readonly Lacking[] }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const format = useFormats()
  const { data: known = [] } = useResources(id, 'stores')
  const languageOf = (store: Store) => {
    const locale = known.find(({ slug }) => slug === store.slug)?.locale
    return locale === undefined ? '' : format.language(locale)
  }
  const lacks = (store: Store, part: Part) =>
    lacking.find((row) => row.store === store.slug)?.gaps.find(({ gap }) => gap === part)?.products ?? 0
  const shareOf = (store: Store, part: Part) => Math.max(0, store.products - lacks(store, part)) / store.products
  // 100 is shown only if nothing is missing
  const percentOf = (share: number) =>
    t('fullness.percent', { share: format.number(share === 1 ? 100 : Math.min(99, Math.floor(share * 100))) })
  const shown = stores.filter((store) => store.is_active && store.products > 0)
  const columns: Column<Store>[] = [
    {
      id: 'name',
      title: t('stores.name'),
      cell: (store) => (
        <>
          <span dir="auto">{store.name}</span> <span className={classes.reasons}>{languageOf(store)}</span>
        </>
      ),
    },
    ...PARTS.map((part): Column<Store> => ({
      id: part,
      title: t(`fullness.${part}`),
      width: '16%',
      isWide: true,
      cell: (store) => {
        const share = shareOf(store, part)
        const bar = (
          <>
            <span className={classes.track} aria-hidden="true">
              <span
                className={share === 1 ? classes.full : classes.filled}
                style={{ width: `${Math.round(share * 100)}%` }}
              />
            </span>
            {percentOf(share)}
          </>
        )
        return share === 1 ? (
          <span className={classes.share}>{bar}</span>
        ) : (
          <Link
            className={classes.share}
            to="/$account/catalog"
            params={{ account: String(id) }}
            search={{ store: store.slug, incomplete: part } as never}
            title={t('fullness.missing', { count: lacks(store, part) })}
          >
            {bar}
          </Link>
        )
      },
    })),
  ]
  if (shown.length === 0) return null
  return (
    <Section
      title={t('fullness.title')}
      note={t('fullness.note')}
      isFlush
      actions={
        <LinkButton to={`/${id}/pricing`} search={{ tab: 'exclusion-rules' }}>
          {t('fullness.keepOut')}
        </LinkButton>
      }
    >
      <List
        label={t('fullness.title')}
        columns={columns}
        rows={shown}
        keyOf={(store) => store.id}
        phoneLine={(store) =>
          PARTS.map((part) => `${t(`fullness.${part}`)} ${percentOf(shareOf(store, part))}`).join(' · ')
        }
        empty={null}
      />
    </Section>
  )
}
