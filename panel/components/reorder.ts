import { useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'

/** Whether one is dragged, and whether what is dragged would go before it, or behind it as the last one. */
export interface Marks {
  isDragged: boolean
  isBefore: boolean
  isBehind: boolean
}

interface Reorder<E extends HTMLElement> {
  list: RefObject<E | null>
  /** What was moved last, for a region that is read out. */
  said: string
  marksOf: (at: number) => Marks
  /** Properties of what is moved. */
  placeOf: (at: number) => { 'data-place': number }
  /** Properties of the button by which it is moved. */
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
 * A list whose order is the reader's: things are moved by dragging their handles, or by the arrow keys on them.
 * @param keys in their order; others may stand behind them
 * @param say what is said once one has been moved, by its key
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
  /** They stand side by side: the keys to the left and right move them, too. */
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
    // the handle goes with what it moves, and keeps the focus
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('[data-handle]')[end]?.focus())
  }
  /** Before which one a pointer is. */
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
