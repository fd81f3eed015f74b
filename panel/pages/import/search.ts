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

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export function importSearch(search: Record<string, unknown>): ImportSearch {
  const run = Number(search['run'])
  return {
    run: Number.isSafeInteger(run) && run > 0 ? run : undefined,
    step: search['step'] === 'map' ? 'map' : undefined,
    source: text(search['source']),
    kind: CHANGE_KINDS.find((kind) => kind === search['kind']),
    field: CHANGE_FIELDS.find((field) => field === search['field']),
    // the address may make a number of a key of digits
    sku: typeof search['sku'] === 'number' ? String(search['sku']) : text(search['sku']),
  }
}
