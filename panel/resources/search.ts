import { textIn } from '../api/address.ts'

/** What a page of account resources has in its address. */
export interface ResourceSearch {
  /** The form for a new one is open. */
  new?: boolean | undefined
  /** What the first field of the new one begins with. */
  from?: string | undefined
  /** Key of the one that is open. */
  open?: string | undefined
  /** Text that rows are filtered by. */
  q?: string | undefined
  /** The tab that is open, on pages with several. */
  tab?: string | undefined
}

/** What a page that the steps of a new account lead to has in its address. */
export interface StepSearch {
  /** The form for a new one is open. */
  new?: true | undefined
  /** It leads back to the steps when the new one is there. */
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
