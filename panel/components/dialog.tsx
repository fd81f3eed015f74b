import { Button, Modal, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog.module.css'
import { useFocusReturn } from './focus.ts'
import { ProblemNote } from './problem-note.tsx'

export interface ConfirmProps {
  title: string
  /** What it takes away, or changes. */
  children: ReactNode
  /** The button's words: a verb. */
  action: string
  /** Given: has to be typed, because it cannot be undone. */
  typed?: string
  isDangerous?: boolean
  run: () => Promise<unknown>
  close: () => void
}

/** Asks before something is done that takes something away. */
export function Confirm({ title, children, action, typed, isDangerous = true, run, close }: ConfirmProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      await run()
      close()
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} close={close}>
      {error === null ? null : <ProblemNote error={error} />}
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
          loading={isBusy}
          disabled={typed !== undefined && text !== typed}
          onClick={() => void confirm()}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  )
}

/** A window above the page; Escape closes it, and the focus goes back to where it was. */
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
  /** It is not closed by a click beside it or by Escape: something in it is shown only now. */
  isHeld?: boolean
  children: ReactNode
}) {
  const { t } = useTranslation()
  useFocusReturn()
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={close}
      title={title}
      size={size}
      closeOnClickOutside={!isHeld}
      closeOnEscape={!isHeld}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ title: classes.title, header: classes.header, body: classes.body, content: classes.content }}
    >
      {children}
    </Modal>
  )
}
