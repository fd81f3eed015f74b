import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './import.module.css'

/** Where a file is dropped, or chosen by a button. */
export function DropArea({ isBusy, open }: { isBusy: boolean; open: (file: File) => void }) {
  const { t } = useTranslation('import')
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    <div
      className={`${classes.drop} ${isOver ? classes.over : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined) open(file)
      }}
    >
      <p>{t('drop.text')}</p>
      <Button loading={isBusy} onClick={() => input.current?.click()}>
        {t('drop.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('drop.choose')}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          // the same file may be chosen again, when it was corrected
          event.currentTarget.value = ''
          if (file !== undefined) open(file)
        }}
      />
      <p className={classes.quiet}>{t('drop.note')}</p>
    </div>
  )
}
