import { useState } from 'react'
import type { ListSelection } from './list.tsx'

interface Chosen<T, K> {
  keys: ReadonlySet<K>
  /** Chooses exactly these. */
  set: (keys: readonly K[]) => void
  /** For the list. If all rows can be chosen at once, the page has a box of its own. */
  selection: ListSelection<T>
}

/**
 * Rows that are chosen for an action on several at once.
 * @param nameOf label of a row's box for screen readers
 */
export function useChosen<T, K>(keyOf: (row: T) => K, nameOf: (row: T) => string): Chosen<T, K> {
  const [keys, setKeys] = useState<ReadonlySet<K>>(new Set())
  return {
    keys,
    set: (next) => setKeys(new Set(next)),
    selection: {
      isChosen: (row) => keys.has(keyOf(row)),
      choose: (rows, isChosen) =>
        setKeys((before) => {
          const next = new Set(before)
          for (const row of rows)
            if (isChosen) next.add(keyOf(row))
            else next.delete(keyOf(row))
          return next
        }),
      nameOf,
    },
  }
}
