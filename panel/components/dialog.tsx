import { Button, Drawer, Modal, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog.module.css'
import { ProblemNote } from './problem-note.tsx'
import { UnsavedScope, useWindow } from './unsaved.ts'
import sidePanelClasses from './side-panel.module.css'

interface ConfirmProps {
  title: string
  /** What it deletes or changes. */
  children: ReactNode
  /** Label of the button: a verb. */
  action: string
  /** If set, this text must be typed first, because the action cannot be undone. */
  typed?: string
  isDangerous?: boolean
  run: () => Promise<unknown>
  close: () => void
}

/** Asks before a destructive action. */
export function Confirm({ title, children, action, typed, isDangerous = true, run, close }: ConfirmProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const confirm = useMutation({ mutationFn: run, onSuccess: close })
  return (
    <Dialog title={title} close={close}>
      <ProblemNote error={confirm.error} />
      <div className={classes.text}>{children}</div>
      {typed === undefined ? null : (
        <TextInput
          mt="md"
          label={t('confirm.type', { typed })}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close}>
          {t('cancel')}
        </Button>
        <Button
          {...(isDangerous ? { color: 'red.9' } : {})}
          loading={confirm.isPending}
          disabled={typed !== undefined && text !== typed}
          onClick={() => confirm.mutate()}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  )
}

/** A modal window. Escape closes it, after asking if typed text would be lost; the focus then returns to where it was. */
export function Dialog({
  title,
  close,
  size = 480,
  isHeld = false,
  children,
}: {
  title: string
  close: () => void
  size?: number
  /** A click outside and Escape do not close it, because it shows something that cannot be shown again. */
  isHeld?: boolean
  children: ReactNode
}) {
  const { t } = useTranslation()
  useFocusReturn()
  const own = useWindow(close)
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={own.close}
      title={title}
      size={size}
      closeOnClickOutside={!isHeld}
      closeOnEscape={!isHeld}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ title: classes.title, header: classes.header, body: classes.body, content: classes.content }}
    >
      <UnsavedScope scope={own.scope}>{children}</UnsavedScope>
    </Modal>
  )
}

/** One row of a list, opened beside it. Its address is the page's. Escape closes it, after asking if typed text would be lost. */
export function SidePanel({ title, close, children }: { title: string; close: () => void; children: ReactNode }) {
  const { t } = useTranslation()
  useFocusReturn()
  const own = useWindow(close)
  return (
    <Drawer
      opened
      returnFocus={false}
      onClose={own.close}
      position="right"
      size={560}
      title={title}
      overlayProps={{ backgroundOpacity: 0.25 }}
      transitionProps={{ duration: 120 }}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{
        title: sidePanelClasses.title,
        body: sidePanelClasses.body,
        header: sidePanelClasses.header,
        content: sidePanelClasses.content,
      }}
    >
      <UnsavedScope scope={own.scope}>{children}</UnsavedScope>
    </Drawer>
  )
}

/**
 * When the component is unmounted, the focus returns to where it was when it was mounted, or to the page's title if that element is
 * gone or was the body. Mantine returns the focus only from windows that stay mounted.
 */
export function useFocusReturn(): void {
  useLayoutEffect(() => {
    const opener = openerOf(document.activeElement)
    return () => {
      const isThere = opener?.isConnected === true && opener !== document.body
      const to = isThere ? opener : document.querySelector<HTMLElement>('main h1')
      to?.focus({ preventScroll: true })
    }
  }, [])
}

/**
 * The element to which the focus returns. A menu closes when its item opens a window, so for a menu item this is the
 * menu's button.
 */
function openerOf(active: Element | null): HTMLElement | null {
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button === null || button === undefined ? (active as HTMLElement | null) : document.getElementById(button)
}
