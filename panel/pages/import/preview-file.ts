import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../api/problem.ts'
import { sendFile } from '../../api/send-file.ts'
import { useAccount } from '../../session/account.ts'
import type { LeftOutGroup } from '../../runs/row-groups.tsx'
import type { ReceivedRemark } from '../../words/remarks.ts'
import { columnsMapping, type Doc } from './mapping.ts'
import type { OpenedFile } from './opened-file.ts'

// The service's reading of the beginning of a file. It is requested again shortly after each change, and outdated answers are
// ignored.

/** A price column whose name shows its kind. */
export interface PriceColumn {
  column: string
  kind: 'purchase' | 'selling'
  vat: 'included' | 'excluded' | 'unknown'
}

/** The proposal for a file. Declared here, because the contract's schema has unions that types do not follow. */
export interface Detected {
  preset: string | null
  mapping: Doc
  reasons: { path: string; reason: string }[]
  prices: PriceColumn[]
  warnings: string[]
  /** Missing in an answer of an older process; use `remarksOf`. */
  remarks?: ReceivedRemark[]
  form: {
    format: string
    encoding: string | null
    delimiter: string | null
    header_line: number | null
    rows: number
  }
}

export interface PreviewedRow {
  line: number
  row: Readonly<Record<string, unknown>> | null
  offer: Readonly<Record<string, unknown>> | null
  errors: readonly { name: string; reason: string }[]
  /** Values of optional fields that cannot be read; the row is imported without them. */
  dropped: readonly { name: string; reason: string }[]
  is_left_out: boolean
  /** The condition that leaves the row out; null for other reasons. */
  condition: Doc | null
  /** Why the row is left out; null if it is not. */
  left_out_kind: LeftOutGroup['kind'] | null
}

export interface Previewed {
  rows: PreviewedRow[]
  warnings: string[]
  /** Missing in an answer of an older process; use `remarksOf`. */
  remarks?: ReceivedRemark[]
}

const DETECT_BYTES = 8_388_608
/**
 * Bytes that are sent. If the first part does not suffice, because rows are long or a product has several, the larger
 * one is sent.
 */
const PREVIEW_BYTES = [1_048_576, 16_777_216] as const
const COLUMN_ROWS = 20
export const PREVIEW_ROWS = 50
const PAUSE_MS = 400

export async function detectFile(accountId: number, code: string, file: OpenedFile): Promise<Detected> {
  const blob = await file.beginning(DETECT_BYTES)
  const answer = await sendFile('POST /v1/account/suppliers/{code}/imports/detect', {
    accountId,
    params: { code },
    file: blob,
    fileName: file.name,
  })
  return (answer as { data: Detected }).data
}

export async function previewFile(
  accountId: number,
  code: string,
  file: OpenedFile,
  mapping: Doc,
  rows: number,
  signal?: AbortSignal,
): Promise<Previewed> {
  for (const [i, bytes] of PREVIEW_BYTES.entries()) {
    const blob = await file.beginning(bytes)
    const isLast = blob.size >= file.bytes || i === PREVIEW_BYTES.length - 1
    try {
      const answer = await sendFile('POST /v1/account/suppliers/{code}/imports/preview', {
        accountId,
        params: { code },
        query: { rows },
        file: blob,
        fileName: file.name,
        mapping,
        ...(signal === undefined ? {} : { signal }),
      })
      return (answer as { data: Previewed }).data
    } catch (error) {
      if (isLast || !(error instanceof Problem) || error.code !== 'source-unreadable') throw error
    }
  }
  throw new Error('there is always a last part')
}

/** The detected format of a file, which is requested if it is not known. */
export function useDetected(code: string, file: OpenedFile, known: Detected | null): Detected | null {
  const { id } = useAccount()
  const read = useQuery({
    queryKey: ['form of a file', id, code, numberOf(file)],
    queryFn: () => detectFile(id, code, file),
    enabled: known === null,
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  return known ?? read.data ?? null
}

export interface Preview {
  /** The rows with the columns of the file. While the mapping is not usable, those of the last usable mapping. */
  rows: readonly PreviewedRow[]
  /** The same rows with their offers. */
  offers: UseQueryResult<Previewed>
}

/** The first rows of a file, and the offers that a mapping makes of them. */
export function usePreview(code: string, file: OpenedFile, doc: Doc, headerLine: number | null): Preview {
  const offers = usePreviewed(code, file, doc, PREVIEW_ROWS, true)
  // if the mapping names missing columns, the file's actual columns are still shown
  const plain = usePreviewed(code, file, columnsMapping(doc, headerLine), COLUMN_ROWS, offers.isError)
  const [last, setLast] = useState<readonly PreviewedRow[]>([])
  const rows = offers.data?.rows ?? plain.data?.rows
  if (rows !== undefined && rows !== last) setLast(rows)
  return { rows: rows ?? last, offers }
}

let files = 0
const numbers = new WeakMap<OpenedFile, number>()

/** A number that identifies a file in cache keys. */
function numberOf(file: OpenedFile): number {
  const known = numbers.get(file) ?? ++files
  numbers.set(file, known)
  return known
}

function usePreviewed(
  code: string,
  file: OpenedFile,
  doc: Doc,
  rows: number,
  isEnabled: boolean,
): UseQueryResult<Previewed> {
  const { id } = useAccount()
  const [mapping] = useDebouncedValue(JSON.stringify(doc), PAUSE_MS)
  return useQuery({
    queryKey: ['preview of a file', id, code, numberOf(file), rows, mapping],
    queryFn: ({ signal }) => previewFile(id, code, file, JSON.parse(mapping) as Doc, rows, signal),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    staleTime: Infinity,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  })
}
