import { Button, TextInput } from '@mantine/core'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Unsaved } from '../components/unsaved.ts'
import classes from './pictures.module.css'

/** A picture's address that the service has refused, and why. */
export interface Refused {
  url: string
  reason: string
}

/**
 * Adds pictures: chosen files, or an address.
 * @param refused the address that was entered last and refused
 */
export function Adding({
  addFiles,
  refused,
  add,
  forget,
}: {
  addFiles: (files: readonly File[]) => void
  refused: Refused | null
  add: (url: string) => void
  forget: () => void
}) {
  const { t } = useTranslation('pictures')
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className={classes.adding}>
      <input
        ref={field}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={(event) => {
          addFiles([...(event.currentTarget.files ?? [])])
          // lets the same file be chosen again
          event.currentTarget.value = ''
        }}
      />
      <Button variant="default" onClick={() => field.current?.click()}>
        {t('choose')}
      </Button>
      <span className={classes.quiet}>{t('dropOrPaste')}</span>
      <AddByAddress refused={refused} add={add} forget={forget} />
    </div>
  )
}

function AddByAddress({
  refused,
  add,
  forget,
}: {
  refused: Refused | null
  add: (url: string) => void
  forget: () => void
}) {
  const { t } = useTranslation('pictures')
  const [url, setUrl] = useState('')
  useEffect(() => {
    if (refused !== null) setUrl((typed) => (typed === '' ? refused.url : typed))
  }, [refused])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (url.trim() === '') return
    add(url.trim())
    setUrl('')
    forget()
  }
  return (
    <form onSubmit={submit} className={classes.address} noValidate>
      <Unsaved when={url.trim() !== ''} />
      <TextInput
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={refused === null ? undefined : t('addressRefused', { reason: refused.reason })}
        aria-label={t('address')}
        placeholder={t('address')}
        inputMode="url"
        autoComplete="off"
      />
      <Button type="submit" variant="default">
        {t('add')}
      </Button>
    </form>
  )
}
