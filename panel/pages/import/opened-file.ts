import { readBeginning } from '../../api/send-file.ts'

/** A file that is mapped: dropped here, or kept by the service for a run. */
export interface OpenedFile {
  name: string
  bytes: number
  /** The file itself; null if only the service has it. */
  file: File | null
  /** The first bytes; all bytes of a workbook, whose directory is at the end. */
  beginning: (bytes: number) => Promise<Blob>
}

const WHOLE_BYTES_MAX = 134_217_728

export async function openDropped(file: File): Promise<OpenedFile> {
  const isPacked = await beginsAsZip(file)
  return {
    name: file.name,
    bytes: file.size,
    file,
    beginning: (bytes) => Promise.resolve(isPacked && file.size <= WHOLE_BYTES_MAX ? file : file.slice(0, bytes)),
  }
}

/** The file of a run, of which only the needed bytes are fetched. */
export function openKept(
  accountId: number,
  runId: number,
  { name, bytes }: { name: string; bytes: number },
): OpenedFile {
  const read = (bytesMax: number) =>
    readBeginning('GET /v1/account/imports/{id}/file', { accountId, params: { id: runId } }, bytesMax)
  let known: { blob: Blob; bytesMax: number } | undefined
  return {
    name,
    bytes,
    file: null,
    async beginning(wanted) {
      if (known !== undefined && (known.bytesMax >= wanted || known.blob.size === bytes))
        return known.blob.size === bytes && (await beginsAsZip(known.blob)) ? known.blob : known.blob.slice(0, wanted)
      let blob = await read(wanted)
      if (blob.size < bytes && (await beginsAsZip(blob))) blob = await read(Math.min(bytes, WHOLE_BYTES_MAX))
      known = { blob, bytesMax: wanted }
      return blob
    },
  }
}

async function beginsAsZip(blob: Blob): Promise<boolean> {
  const [p, k] = new Uint8Array(await blob.slice(0, 2).arrayBuffer())
  return p === 0x50 && k === 0x4b
}
