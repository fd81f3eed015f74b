import { gunzip } from './gzip/gunzip.ts'
import { peekBytes } from './peek.ts'
import { unreadable, type ReadLimits } from './rows.ts'
import { isHtmlTable } from './xlsx/html-sheet.ts'
import { isOldWorkbook } from './xlsx/old-workbook.ts'
import { firstName, isProtected, unzip } from './zip/unzip.ts'

/** The bytes of a file without what is wrapped around them, and whether they are a workbook. */
export interface Content {
  isWorkbook: boolean
  /** It is one in the XML form of Excel 2003, and so a text. */
  isOldWorkbook: boolean
  /** It is a table in HTML that was saved for Excel, and so a text. */
  isHtmlTable: boolean
  bytes: AsyncGenerator<Uint8Array>
}

/** What a file is, is seen by so many bytes, in whatever pieces they come. */
const HEAD_BYTES = 65_536
/** A gzip file in a zip archive, and the like. */
const LAYERS_MAX = 3
const PARTS_OF_WORKBOOK = /^(?:\[Content_Types\]\.xml|_rels\/|xl\/|docProps\/|customXml\/)/

/**
 * Takes gzip and zip from around a file, whatever its name.
 * @param wanted the file inside a zip archive that has several
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
