import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from './code-block.tsx'
import { Dialog } from './dialog.tsx'
import classes from './shown-once.module.css'
import { Unsaved } from './unsaved.ts'

interface Secret {
  /** A name such as "signing secret". */
  label: string
  secret: string
}

/** A secret that cannot be read again, to be copied now. The browser stores it nowhere. */
export function ShownOnce({
  label,
  secret,
  ...window
}: Secret & { title: string; close: () => void; children?: ReactNode }) {
  const { t } = useTranslation()
  return <SecretsWindow {...window} secrets={[{ label, secret }]} note={t('once.note')} stored={t('once.stored')} />
}

/** Several secrets that were created together. Closing the window asks whether they are stored. */
export function CreatedSecretsWindow({
  close,
  ...window
}: {
  title: string
  secrets: readonly Secret[]
  close: () => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const areSeveral = window.secrets.length > 1
  const question = {
    title: t('once.leave.title'),
    text: t('once.leave.text'),
    lose: t('once.leave.lose'),
    stay: t('once.leave.stay'),
  }
  return (
    <SecretsWindow
      {...window}
      note={t(areSeveral ? 'once.noteAll' : 'once.note')}
      stored={t(areSeveral ? 'once.storedAll' : 'once.stored')}
      areNamed
      beside={<Unsaved when question={question} />}
      close={close}
    />
  )
}

function SecretsWindow({
  title,
  note,
  stored,
  secrets,
  areNamed = false,
  beside,
  close,
  children,
}: {
  title: string
  note: string
  stored: string
  secrets: readonly Secret[]
  /** Each secret has its name above it. */
  areNamed?: boolean
  beside?: ReactNode
  close: () => void
  children?: ReactNode
}) {
  return (
    <Dialog title={title} close={close} size={640} isHeld>
      {beside}
      <p className={classes.note}>{note}</p>
      {secrets.map(({ label, secret }, i) => (
        <div key={label} className={classes.one}>
          {areNamed ? <p className={classes.label}>{label}</p> : null}
          <div className={classes.secret}>
            <code>{secret}</code>
            <CopyButton text={secret} of={label} size="xs" {...(i === 0 ? { 'data-autofocus': true } : {})} />
          </div>
        </div>
      ))}
      {children}
      <div className={classes.buttons}>
        <Button onClick={close}>{stored}</Button>
      </div>
    </Dialog>
  )
}
