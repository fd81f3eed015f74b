import { textIn } from '../api/address.ts'

/** The search parameters of a page of account resources. */
export interface ResourceSearch {
  /** The form for a new one is open. */
  new?: boolean | undefined
  /** Initial value of the first field of the new one. */
  from?: string | undefined
  /** Key of the one that is open. */
  open?: string | undefined
  /** Text by which rows are filtered. */
  q?: string | undefined
  /** The open tab, on pages with several. */
  tab?: string | undefined
}

/** Search parameters of pages that the steps of a new account link to. */
export interface StepSearch {
  /** The form for a new one is open. */
  new?: true | undefined
  /** Return to the steps after the creation. */
  from?: 'steps' | undefined
}

export const stepSearch = (search: Record<string, unknown>): StepSearch => ({
  new: search['new'] === true ? true : undefined,
  from: search['from'] === 'steps' ? 'steps' : undefined,
})

export function resourceSearch(search: Record<string, unknown>): ResourceSearch {
  return {
    new: search['new'] === true ? true : undefined,
    from: textIn(search['from']),
    open: textIn(search['open']),
    q: textIn(search['q']),
    tab: textIn(search['tab']),
  }
}
