import type { Query, Reader } from '../sql.ts'

/** A timestamptz as the API writes it (src/platform/time/timestamp.ts): `2026-11-20T10:00:00+00:00`. */
export const timestampText = (reader: Reader, column: Query<unknown>) =>
  reader`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`
