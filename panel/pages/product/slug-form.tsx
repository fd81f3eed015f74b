import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useProductInStores, type CatalogStore } from '../../api/catalog.ts'
import type { Revised } from '../../api/resources.ts'
import { useAccount } from '../../session/account.ts'
import type { OwnProduct } from './data.ts'
import { useEditing } from './editing.tsx'
import { OwnValueForm } from './own-form.tsx'

/** The form for the product's slug in one store. */
export function SlugForm({
  store: { slug: store, name },
  read,
  close,
}: {
  store: CatalogStore
  read: Revised<OwnProduct>
  close: () => void
}) {
  const { t } = useTranslation('product-edit')
  const account = useAccount()
  const { productId } = useEditing()
  const now = useProductInStores(account.id, productId, [store])[0]?.data?.slug
  return (
    <OwnValueForm
      name={t('slug.name')}
      read={read}
      close={close}
      shown={now ?? ''}
      own={(product) => product.slugs?.[store] ?? null}
      patch={(value) => ({ slugs: { [store]: value } })}
    >
      {(form) => (
        <>
          <p dir="auto">{now === undefined ? t('slug.notMade') : t('slug.made', { slug: now })}</p>
          <TextInput
            {...form.text('text')}
            label={t('slug.name')}
            description={t('slug.note', { store: name })}
            dir="auto"
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        </>
      )}
    </OwnValueForm>
  )
}
