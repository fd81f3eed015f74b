import { remarksOf } from '../../words/remarks.ts'
import { columnsIn, type Doc, fieldsOf, isLocalText } from './mapping.ts'
import type { OpenedFile } from './opened-file.ts'
import { type Detected, PREVIEW_ROWS, previewFile, type PreviewedRow } from './preview-file.ts'

// Whether a file can be compared without questions: docs/decisions/242-a-shop-is-connected-in-one-step.md.

/** Larger files are uploaded from the mapping step, which shows the progress. */
const BYTES_MAX = 16_777_216

/**
 * Whether a file needs no questions: the proposal has none, cost, quantity and title are certain, and the first rows are read without
 * faults.
 */
export async function isPlain(
  accountId: number,
  code: string,
  { file, mapping, detected }: { file: OpenedFile; mapping: Doc; detected: Detected | null },
): Promise<boolean> {
  if (detected === null || file.bytes > BYTES_MAX || !isCertain({ ...detected, mapping })) return false
  // the mapping step shows why the file cannot be read
  const preview = await previewFile(accountId, code, file, mapping, PREVIEW_ROWS).catch(() => null)
  return preview !== null && remarksOf(preview).length === 0 && isImportedCompletely(preview.rows)
}

/** Whether a proposal is certain about everything that shops require. */
export function isCertain({
  preset,
  mapping,
  prices,
  ...said
}: Pick<Detected, 'preset' | 'mapping' | 'prices' | 'warnings' | 'remarks'>): boolean {
  const fields = fieldsOf(mapping)
  const cost = columnsIn(fields['cost'])
  // it is unknown which column a ready mapping reads as the cost
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

/** Whether every row is an offer with a cost, and no value was dropped. */
export const isImportedCompletely = (rows: readonly PreviewedRow[]): boolean =>
  rows.length > 0 &&
  rows.every(({ offer, dropped }) => offer !== null && offer['cost'] !== null && dropped.length === 0)
