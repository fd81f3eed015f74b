import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from './code-block.tsx'
import { Dialog } from './dialog.tsx'
import classes from './shown-once.module.css'

/** A secret that cannot be read again: to be copied now. It is kept nowhere in the browser. */
export function ShownOnce({
  title,
  label,
  secret,
  close,
  children,
}: {
  title: string
  /** What it is, such as "signing secret". */
  label: string
  secret: string
  close: () => void
  children?: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <Dialog title={title} close={close} size={640} isHeld>
      <p className={classes.note}>{t('once.note')}</p>
      <div className={classes.secret}>
        <code>{secret}</code>
        <CopyButton text={secret} of={label} size="xs" data-autofocus />
      </div>
      {children}
      <div className={classes.buttons}>
        <Button onClick={close}>{t('once.stored')}</Button>
      </div>
    </Dialog>
  )
}
