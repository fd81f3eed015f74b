import type { Reader } from '../sql.ts'

/**
 * SQL for the rough length of a JSON column as text, in bytes. An uncompressed value's length is known without reading it; a compressed
 * one, which may be a hundredth of its text, has to be written out.
 */
export const keptLength = (reader: Reader, column: string) => reader`coalesce(
  case when pg_column_compression(${reader(column)}) is null then pg_column_size(${reader(column)})
    else octet_length(${reader(column)}::text) end, 0)`
