import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Revised } from '../../api/resources.ts'
import type { OwnProduct } from './data.ts'
import { OwnForm } from './own-form.tsx'

/** The product's own key. */
export function SkuForm({ read, close }: { read: Revised<OwnProduct>; close: () => void }) {
  const { t } = useTranslation(['product-edit', 'shared'])
  return (
    <OwnForm
      title={t('own.key')}
      read={read}
      close={close}
      initial={(own) => ({ text: own.sku ?? '' })}
      body={({ text }) => ({ sku: text.trim() === '' ? null : text })}
      back={(_, own) => ({ sku: own.sku })}
      reset={null}
      said={{ saved: t('own.saved', { value: t('own.key') }), reset: '' }}
      verbs={{ save: t('shared:save'), reset: '' }}
      fieldOf={() => 'text'}
      differences={(theirs, mine) => [{ name: t('own.key'), theirs: theirs.text, mine: mine.text }]}
    >
      {(form) => (
        <TextInput
          {...form.text('text')}
          label={t('own.key')}
          description={t('own.keyNote')}
          dir="ltr"
          autoComplete="off"
          data-autofocus
        />
      )}
    </OwnForm>
  )
}
