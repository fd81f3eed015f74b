import { idIn, textIn } from '../../api/address.ts'

export interface ImportSearch {
  /** The run that is shown: its comparison, or its progress. */
  run?: number | undefined
  /** The mapping of the run is shown in place of the run. */
  step?: 'map' | undefined
  /** The source whose mapping is taken, and saved to. */
  source?: string | undefined
  /** It was begun at the steps of a new account, and leads back there. */
  from?: 'steps' | undefined
  /** What changes are looked for, as the address names it; change-filters.ts comes with the page. */
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
