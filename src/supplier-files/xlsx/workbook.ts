import { unreadable } from '../rows.ts'
import { formatOfCode, type NumberFormat } from './number-format.ts'
import type { WorkbookParts } from './parts.ts'

/** What a workbook says about one of its sheets. */
export interface SheetPlace {
  /** The names of parts. */
  sheet: string
  texts: string
  styles: string
  /** Whether days are counted from 1904, as on old Macs. */
  is1904: boolean
}

/**
 * Finds a sheet by its name, or the first that is not hidden.
 * @throws ShelfwireError `source-unreadable` for a workbook without such a sheet
 */
export async function findSheet(parts: WorkbookParts, wanted: string | undefined): Promise<SheetPlace> {
  const root = await relationsOf(parts, '')
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
        const key = Object.keys(attributes).find((one) => one === name || one.endsWith(`:${name}`))
        return key === undefined ? '' : (attributes[key] ?? '')
      }
      if (tag === 'sheet') sheets.push({ name: of('name'), id: of('id'), isHidden: /hidden/i.test(of('state')) })
      else if (tag === 'workbookPr') is1904 = /^(?:1|true)$/.test(of('date1904'))
    },
    closed() {},
  })
  const relations = await relationsOf(parts, workbook)
  const tables = sheets.flatMap((sheet) => {
    const relation = relations.find(({ id, type }) => id === sheet.id && type === 'worksheet')
    return relation === undefined ? [] : [{ ...sheet, part: relation.target }]
  })
  const found =
    wanted === undefined
      ? (tables.find(({ isHidden }) => !isHidden) ?? tables[0])
      : tables.find(({ name }) => name === wanted)
  if (found === undefined || !parts.has(found.part)) {
    const names = tables.map(({ name }) => JSON.stringify(name)).join(', ')
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
  /** The last word of its address. */
  type: string
  target: string
}

async function relationsOf(parts: WorkbookParts, part: string): Promise<Relation[]> {
  const slash = part.lastIndexOf('/')
  const [folder, file] = [part.slice(0, slash + 1), part.slice(slash + 1)]
  const relations: Relation[] = []
  await parts.readWhole(`${folder}_rels/${file}.rels`, {
    opened(tag, attributes) {
      if (tag !== 'Relationship') return
      const { Id = '', Type = '', Target = '' } = attributes
      const target = new URL(Target.replaceAll('\\', '/'), `file:///${folder}`).pathname.slice(1)
      relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target: decodeURIComponent(target) })
    },
    closed() {},
  })
  return relations
}

/** Reads how numbers are shown, by the style of a cell; only dates and leading zeros change a value. */
export async function readFormats(parts: WorkbookParts, name: string): Promise<(NumberFormat | undefined)[]> {
  const codes = new Map<string, string>()
  const formats: (NumberFormat | undefined)[] = []
  let isOfCells = false
  await parts.readWhole(name, {
    opened(tag, attributes) {
      const { numFmtId = '', formatCode = '' } = attributes
      if (tag === 'numFmt') codes.set(numFmtId, formatCode)
      else if (tag === 'cellXfs') isOfCells = true
      else if (tag === 'xf' && isOfCells) formats.push(formatOfCode(Number(numFmtId), codes.get(numFmtId)))
    },
    closed(tag) {
      if (tag === 'cellXfs') isOfCells = false
    },
  })
  return formats
}
