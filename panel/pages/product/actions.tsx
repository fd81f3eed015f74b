import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OPTIONAL_NAMES, OPTIONAL_TEXTS } from '../../../contract/product-fields.ts'
import type { StoreProduct } from '../../api/catalog.ts'
import { ChevronDownIcon } from '../../design/icons.tsx'
import { useFieldNames } from '../../words/field-names.ts'
import { isMissing } from './comparison-rows.tsx'
import { NEW_ATTRIBUTE } from './marks.ts'
import { MergeDialog } from './merge.tsx'

const OPTIONAL_FIELDS = [...OPTIONAL_NAMES, ...OPTIONAL_TEXTS]

/** Actions on the product as a whole. */
export function MoreMenu({ title, merged }: { title: string; merged: () => void }) {
  const { t } = useTranslation('product-edit')
  const [isMerging, setMerging] = useState(false)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon size={14} />}>
            {t('actions.more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setMerging(true)}>{t('actions.merge')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isMerging ? <MergeDialog title={title} close={() => setMerging(false)} merged={merged} /> : null}
    </>
  )
}

/** A menu to add fields that none of the stores shows, and that therefore have no row. */
export function AddFact({
  products,
  open,
}: {
  products: readonly (StoreProduct | null)[]
  open: (value: string) => void
}) {
  const { t } = useTranslation('product-edit')
  const fieldName = useFieldNames()
  const missing = OPTIONAL_FIELDS.filter((field) => isMissing(products, field))
  if (missing.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="compact-sm" rightSection={<ChevronDownIcon size={14} />}>
          {t('facts.add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {missing.map((field) => (
          <Menu.Item key={field} onClick={() => open(field)}>
            {fieldName(field)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export function AddAttribute({ open }: { open: (value: string) => void }) {
  const { t } = useTranslation('product-edit')
  return (
    <Button variant="default" size="compact-sm" onClick={() => open(NEW_ATTRIBUTE)}>
      {t('attribute.add')}
    </Button>
  )
}
