import { requireRoom } from '../../accounts/limits/limits.ts'
import type { Reader } from '../../db/sql.ts'
import type { KeptFile } from '../files/run-files.ts'
import { fileBytesKept } from './runs.sql.ts'

/**
 * Checks that a file fits into the account’s budget of stored files.
 * @param file null: not received yet; checks that there is room for any file.
 * @throws ShelfwireError quota-exceeded
 */
export async function requireFileRoom(reader: Reader, accountId: number, file: KeptFile | null): Promise<void> {
  const used = await fileBytesKept(reader, accountId, file?.key ?? '')
  await requireRoom(reader, accountId, 'import_file_bytes', used, file?.bytes ?? 1)
}
