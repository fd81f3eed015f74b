import { useCallback, useMemo, useState } from 'react'
import type { ListSelection } from '../../components/list.tsx'
import type { ListedProduct } from './columns.tsx'
import type { ProductFilter } from './search.ts'

/** Products that were chosen one by one, or all that match except some. */
type Chosen = { kind: 'some'; rows: ReadonlyMap<number, ListedProduct> } | { kind: 'all'; except: ReadonlySet<number> }

const NONE: Chosen = { kind: 'some', rows: new Map() }

/** A selection in the form of the service. */
type SentSelection = { ids: number[] } | { filter: ProductFilter; except: number[] }

export interface Selection {
  /** Properties of the list. */
  list: Omit<ListSelection<ListedProduct>, 'nameOf'>
  /** How many products are chosen; null: all that match, not counted yet. */
  count: number | null
  isAll: boolean
  /** The rows that were chosen one by one. */
  rows: readonly ListedProduct[]
  except: ReadonlySet<number>
  takeAll: () => void
  clear: () => void
  sent: (filter: ProductFilter) => SentSelection
}

/**
 * The selection of a list. It outlives scrolling and reading further pages, but not a change of the list.
 * @param of identifies the list: with another value nothing is chosen
 * @param total how many products match; null: unknown
 */
export function useSelection(of: string, shown: readonly ListedProduct[], total: number | null): Selection {
  const [state, setState] = useState<{ of: string; chosen: Chosen }>({ of, chosen: NONE })
  const chosen = state.of === of ? state.chosen : NONE
  const set = useCallback((next: Chosen) => setState({ of, chosen: next }), [of])
  return useMemo(() => {
    const isChosen = ({ id }: ListedProduct) => (chosen.kind === 'all' ? !chosen.except.has(id) : chosen.rows.has(id))
    const choose = (rows: readonly ListedProduct[], isNow: boolean) => {
      if (chosen.kind === 'all') {
        const except = new Set(chosen.except)
        for (const { id } of rows) {
          if (isNow) except.delete(id)
          else except.add(id)
        }
        set({ kind: 'all', except })
        return
      }
      const next = new Map(chosen.rows)
      for (const row of rows) {
        if (isNow) next.set(row.id, row)
        else next.delete(row.id)
      }
      set({ kind: 'some', rows: next })
    }
    const here = shown.filter(isChosen).length
    const count =
      chosen.kind === 'some' ? chosen.rows.size : total === null ? null : Math.max(0, total - chosen.except.size)
    return {
      list: {
        isChosen,
        choose,
        all: {
          isChosen: here === 0 ? false : here === shown.length ? true : null,
          choose: (isNow: boolean) => (isNow ? choose(shown, true) : set(NONE)),
        },
      },
      count,
      isAll: chosen.kind === 'all',
      rows: chosen.kind === 'some' ? [...chosen.rows.values()] : [],
      except: chosen.kind === 'all' ? chosen.except : new Set<number>(),
      takeAll: () => set({ kind: 'all', except: new Set() }),
      clear: () => set(NONE),
      sent: (filter: ProductFilter): SentSelection =>
        chosen.kind === 'all' ? { filter, except: [...chosen.except] } : { ids: [...chosen.rows.keys()] },
    }
  }, [chosen, shown, total, set])
}
