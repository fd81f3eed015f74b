import { idIn, textIn } from '../../api/address.ts'

export interface ImportSearch {
  /** The run that is shown: its comparison, or its progress. */
  run?: number | undefined
  /** Shows the mapping of the run instead of the run. */
  step?: 'map' | undefined
  /** The source whose mapping is used, and to which changes are saved. */
  source?: string | undefined
  /** Started from the steps of a new account; return there afterwards. */
  from?: 'steps' | undefined
  /** Filters of the comparison as texts; they are checked by change-filters.ts, which is loaded with the page. */
  kind?: string | undefined
  field?: string | undefined
  sku?: string | undefined
}

export function importSearch(search: Record<string, unknown>): ImportSearch {
  return {
    run: idIn(search['run']),
    step: search['step'] === 'map' ? 'map' : undefined,
    source: textIn(search['source']),
    from: search['from'] === 'steps' ? 'steps' : undefined,
    kind: textIn(search['kind']),
    field: textIn(search['field']),
    sku: textIn(search['sku']),
  }
}
