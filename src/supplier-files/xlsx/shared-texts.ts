import type { WorkbookParts } from './parts.ts'

const BLOCK_BYTES = 1_048_576

/** The texts that the cells of a workbook share, kept as bytes: half a million texts as strings would take three times as much. */
export class SharedTexts {
  readonly #blocks: Buffer[] = []
  #last = Buffer.alloc(0)
  #used = 0
  /** Where each text is: its block, the offset in it, and its length. */
  #places = new Uint32Array(3_072)
  #count = 0

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
    this.#places[at] = this.#blocks.length - 1
    this.#places[at + 1] = this.#used
    this.#places[at + 2] = length
    this.#used += length
    this.#count++
  }

  /** @returns '' for a number that no text has */
  get(index: number): string {
    if (!(index >= 0 && index < this.#count)) return ''
    const at = index * 3
    const from = this.#places[at + 1] ?? 0
    return this.#blocks[this.#places[at] ?? 0]?.toString('utf8', from, from + (this.#places[at + 2] ?? 0)) ?? ''
  }
}

/** Reads the part of shared texts. Texts in several formats are joined; readings in other scripts are left out. */
export async function readSharedTexts(parts: WorkbookParts, name: string): Promise<SharedTexts> {
  const texts = new SharedTexts()
  let text = ''
  let isReading = false
  await parts.readWhole(name, {
    opened(tag) {
      if (tag === 'si') text = ''
      else if (tag === 'rPh') isReading = true
    },
    closed(tag, content) {
      if (tag === 'si') texts.add(text)
      else if (tag === 'rPh') isReading = false
      else if (tag === 't' && !isReading) text += content
    },
  })
  return texts
}
