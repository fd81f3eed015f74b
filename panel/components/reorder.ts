import { useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'

/**
 * Whether an item is dragged, and whether the dragged item would be dropped before it, or after it at the end of the
 * list.
 */
export interface Marks {
  isDragged: boolean
  isBefore: boolean
  isBehind: boolean
}

interface Reorder<E extends HTMLElement> {
  list: RefObject<E | null>
  /** The last move as a sentence, for a live region. */
  said: string
  marksOf: (at: number) => Marks
  /** Properties of an item. */
  placeOf: (at: number) => { 'data-place': number }
  /** Properties of the button that moves an item. */
  handleOf: (at: number) => {
    'data-handle': number
    onKeyDown: (event: KeyboardEvent) => void
    onPointerDown: (event: PointerEvent<HTMLElement>) => void
    onPointerMove: (event: PointerEvent) => void
    onPointerUp: () => void
    onPointerCancel: () => void
  }
}

/**
 * A list that the reader can order by dragging the items' handles, or with the arrow keys on a handle.
 * @param keys of the items that can be moved, in their order; other items may follow them
 * @param say returns the sentence that is read out after a move
 */
export function useReorder<K, E extends HTMLElement = HTMLOListElement>({
  keys,
  reorder,
  say,
  isGrid = false,
}: {
  keys: readonly K[]
  reorder: (keys: K[]) => void
  say: (key: K, from: number, to: number) => string
  /** Items are side by side, so that the left and right keys move them as well. */
  isGrid?: boolean
}): Reorder<E> {
  const list = useRef<E>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const last = keys.length - 1
  const move = (from: number, to: number) => {
    const end = Math.min(Math.max(to, 0), last)
    const next = [...keys]
    const [key] = next.splice(from, 1)
    if (key === undefined || from === end) return
    next.splice(end, 0, key)
    reorder(next)
    setSaid(say(key, from, end))
    // the handle moves with its item and keeps the focus
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('[data-handle]')[end]?.focus())
  }
  /** The index before which the pointer would drop an item. */
  const placeAt = ({ clientX: x, clientY: y }: PointerEvent) => {
    const places = [...(list.current?.querySelectorAll('[data-place]') ?? [])].map((one) => one.getBoundingClientRect())
    const at = places.findIndex(({ top, bottom, left, width, height }) =>
      isGrid ? y < top || (y <= bottom && x < left + width / 2) : y < top + height / 2,
    )
    return at < 0 ? keys.length : at
  }
  const end = () => {
    setDragged(null)
    setOver(null)
  }
  return {
    list,
    said,
    marksOf: (at) => ({
      isDragged: dragged === at,
      isBefore: dragged !== null && over === at,
      isBehind: dragged !== null && over === keys.length && at === last,
    }),
    placeOf: (at) => ({ 'data-place': at }),
    handleOf: (at) => ({
      'data-handle': at,
      onKeyDown(event) {
        const places: Readonly<Record<string, number>> = {
          ArrowUp: at - 1,
          ArrowDown: at + 1,
          ...(isGrid ? { ArrowLeft: at - 1, ArrowRight: at + 1 } : {}),
          Home: 0,
          End: last,
        }
        const place = places[event.key]
        if (place === undefined) return
        event.preventDefault()
        move(at, place)
      },
      onPointerDown(event) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragged(at)
        setOver(at)
      },
      onPointerMove(event) {
        if (dragged !== null) setOver(placeAt(event))
      },
      onPointerUp() {
        if (dragged !== null && over !== null) move(dragged, over > dragged ? over - 1 : over)
        end()
      },
      onPointerCancel: end,
    }),
  }
}
