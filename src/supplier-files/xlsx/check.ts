import { unreadable, type ReadLimits } from '../rows.ts'
import { directoryOf } from '../zip/directory.ts'
import { WorkbookParts } from './parts.ts'

/**
 * The parts of a workbook, after a check of the sizes that its directory states. A part that is larger than stated is refused when it is read.
 * @throws ShelfwireError `source-unreadable` for a workbook that is cut off, damaged, or beyond the limits
 */
export function checkedParts(workbook: Buffer, limits: ReadLimits): WorkbookParts {
  const entries = directoryOf(workbook, 0)
  if (entries === 'cut-off') throw unreadable('the workbook is cut off; fetch it again')
  if (entries === 'damaged') throw unreadable('the workbook is damaged: its directory cannot be read; fetch it again')
  let parts = 0
  let whole = 0
  for (const { name, size, compressedSize } of entries) {
    // a part of unknown size would have no limit
    if (size === 0 && compressedSize > 2)
      throw unreadable(`the workbook is damaged: ${name} has no size; save it again`)
    if (/\.(?:xml|rels)$/i.test(name)) whole += size
    if (whole > limits.importExpansionFreeBytes && whole > workbook.length * limits.importExpansionMax)
      throw unreadable(
        `the workbook expands to more than ${limits.importExpansionMax} times its size, as no catalog does: save the sheet as CSV`,
      )
    if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) {
      if (size > limits.importWorkbookSheetBytesMax) throw tooLarge(name, limits.importWorkbookSheetBytesMax)
    } else if (/\.(?:xml|rels)$/i.test(name)) {
      parts += size
      if (parts > limits.importWorkbookPartsBytesMax) throw tooLarge(name, limits.importWorkbookPartsBytesMax)
    }
  }
  return new WorkbookParts(workbook, entries, limits)
}

const tooLarge = (name: string, max: number) =>
  unreadable(`the workbook expands to too much: ${name} goes beyond ${max} bytes; save the sheet as CSV`)
