import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFocusReturn } from './focus.ts'
import classes from './side-panel.module.css'

/** One row of a list, opened beside it. Its address is the page's; Escape closes it. */
export function SidePanel({ title, close, children }: { title: string; close: () => void; children: ReactNode }) {
  const { t } = useTranslation()
  useFocusReturn()
  return (
    <Drawer
      opened
      returnFocus={false}
      onClose={close}
      position="right"
      size={560}
      title={title}
      overlayProps={{ backgroundOpacity: 0.25 }}
      transitionProps={{ duration: 120 }}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ title: classes.title, body: classes.body, header: classes.header, content: classes.content }}
    >
      {children}
    </Drawer>
  )
}
