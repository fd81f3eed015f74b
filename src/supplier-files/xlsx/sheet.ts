import { unreadable, type ReadLimits } from '../rows.ts'
import type { NumberFormat } from './number-format.ts'
import { CollectedRows, COLUMNS_MAX, shownNumber } from './collected-rows.ts'
import type { PartHandlers } from './elements.ts'
import type { SharedTexts } from './shared-texts.ts'

/** Collects the rows of a sheet of an .xlsx workbook. */
export class SheetRows extends CollectedRows implements PartHandlers {
  readonly #texts: SharedTexts
  readonly #formats: readonly (NumberFormat | undefined)[]
  readonly #is1904: boolean
  readonly #limits: ReadLimits
  #column = 0
  #type = ''
  #style = 0
  #value = ''
  #isReading = false

  constructor(texts: SharedTexts, formats: readonly (NumberFormat | undefined)[], is1904: boolean, limits: ReadLimits) {
    super(limits)
    this.#texts = texts
    this.#formats = formats
    this.#is1904 = is1904
    this.#limits = limits
  }

  opened(tag: string, attributes: Readonly<Record<string, string>>): void {
    if (tag === 'c') {
      const { r } = attributes
      this.#column = r === undefined ? this.#column + 1 : columnOf(r)
      if (this.#column > COLUMNS_MAX)
        throw unreadable(`line ${this.line}: the sheet has a cell ${(r ?? '').slice(0, 20)} that no sheet has`)
      this.#type = attributes['t'] ?? 'n'
      this.#style = Number(attributes['s'] ?? 0)
      this.#value = ''
    } else if (tag === 'row') {
      const { r } = attributes
      this.begin(r === undefined ? this.line + 1 : Number(r))
      this.#column = 0
    } else if (tag === 'rPh') this.#isReading = true
  }

  closed(tag: string, text: string): void {
    if (tag === 'v') this.#value = text
    else if (tag === 't') {
      if (this.#type === 'inlineStr' && !this.#isReading && this.#value.length <= this.#limits.importRowBytesMax)
        this.#value += text
    } else if (tag === 'rPh') this.#isReading = false
    else if (tag === 'c') this.put(this.#column, this.#cell())
    else if (tag === 'row') this.finish()
  }

  #cell(): unknown {
    const value = this.#value
    if (value === '') return ''
    switch (this.#type) {
      case 's':
        return this.#texts.get(Number(value))
      case 'n':
        return shownNumber(value, this.#formats[this.#style], this.#is1904)
      case 'b':
        return value === '1'
      case 'd':
        return value.replace(/T00:00:00(?:\.0+)?Z?$/, '')
      default:
        return value
    }
  }
}

/** The number of the column in a reference, from 1 on: 28 for `AB12`. Beyond COLUMNS_MAX if there are no letters. */
function columnOf(reference: string): number {
  let column = 0
  for (let i = 0; i < reference.length && i < 8; i++) {
    const code = reference.charCodeAt(i)
    const letter = code >= 97 ? code - 96 : code - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column === 0 ? COLUMNS_MAX + 1 : column
}
