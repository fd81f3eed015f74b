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

export function resourceSearch(search: Record<string, unknown>): ResourceSearch {
  return {
    new: search['new'] === true ? true : undefined,
    from: textIn(search['from']),
    open: textIn(search['open']),
    q: textIn(search['q']),
    tab: textIn(search['tab']),
  }
}
