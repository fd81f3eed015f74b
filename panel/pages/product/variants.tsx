import { useTranslation } from 'react-i18next'
import { useVariants, type StoreProduct, type Variant } from '../../api/catalog.ts'
import { useProductNames } from '../../api/product-names.ts'
import { LinkButton } from '../../components/link-button.tsx'
import type { Column } from '../../components/list.tsx'
import { Section } from '../../components/page.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { ProductLine } from '../../resources/product-line.tsx'
import { ProductLink } from '../../resources/product-name.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'

/** The options of a variant: "Colour: red, Size: M". */
export const optionsOf = ({ group }: Pick<Variant, 'group'>) =>
  (group?.options ?? []).map(({ label, value }) => `${label}: ${value}`).join(', ')

/** The other variants of a product's group in one store. */
export function Variants({ product, group }: { product: StoreProduct; group: NonNullable<StoreProduct['group']> }) {
  const { t } = useTranslation('product')
  const account = useAccount()
  const format = useFormats()
  const { query, variants, total } = useVariants(account.id, group.id, product.store)
  const others = variants?.filter(({ id }) => id !== product.id)
  // for their pictures, because the API for stores has no thumbnails
  const found = useProductNames(account.id, others?.map(({ id }) => id) ?? [])
  const columns: Column<Variant>[] = [
    {
      id: 'title',
      title: t('variants.name'),
      cell: (row) => (
        <ProductLink id={row.id}>
          <ProductLine
            of={{ title: row.title, title_locale: null, sku: row.sku, picture: found(row.id)?.picture ?? null }}
            id={row.id}
          />
        </ProductLink>
      ),
    },
    {
      id: 'options',
      title: t('variants.options'),
      width: '34%',
      isWide: true,
      cell: (row) => <span dir="auto">{optionsOf(row)}</span>,
    },
    { id: 'sku', title: 'SKU', width: '20%', isWide: true, cell: (row) => <span dir="auto">{row.sku}</span> },
    {
      id: 'stock',
      title: t('rows.stock'),
      width: '12%',
      isNumber: true,
      cell: (row) => format.number(row.stock),
    },
  ]
  // the product is the only one of its group in this store, or has just left the group
  if (query.data === null || others?.length === 0) return null
  return (
    <Section
      title={t('variants.title')}
      note={
        total !== undefined && variants !== undefined && total > variants.length
          ? t('variants.first', { shown: variants.length, total })
          : (group.title ?? undefined)
      }
      actions={
        <LinkButton size="compact-sm" to={`/${account.id}/catalog/groups/${group.id}`}>
          {t('variants.all')}
        </LinkButton>
      }
      isFlush
    >
      <ReadList
        query={query}
        label={t('variants.title')}
        columns={columns}
        rows={others}
        isInSection
        lines={3}
        keyOf={(row) => row.id}
        phoneLine={(row) => <span dir="auto">{optionsOf(row)}</span>}
        empty={null}
      />
    </Section>
  )
}
