import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import classes from './dialog.module.css'
import { askedNow, isAnythingUnsaved, isKeptFrom, onAsked } from './unsaved.ts'

/** Asks before something that was typed is lost; once for the whole panel. */
export function UnsavedQuestion() {
  const { t } = useTranslation()
  const asked = useSyncExternalStore(onAsked, askedNow)
  useBlocker({
    // who has been signed out cannot stay
    shouldBlockFn: ({ current, next }) => !next.pathname.endsWith('/sign-in') && isKeptFrom(next, current),
    enableBeforeUnload: isAnythingUnsaved,
  })
  if (asked === null) return null
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
