import { unreadable, type ReadLimits } from '../rows.ts'

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const END_BYTES_MIN = 22
const COMMENT_BYTES_MAX = 65_535

/**
 * Checks by the directory of a workbook what its parts expand to, before any of them is read. The library refuses a part that
 * becomes larger than the directory says.
 * @throws ShelfwireError `source-unreadable` for a workbook that is cut off, protected, of another kind, or beyond the limits
 */
export function checkWorkbook(workbook: Buffer, limits: ReadLimits): void {
  const end = endOfDirectory(workbook)
  if (end === -1) throw unreadable('the workbook is cut off; fetch it again')
  let at = workbook.readUInt32LE(end + 16)
  const count = workbook.readUInt16LE(end + 10)
  let parts = 0
  for (let entry = 0; entry < count; entry++) {
    if (at + 46 > workbook.length || workbook.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw unreadable('the workbook is damaged: its directory cannot be read; fetch it again')
    const size = workbook.readUInt32LE(at + 24)
    const nameLength = workbook.readUInt16LE(at + 28)
    const name = workbook.toString('utf8', at + 46, at + 46 + nameLength)
    const compressed = workbook.readUInt32LE(at + 20)
    // a part of unknown size would be bounded by nothing
    if (size === 0 && compressed > 2) throw unreadable(`the workbook is damaged: ${name} has no size; save it again`)
    if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) {
      if (size > limits.importWorkbookSheetBytesMax) throw tooLarge(name, limits.importWorkbookSheetBytesMax)
    } else if (/\.(?:xml|rels)$/i.test(name)) {
      parts += size
      if (parts > limits.importWorkbookPartsBytesMax) throw tooLarge(name, limits.importWorkbookPartsBytesMax)
    }
    at += 46 + nameLength + workbook.readUInt16LE(at + 30) + workbook.readUInt16LE(at + 32)
  }
}

const tooLarge = (name: string, max: number) =>
  unreadable(`the workbook expands to too much: ${name} goes beyond ${max} bytes; save the sheet as CSV`)

function endOfDirectory(workbook: Buffer): number {
  const from = Math.max(0, workbook.length - END_BYTES_MIN - COMMENT_BYTES_MAX)
  for (let at = workbook.length - END_BYTES_MIN; at >= from; at--)
    if (workbook.readUInt32LE(at) === END_OF_DIRECTORY) return at
  return -1
}
