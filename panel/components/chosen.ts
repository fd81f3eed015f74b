import { useState } from 'react'
import type { ListSelection } from './list.tsx'

interface Chosen<T, K> {
  keys: ReadonlySet<K>
  /** Chooses these and no others. */
  set: (keys: readonly K[]) => void
  /** For the list; all rows are chosen by a box of the page's own. */
  selection: ListSelection<T>
}

/** Rows that are chosen to do something with several at once. @param nameOf what a box says to those who do not see its row */
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
