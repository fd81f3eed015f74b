import { textIn } from '../../api/address.ts'
import { RUN_STATES, type RunState } from '../../api/runs.ts'

// The address of a supplier's page and of a run's: tab, filters, what is open.

export interface SupplierSearch {
  tab?: string | undefined
  /** Name of the open source. */
  open?: string | undefined
  /** Whether its form is open. */
  edit?: true | undefined
  /** The form for a new source is open. */
  new?: true | undefined
  /** Filters of the runs. */
  state?: RunState | undefined
  source?: string | undefined
}

const flag = (value: unknown) => (value === true ? true : undefined)

export function supplierSearch(search: Record<string, unknown>): SupplierSearch {
  return {
    tab: textIn(search['tab']),
    open: textIn(search['open']),
    edit: flag(search['edit']),
    new: flag(search['new']),
    state: RUN_STATES.find((state) => state === search['state']),
    source: textIn(search['source']),
  }
}

/** `open`: the key of the offer whose change is shown. */
export function runSearch(search: Record<string, unknown>): { open?: string | undefined } {
  return { open: textIn(search['open']) }
}

/** Names of the tabs of a supplier's page, as they are in its address. */
export const supplierTabs = { sources: 'sources', runs: 'runs', limits: 'limits', settings: 'settings' } as const
