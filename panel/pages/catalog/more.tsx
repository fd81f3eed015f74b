import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './catalog.module.css'

/** The end of what has been read: more is read when it comes into sight, and by its button. */
export function More({
  isBusy,
  isByItself,
  load,
  shown,
}: {
  isBusy: boolean
  isByItself: boolean
  load: () => void
  shown: string
}) {
  const { t } = useTranslation('catalog')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null || !isByItself) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && load(), {
      rootMargin: '800px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [load, isByItself])
  return (
    <div ref={place} className={classes.more}>
      <span>{t('shownSoFar', { count: shown })}</span>
      <Button variant="default" loading={isBusy} onClick={load}>
        {t('showMore')}
      </Button>
    </div>
  )
}
