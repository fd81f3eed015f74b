import type { Reader } from './sql.ts'

/**
 * About how many bytes a JSON column has as text. One that PostgreSQL keeps as it is tells its length without being read; one that it has
 * compressed, which may be a hundredth of what it comes to, is written out.
 */
export const keptLength = (reader: Reader, column: string) => reader`coalesce(
  case when pg_column_compression(${reader(column)}) is null then pg_column_size(${reader(column)})
    else octet_length(${reader(column)}::text) end, 0)`
