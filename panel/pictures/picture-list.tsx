import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { GripIcon } from '../design/icons.tsx'
import { PictureState } from './picture-state.tsx'
import classes from './pictures.module.css'
import { Thumbnail } from './thumbnail.tsx'
import type { Picture } from './use-picture-list.ts'

/** Pictures in their order; they are moved by dragging, or by the arrow keys. */
export function PictureList({
  pictures,
  reorder,
  actions,
}: {
  pictures: readonly Picture[]
  reorder: (urls: string[]) => void
  actions: (picture: Picture, number: number) => ReactNode
}) {
  const { t } = useTranslation('pictures')
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const count = pictures.length
  const move = (from: number, to: number) => {
    const end = Math.min(Math.max(to, 0), count - 1)
    const urls = pictures.map(({ url }) => url)
    const [url] = urls.splice(from, 1)
    if (url === undefined || from === end) return
    urls.splice(end, 0, url)
    reorder(urls)
    setSaid(t('moved', { from: from + 1, place: end + 1, count }))
    // the handle goes with its picture, and keeps the focus
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('[data-handle]')[end]?.focus())
  }
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      Home: 0,
      End: count - 1,
    }
    const place = places[event.key]
    if (place === undefined) return
    event.preventDefault()
    move(at, place)
  }
  /** Before which picture a pointer is. */
  const placeAt = (x: number, y: number) => {
    const cards = [...(list.current?.children ?? [])].map((card) => card.getBoundingClientRect())
    const at = cards.findIndex(({ top, bottom, left, width }) => y < top || (y <= bottom && x < left + width / 2))
    return at < 0 ? count : at
  }
  return (
    <>
      <ol className={classes.list} ref={list}>
        {pictures.map((picture, at) => (
          <li
            key={picture.url}
            className={`${classes.card} ${dragged === at ? classes.dragged : ''} ${dragged !== null && over === at ? classes.before : ''} ${dragged !== null && over === count && at === count - 1 ? classes.after : ''}`}
          >
            <button
              type="button"
              className={classes.handle}
              data-handle={at}
              aria-label={t('handle', { number: at + 1, count })}
              title={t('handleHint')}
              onKeyDown={(event) => onKeyDown(event, at)}
              onPointerDown={(event) => {
                if (event.button !== 0) return
                event.currentTarget.setPointerCapture(event.pointerId)
                setDragged(at)
                setOver(at)
              }}
              onPointerMove={(event) => {
                if (dragged !== null) setOver(placeAt(event.clientX, event.clientY))
              }}
              onPointerUp={() => {
                if (dragged !== null && over !== null) move(dragged, over > dragged ? over - 1 : over)
                setDragged(null)
                setOver(null)
              }}
              onPointerCancel={() => setDragged(null)}
            >
              <Thumbnail picture={picture} alt={t('picture', { number: at + 1 })} />
              <span className={classes.grip}>
                <GripIcon size={16} />
              </span>
            </button>
            <PictureState picture={picture} />
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
