import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Column } from './list.tsx'

export interface Chosen<K> {
  keys: ReadonlySet<K>
  /** Chooses these and no others. */
  set: (keys: readonly K[]) => void
  toggle: (key: K) => void
}

/** Rows that are chosen by a box, to do something with several at once. */
export function useChosen<K>(): Chosen<K> {
  const [keys, setKeys] = useState<ReadonlySet<K>>(new Set())
  return {
    keys,
    set: (next) => setKeys(new Set(next)),
    toggle: (key) =>
      setKeys((before) => {
        const next = new Set(before)
        if (!next.delete(key)) next.add(key)
        return next
      }),
  }
}

/** The column with the boxes. @param labelOf what a box says to those who do not see its row */
export function chosenColumn<T, K>(chosen: Chosen<K>, keyOf: (row: T) => K, labelOf: (row: T) => string): Column<T> {
  return {
    id: 'chosen',
    title: '',
    width: '44px',
    cell: (row) => (
      <Checkbox
        size="xs"
        aria-label={labelOf(row)}
        checked={chosen.keys.has(keyOf(row))}
        onChange={() => chosen.toggle(keyOf(row))}
        // a click on the box is not one on the row
        onClick={(event) => event.stopPropagation()}
      />
    ),
  }
}
