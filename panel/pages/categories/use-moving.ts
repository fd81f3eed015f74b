import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useMutation } from '@tanstack/react-query'
import { useRefreshAccount } from '../../api/read.ts'
import { changeResource } from '../../api/resources.ts'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import classes from './categories.module.css'
import { placeAt, placeInDirection, stepsTo, type Direction, type Place } from './move.ts'
import { foldKey, type Node } from './tree.ts'

type Part = 'before' | 'into' | 'behind'

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}
/** The parts at the top and bottom of a row that mean before and after it, as a share of its height. */
const EDGE = 0.3

interface Moving {
  /** The last move as a sentence, for a live region. */
  said: string
  error: unknown
  isBusy: boolean
  /** Properties of the button that moves a category. */
  handleOf: (node: Node) => {
    'data-moves': string
    onKeyDown: (event: KeyboardEvent) => void
    onPointerDown: (event: PointerEvent<HTMLElement>) => void
    onPointerMove: (event: PointerEvent) => void
    onPointerUp: () => void
    onPointerCancel: () => void
  }
  /** CSS class of a row's name while a category is dragged. */
  markOf: (node: Node) => string
}

/**
 * Moving categories in their tree.
 * @param nodes all categories in order
 * @param seen the visible ones, in the order of the rows
 */
export function useMoving({
  nodes,
  seen,
  follow,
}: {
  nodes: readonly Node[]
  seen: readonly Node[]
  /** Called with the old and the new path of a category. */
  follow: (from: string, to: string) => void
}): Moving {
  const words = useResourceWords('categories')
  const account = useAccount()
  const refresh = useRefreshAccount()
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<{ node: Node; part: Part } | null>(null)
  const [said, setSaid] = useState('')
  const work = useMutation({
    mutationFn: async ({ moved, place }: { moved: Node; place: Place }) => {
      const steps = stepsTo(nodes, moved, place)
      if (steps === null) {
        setSaid(words.of('belowItself', { name: moved.name }))
        return
      }
      for (const { id, body } of steps) await changeResource(account.id, 'categories', id, body)
      follow(moved.path, place.parent === null ? moved.name : `${place.parent}/${moved.name}`)
      setSaid(words.of(place.parent === null ? 'movedToTop' : 'moved', { name: moved.name, path: place.parent ?? '' }))
    },
    // also after a failure, because a part may have been written
    async onSettled(_data, _error, { moved }) {
      await refresh()
      const id = String(moved.category?.id ?? '')
      // the handle moves with its category and keeps the focus
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-moves="${id}"]`)?.focus())
    },
  })
  const move = (moved: Node, place: Place | null) => {
    if (place !== null && !work.isPending) work.mutate({ moved, place })
  }
  const end = () => {
    setDragged(null)
    setOver(null)
  }
  return {
    said,
    error: work.error,
    isBusy: work.isPending,
    markOf: (node) => {
      if (dragged === null) return ''
      if (foldKey(node) === dragged) return classes.dragged ?? ''
      return over !== null && over.node === node ? (classes[over.part] ?? '') : ''
    },
    handleOf: (node) => ({
      'data-moves': String(node.category?.id ?? ''),
      onKeyDown(event) {
        const direction = DIRECTIONS[event.key]
        if (direction === undefined) return
        event.preventDefault()
        move(node, placeInDirection(nodes, node, direction))
      },
      onPointerDown(event) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragged(foldKey(node))
      },
      onPointerMove(event) {
        if (dragged !== null) setOver(rowUnder(event, seen))
      },
      onPointerUp() {
        if (dragged !== null && over !== null && foldKey(over.node) !== dragged)
          move(node, placeAt(nodes, over.node, over.part))
        end()
      },
      onPointerCancel: end,
    }),
  }
}

/** The row under the pointer, and the part of it. */
function rowUnder({ clientX, clientY }: PointerEvent, seen: readonly Node[]): { node: Node; part: Part } | null {
  const row = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('tr[data-index]')
  const node = seen[Number(row?.dataset['index'] ?? -1)]
  if (row === null || row === undefined || node === undefined) return null
  const { top, height } = row.getBoundingClientRect()
  const share = (clientY - top) / height
  return { node, part: share < EDGE ? 'before' : share > 1 - EDGE ? 'behind' : 'into' }
}
