import { idIn, textIn } from '../../api/address.ts'
import { CHANGE_FIELDS, CHANGE_KINDS, type ChangeField, type ChangeKind } from './change-filters.ts'

export interface ImportSearch {
  /** The run that is shown: its comparison, or its progress. */
  run?: number | undefined
  /** The mapping of the run is shown in place of the run. */
  step?: 'map' | undefined
  /** The source whose mapping is taken, and saved to. */
  source?: string | undefined
  kind?: ChangeKind | undefined
  field?: ChangeField | undefined
  sku?: string | undefined
}

export function importSearch(search: Record<string, unknown>): ImportSearch {
  return {
    run: idIn(search['run']),
    step: search['step'] === 'map' ? 'map' : undefined,
    source: textIn(search['source']),
    kind: CHANGE_KINDS.find((kind) => kind === search['kind']),
    field: CHANGE_FIELDS.find((field) => field === search['field']),
    sku: textIn(search['sku']),
  }
}
