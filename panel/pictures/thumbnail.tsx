import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CloseIcon } from '../design/icons.tsx'
import classes from './pictures.module.css'
import type { Picture } from './use-picture-list.ts'

/** Our copies are asked for in this size: twice what is shown, for dense screens. */
const WIDTH = 240

/** A picture as a store would load it; what does not load says so. */
export function Thumbnail({ picture, alt }: { picture: Picture; alt: string }) {
  const { t } = useTranslation('pictures')
  const [failed, setFailed] = useState<string | null>(null)
  const address = addressOf(picture)
  if (address === null || failed === address)
    return (
      <span className={classes.none} role="img" aria-label={`${alt}: ${t('notShown')}`}>
        <CloseIcon size={28} />
      </span>
    )
  return (
    <img
      className={classes.image}
      src={address}
      alt={alt}
      loading="lazy"
      draggable={false}
      referrerPolicy="no-referrer"
      onError={() => setFailed(address)}
    />
  )
}

function addressOf({ shown, state, type }: Picture): string | null {
  if (shown === null || !/^https?:/i.test(shown)) return null
  return state === 'mirrored' && type !== 'image/svg+xml' && !shown.includes('?') ? `${shown}?w=${WIDTH}` : shown
}
