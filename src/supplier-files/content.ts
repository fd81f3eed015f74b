import { gunzip } from './gzip/gunzip.ts'
import { peekBytes } from './peek.ts'
import { unreadable, type ReadLimits } from './rows.ts'
import { isHtmlTable } from './xlsx/html-sheet.ts'
import { isOldWorkbook } from './xlsx/old-workbook.ts'
import { firstName, isProtected, unzip } from './zip/unzip.ts'

/**
 * The bytes of a file after unpacking gzip and zip, and whether the file is a workbook. At most one of the last two
 * flags is true; with either, `isWorkbook` is true.
 */
export interface Content {
  isWorkbook: boolean
  /** The workbook is in the XML format of Excel 2003, so its bytes are text. */
  isOldWorkbook: boolean
  /** The workbook is an HTML table that was saved for Excel, so its bytes are text. */
  isHtmlTable: boolean
  bytes: AsyncGenerator<Uint8Array>
}

/** The kind of a file is detected from its first bytes, however they are split into chunks. */
const HEAD_BYTES = 65_536
/** How many archives may be nested, such as a gzip file in a zip archive. */
const LAYERS_MAX = 3
const PARTS_OF_WORKBOOK = /^(?:\[Content_Types\]\.xml|_rels\/|xl\/|docProps\/|customXml\/)/

/**
 * Unpacks gzip and zip, whatever the file is called.
 * @param wanted the file to take from a zip archive that has several
 * @throws ShelfwireError `source-unreadable` for an archive that cannot be unpacked, and for an OpenDocument file
 */
export async function openContent(
  bytes: AsyncIterable<Uint8Array>,
  wanted: string | undefined,
  limits: ReadLimits,
): Promise<Content> {
  let inner = bytes
  for (let layer = 0; ; layer++) {
    const { head: peeked, whole } = await peekBytes(inner, HEAD_BYTES)
    const head = peeked.subarray(0, HEAD_BYTES)
    const magic = head.toString('hex', 0, 4)
    const isGzip = magic.startsWith('1f8b')
    const isZip = magic === '504b0304'
    if (!isGzip && !isZip) return ofText(head, whole)
    if (isZip) {
      if (isProtected(head)) throw unreadable('the zip archive is protected by a password: send it without one')
      const name = firstName(head)
      if (PARTS_OF_WORKBOOK.test(name))
        return { isWorkbook: true, isOldWorkbook: false, isHtmlTable: false, bytes: whole }
      if (name === 'mimetype') throw unreadable('this is an OpenDocument file: save the sheet as .xlsx or CSV')
    }
    if (layer >= LAYERS_MAX) throw unreadable(`the file is packed more than ${LAYERS_MAX} times: unpack it`)
    inner = isGzip ? gunzip(whole, limits) : unzip(whole, wanted, limits)
  }
}

function ofText(head: Buffer, bytes: AsyncGenerator<Uint8Array>): Content {
  const isOld = isOldWorkbook(head)
  const isHtml = !isOld && isHtmlTable(head)
  return { isWorkbook: isOld || isHtml, isOldWorkbook: isOld, isHtmlTable: isHtml, bytes }
}
