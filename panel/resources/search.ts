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

const textOf = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

export function resourceSearch(search: Record<string, unknown>): ResourceSearch {
  return {
    new: search['new'] === true ? true : undefined,
    from: textOf(search['from']),
    open: textOf(search['open']),
    q: textOf(search['q']),
    tab: textOf(search['tab']),
  }
}
