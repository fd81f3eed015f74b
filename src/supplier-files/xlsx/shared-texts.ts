import { unreadable, type ReadLimits } from '../rows.ts'
import type { WorkbookParts } from './parts.ts'
import { must } from '../../platform/must.ts'

const BLOCK_BYTES = 1_048_576
/** Texts of at least this size are decoded only once, because any number of cells may share them. */
const LARGE_BYTES = 4_096

/**
 * The texts that the cells of a workbook share. They are kept as bytes: half a million of them would take three times as much memory as
 * strings.
 */
export class SharedTexts {
  #last = Buffer.alloc(0)
  /** The first block has no bytes: it is for empty texts before the first other text. */
  readonly #blocks: Buffer[] = [this.#last]
  #used = 0
  /**
   * Three numbers for each text: twice the index of its block, plus 1 if the text is ASCII, which is decoded faster; the offset in the
   * block; the length. In bytes.
   */
  #places = new Uint32Array(3_072)
  #count = 0
  readonly #large = new Map<number, string>()

  get size(): number {
    return this.#count
  }

  add(text: string): void {
    const length = Buffer.byteLength(text)
    if (this.#used + length > this.#last.length) {
      this.#last = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, length))
      this.#blocks.push(this.#last)
      this.#used = 0
    }
    this.#last.write(text, this.#used)
    const at = this.#count * 3
    if (at + 3 > this.#places.length) {
      const places = new Uint32Array(this.#places.length * 2)
      places.set(this.#places)
      this.#places = places
    }
    this.#places[at] = (this.#blocks.length - 1) * 2 + (length === text.length ? 1 : 0)
    this.#places[at + 1] = this.#used
    this.#places[at + 2] = length
    this.#used += length
    this.#count++
  }

  /** @returns '' if there is no text with this index */
  get(index: number): string {
    if (!(index >= 0 && index < this.#count)) return ''
    const at = index * 3
    const from = must(this.#places[at + 1])
    const length = must(this.#places[at + 2])
    const known = length < LARGE_BYTES ? undefined : this.#large.get(index)
    if (known !== undefined) return known
    const place = must(this.#places[at])
    const text = must(this.#blocks[place >>> 1]).toString((place & 1) === 1 ? 'latin1' : 'utf8', from, from + length)
    if (length >= LARGE_BYTES) this.#large.set(index, text)
    return text
  }
}

/** Reads the part of shared texts. The differently formatted pieces of a text are joined; phonetic readings are left out. */
export async function readSharedTexts(parts: WorkbookParts, name: string, limits: ReadLimits): Promise<SharedTexts> {
  const { importWorkbookTextsMax: max, importCellCharactersMax: longest } = limits
  const texts = new SharedTexts()
  let text = ''
  let isReading = false
  await parts.readWhole(name, {
    opened(tag) {
      if (tag === 'si') text = ''
      else if (tag === 'rPh') isReading = true
    },
    closed(tag, content) {
      if (tag === 'si') {
        if (texts.size >= max) throw unreadable(`the workbook has more than ${max} texts: save the sheet as CSV`)
        texts.add(text)
      } else if (tag === 'rPh') isReading = false
      else if (tag === 't' && !isReading) {
        text += content
        if (text.length > longest)
          throw unreadable(`text ${texts.size + 1} of the workbook is longer than ${longest} characters`)
      }
    },
  })
  return texts
}
