import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChevronDownIcon } from '../../design/icons.tsx'
import { NEW_ATTRIBUTE } from './marks.ts'
import { MergeDialog } from './merge.tsx'

/** What is done with the product as a whole. */
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

export function AddAttribute({ open }: { open: (value: string) => void }) {
  const { t } = useTranslation('product-edit')
  return (
    <Button variant="default" size="compact-sm" onClick={() => open(NEW_ATTRIBUTE)}>
      {t('attribute.add')}
    </Button>
  )
}
