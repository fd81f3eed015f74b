import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import classes from './dialog.module.css'
import type { Asked } from './unsaved.ts'

/** Asks whether typed text may be lost. */
export function UnsavedDialog({ asked }: { asked: Asked }) {
  const { t } = useTranslation()
  const stay = () => asked.answer(false)
  return (
    <Dialog title={asked.question?.title ?? t('unsaved.title')} close={stay}>
      <div className={classes.text}>
        <p>{asked.question?.text ?? t('unsaved.text')}</p>
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => asked.answer(true)}>
          {asked.question?.lose ?? t('unsaved.lose')}
        </Button>
        <Button onClick={stay} data-autofocus>
          {asked.question?.stay ?? t('unsaved.stay')}
        </Button>
      </div>
    </Dialog>
  )
}
