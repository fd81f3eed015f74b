import { remarksOf } from '../../words/remarks.ts'
import { columnsIn, type Doc, fieldsOf, isLocalText } from './mapping.ts'
import type { OpenedFile } from './opened-file.ts'
import { type Detected, PREVIEW_ROWS, previewFile, type PreviewedRow } from './preview-file.ts'

// Whether a file can be compared at once: docs/decisions/242-a-shop-is-connected-in-one-step.md.

/** Larger files are sent from the mapping, which shows how far that is. */
const BYTES_MAX = 16_777_216

/**
 * Whether nothing about a file is to be asked: the proposal asks nothing, knows what is paid, how many there are and what they are called,
 * and the first rows come in whole.
 */
export async function isPlain(
  accountId: number,
  code: string,
  { file, mapping, detected }: { file: OpenedFile; mapping: Doc; detected: Detected | null },
): Promise<boolean> {
  if (detected === null || file.bytes > BYTES_MAX || !isCertain({ ...detected, mapping })) return false
  // why it cannot be read is said beside the mapping
  const preview = await previewFile(accountId, code, file, mapping, PREVIEW_ROWS).catch(() => null)
  return preview !== null && remarksOf(preview).length === 0 && comeInWhole(preview.rows)
}

/** Whether a proposal leaves no doubt about what shops cannot do without. */
export function isCertain({
  preset,
  mapping,
  prices,
  ...said
}: Pick<Detected, 'preset' | 'mapping' | 'prices' | 'warnings' | 'remarks'>): boolean {
  const fields = fieldsOf(mapping)
  const cost = columnsIn(fields['cost'])
  // of a ready mapping it is not known which column is read as the cost
  const isSelling = prices.some(
    ({ column, kind }) => kind === 'selling' && (fields['cost'] === undefined || cost.includes(column)),
  )
  if (remarksOf(said).length > 0 || isSelling) return false
  if (preset !== null) return true
  const isTitled = Object.keys(fields).some(
    (field) => field === 'title' || (isLocalText(field) && field.startsWith('title.')),
  )
  return fields['cost'] !== undefined && fields['quantity'] !== undefined && isTitled
}

/** Whether every row is an offer, with a cost, and nothing of it is dropped. */
export const comeInWhole = (rows: readonly PreviewedRow[]): boolean =>
  rows.length > 0 &&
  rows.every(({ offer, dropped }) => offer !== null && offer['cost'] !== null && dropped.length === 0)
