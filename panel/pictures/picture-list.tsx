import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReorder, type Marks } from '../components/reorder.ts'
import { CloseIcon, GripIcon } from '../design/icons.tsx'
import { PictureFacts, type VariantsOf } from './picture-facts.tsx'
import { PictureState } from './picture-state.tsx'
import classes from './pictures.module.css'
import type { Picture } from './use-picture-list.ts'

/** Pictures in their order, which can be changed by dragging or with the arrow keys. */
export function PictureList({
  pictures,
  reorder,
  variantsOf,
  actions,
}: {
  pictures: readonly Picture[]
  reorder: (urls: string[]) => void
  variantsOf: VariantsOf
  actions: (picture: Picture, number: number) => ReactNode
}) {
  const { t } = useTranslation('pictures')
  const count = pictures.length
  const { list, said, marksOf, placeOf, handleOf } = useReorder({
    keys: pictures.map(({ url }) => url),
    reorder,
    say: (_, from, to) => t('moved', { from: from + 1, place: to + 1, count }),
    isGrid: true,
  })
  return (
    <>
      <ol className={classes.list} ref={list}>
        {pictures.map((picture, at) => (
          <li key={picture.url} {...placeOf(at)} className={cardClasses(marksOf(at))}>
            <button
              type="button"
              className={classes.handle}
              aria-label={t('handle', { number: at + 1, count })}
              title={t('handleHint')}
              {...handleOf(at)}
            >
              <Thumbnail picture={picture} alt={t('picture', { number: at + 1 })} />
              <span className={classes.grip}>
                <GripIcon size={16} />
              </span>
            </button>
            <PictureState picture={picture} />
            <PictureFacts picture={picture} variants={variantsOf(picture.shown)} />
            <div className={classes.actions}>{actions(picture, at + 1)}</div>
          </li>
        ))}
      </ol>
      <div role="status" className={classes.said}>
        {said}
      </div>
    </>
  )
}

const cardClasses = ({ isDragged, isBefore, isBehind }: Marks) =>
  `${classes.card} ${isDragged ? classes.dragged : ''} ${isBefore ? classes.before : ''} ${isBehind ? classes.after : ''}`

/** The width at which our copies are requested: twice the shown size, for high-resolution screens. */
const WIDTH = 240

/** A picture as a store would load it, or a message if it does not load. */
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
