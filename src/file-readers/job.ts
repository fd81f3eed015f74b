/** Messages to and from a reading process; all of them are sent as JSON. */
import type { ErrorCode, Fault } from '../platform/errors.ts'
import type { KnownMapping } from '../supplier-files/proposal/chosen-before.ts'
import type { Mapping } from '../supplier-files/mapping/mapping.ts'
import type { FileDoubts } from '../supplier-files/reading.ts'

/** What to do with the bytes that follow. */
export type ReadJob = { limits: Readonly<Record<string, unknown>> } & (
  | { kind: 'detect'; known: readonly KnownMapping[] }
  | { kind: 'preview'; mapping: Mapping; rows: number }
  | { kind: 'pages'; mapping: Mapping; isPacked: boolean }
)

/** The result of a job. An error with a code is a fault of the file. */
export type ReadResult =
  | { ok: true; value: unknown; doubts?: FileDoubts }
  | { ok: false; code: ErrorCode | null; detail: string; faults: readonly Fault[] }
