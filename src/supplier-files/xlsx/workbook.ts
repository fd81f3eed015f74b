import { unreadable } from '../rows.ts'
import { formatOfCode, type NumberFormat } from './number-format.ts'
import type { WorkbookParts } from './parts.ts'

/** Where the data of a sheet is in its workbook. */
export interface SheetPlace {
  /**
   * The names of the parts with the cells, the shared texts and the styles; '' for a part that the workbook does not
   * have.
   */
  sheet: string
  texts: string
  styles: string
  /** Whether days are counted from 1904, as on old Macs. */
  is1904: boolean
}

interface Sheets {
  tables: { name: string; isHidden: boolean; part: string }[]
  relations: Relation[]
  is1904: boolean
}

/** @throws ShelfwireError `source-unreadable` for a workbook without a list of sheets */
async function sheetsOf(parts: WorkbookParts, entriesMax: number): Promise<Sheets> {
  const root = await relationsOf(parts, '', entriesMax)
  const workbook = root.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  if (workbook.endsWith('.bin') || !parts.has(workbook)) {
    const isBinary = [...parts.names()].some((name) => name.endsWith('workbook.bin'))
    throw unreadable(
      isBinary
        ? 'this is a binary workbook (.xlsb): save it as .xlsx'
        : 'the workbook is damaged: it has no list of its sheets; save it again',
    )
  }
  const sheets: { name: string; id: string; isHidden: boolean }[] = []
  let is1904 = false
  await parts.readWhole(workbook, {
    opened(tag, attributes) {
      const of = (name: string) => {
        const found = Object.entries(attributes).find(([key]) => key === name || key.endsWith(`:${name}`))
        return found?.[1] ?? ''
      }
      if (tag === 'sheet' && sheets.length >= entriesMax) throw tooMany('sheets', entriesMax)
      if (tag === 'sheet') sheets.push({ name: of('name'), id: of('id'), isHidden: /hidden/i.test(of('state')) })
      else if (tag === 'workbookPr') is1904 = /^(?:1|true)$/.test(of('date1904'))
    },
    closed() {},
  })
  const relations = await relationsOf(parts, workbook, entriesMax)
  const worksheets = new Map(relations.filter(({ type }) => type === 'worksheet').map((one) => [one.id, one]))
  const tables = sheets.flatMap((sheet) => {
    const relation = worksheets.get(sheet.id)
    return relation === undefined ? [] : [{ ...sheet, part: relation.target }]
  })
  return { tables, relations, is1904 }
}

/** The names of the sheets that are not hidden, in their order. */
export async function visibleSheets(parts: WorkbookParts, entriesMax: number): Promise<string[]> {
  const { tables } = await sheetsOf(parts, entriesMax)
  return tables.filter(({ isHidden, part }) => !isHidden && parts.has(part)).map(({ name }) => name)
}

/**
 * Finds a sheet by its name, or the first that is not hidden.
 * @throws ShelfwireError `source-unreadable` for a workbook without such a sheet
 */
export async function findSheet(
  parts: WorkbookParts,
  wanted: string | undefined,
  entriesMax: number,
): Promise<SheetPlace> {
  const { tables, relations, is1904 } = await sheetsOf(parts, entriesMax)
  const found =
    wanted === undefined
      ? (tables.find(({ isHidden }) => !isHidden) ?? tables[0])
      : tables.find(({ name }) => name === wanted)
  if (found === undefined || !parts.has(found.part)) {
    const names = tables
      .slice(0, 20)
      .map(({ name }) => JSON.stringify(name.slice(0, 100)))
      .join(', ')
    throw unreadable(
      wanted === undefined
        ? 'the workbook has no sheet with a table'
        : `the workbook has no sheet ${JSON.stringify(wanted)}, but ${names}: check "sheet" in the mapping`,
    )
  }
  const part = (type: string) => relations.find((one) => one.type === type)?.target ?? ''
  return { sheet: found.part, texts: part('sharedStrings'), styles: part('styles'), is1904 }
}

interface Relation {
  id: string
  /** The last segment of the URI of its type. */
  type: string
  target: string
}

const tooMany = (what: string, max: number) =>
  unreadable(`the workbook has more than ${max} ${what}: save the sheet as CSV`)

async function relationsOf(parts: WorkbookParts, part: string, entriesMax: number): Promise<Relation[]> {
  const slash = part.lastIndexOf('/')
  const [folder, file] = [part.slice(0, slash + 1), part.slice(slash + 1)]
  const relations: Relation[] = []
  await parts.readWhole(`${folder}_rels/${file}.rels`, {
    opened(tag, attributes) {
      if (tag !== 'Relationship') return
      if (relations.length >= entriesMax) throw tooMany('relations', entriesMax)
      const { Id = '', Type = '', Target = '' } = attributes
      const target = new URL(Target.replaceAll('\\', '/'), `file:///${folder}`).pathname.slice(1)
      relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target: decodeURIComponent(target) })
    },
    closed() {},
  })
  return relations
}

/** Longer format codes are cut. Those of Excel have at most 255 characters. */
const FORMAT_CODE_MAX = 500

/**
 * Reads the number formats by the index of a cell's style. Undefined for formats that do not change a value: only dates
 * and leading zeros do.
 */
export async function readFormats(
  parts: WorkbookParts,
  name: string,
  entriesMax: number,
): Promise<(NumberFormat | undefined)[]> {
  const codes = new Map<string, string>()
  const formats: (NumberFormat | undefined)[] = []
  let isOfCells = false
  await parts.readWhole(name, {
    opened(tag, attributes) {
      const { numFmtId = '', formatCode = '' } = attributes
      if (formats.length >= entriesMax || codes.size >= entriesMax) throw tooMany('formats', entriesMax)
      if (tag === 'numFmt') codes.set(numFmtId, formatCode.slice(0, FORMAT_CODE_MAX))
      else if (tag === 'cellXfs') isOfCells = true
      else if (tag === 'xf' && isOfCells) formats.push(formatOfCode(Number(numFmtId), codes.get(numFmtId)))
    },
    closed(tag) {
      if (tag === 'cellXfs') isOfCells = false
    },
  })
  return formats
}
