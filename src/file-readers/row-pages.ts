/**
 * The format of pages of rows that a reading process sends to the service: the length of the head, the number of bytes of the file read so far, the
 * head, and the texts of the offers. The head contains what an import compares (supplier-files/offer-facts.ts), as one list per value for all offers
 * of the page, and the other rows. The service parses the text of an offer only if it needs more: for a file that changes nothing, none.
 * docs/decisions/160-a-reading-process-sends-what-is-compared.md says why.
 */
import type { OfferRecord } from '../model/offer.ts'
import { recordOf, recordText } from '../model/record-text.ts'
import type { Fault } from '../platform/errors.ts'
import { must } from '../platform/must.ts'
import { textHash } from '../platform/text/text-hash.ts'
import type { Mapping } from '../supplier-files/mapping/mapping.ts'
import { factsOf, VALUE_PRESENCES, type ComparedRow, type OfferFacts } from '../supplier-files/offer-facts.ts'
import type { ReadRow } from '../supplier-files/reading.ts'
import type { Remark } from '../supplier-files/remarks.ts'
import { firstCells } from '../supplier-files/rows.ts'

/** A row without an offer, as it is sent. A skipped row has its first cells, and the index of its condition in the mapping. */
type SentRow =
  | Extract<ReadRow, { faults: unknown }>
  | {
      line: number
      skipped: true
      condition: number | null
      cells: string[]
      remark?: Remark
      about?: readonly string[]
    }

/** Each list has one value per offer; `false` means that the file does not state the value, because JSON has no undefined. */
interface Head {
  lines: number[]
  /** Where the text of each offer ends, in bytes. */
  ends: number[]
  skus: string[]
  hashes: string[]
  costs: (number | null | false)[]
  currencies: (string | null | false)[]
  quantities: (number | false)[]
  titles: number[]
  images: number[]
  eans: number[]
  emptyQuantities: boolean[]
  /** The few offers of which values were dropped, by index. */
  dropped: [number, readonly Fault[]][]
  /** The number of each article within a record that lists several, by index. */
  articles: [number, number][]
  /** The other rows, each with the number of offers before it. */
  others: [number, SentRow][]
}

const LENGTH_BYTES = 4
const READ_BYTES = 8
/** The buffer for the texts of the first page; later buffers are as large as the previous page needed. */
const TEXTS_BYTES = 65_536

const emptyHead = (): Head => ({
  lines: [],
  ends: [],
  skus: [],
  hashes: [],
  costs: [],
  currencies: [],
  quantities: [],
  titles: [],
  images: [],
  eans: [],
  emptyQuantities: [],
  dropped: [],
  articles: [],
  others: [],
})

/** A page that is being filled. */
export class RowPage {
  readonly #mapping: Mapping
  #head = emptyHead()
  #texts = Buffer.allocUnsafe(TEXTS_BYTES)
  #bytes = 0
  /** Characters in the head that have no limit of their own. */
  #characters = 0
  #rows = 0

  constructor(mapping: Mapping) {
    this.#mapping = mapping
  }

  /** The number of rows in it. */
  get rows(): number {
    return this.#rows
  }

  /** Its approximate size in bytes. */
  get size(): number {
    return this.#bytes + this.#characters
  }

  add(row: ReadRow): void {
    this.#rows++
    const head = this.#head
    if (!('offer' in row)) {
      const sent = sentRow(row, this.#mapping)
      head.others.push([head.lines.length, sent])
      this.#characters += JSON.stringify(sent).length
      return
    }
    const text = recordText(row.offer)
    const from = this.#bytes
    this.#makeRoom(3 * text.length)
    this.#bytes += this.#texts.write(text, from)
    const facts = factsOf(row, textHash(this.#texts.subarray(from, this.#bytes)))
    if (row.dropped !== undefined) {
      head.dropped.push([head.lines.length, row.dropped])
      this.#characters += JSON.stringify(row.dropped).length
    }
    if (row.article !== undefined) head.articles.push([head.lines.length, row.article])
    head.lines.push(row.line)
    head.ends.push(this.#bytes)
    head.skus.push(facts.sku)
    head.hashes.push(facts.hash)
    head.costs.push(facts.cost === undefined ? false : facts.cost)
    head.currencies.push(facts.currency === undefined ? false : facts.currency)
    head.quantities.push(facts.quantity === undefined ? false : facts.quantity)
    head.titles.push(VALUE_PRESENCES.indexOf(facts.titles))
    head.images.push(VALUE_PRESENCES.indexOf(facts.images))
    head.eans.push(VALUE_PRESENCES.indexOf(facts.eans))
    head.emptyQuantities.push(facts.isQuantityEmpty)
  }

  /** Returns the page in parts and starts an empty one. @param read how many bytes of the file have been read */
  take(read: number): Buffer[] {
    const head = Buffer.from(JSON.stringify(this.#head))
    const lengths = Buffer.allocUnsafe(LENGTH_BYTES + READ_BYTES)
    lengths.writeUInt32LE(head.length)
    lengths.writeDoubleLE(read, LENGTH_BYTES)
    const parts = [lengths, head, this.#texts.subarray(0, this.#bytes)]
    this.#head = emptyHead()
    // a new buffer, because the old one is still being sent
    this.#texts = Buffer.allocUnsafe(Math.max(TEXTS_BYTES, this.#bytes))
    this.#bytes = 0
    this.#characters = 0
    this.#rows = 0
    return parts
  }

  #makeRoom(bytes: number): void {
    const needed = this.#bytes + bytes
    if (needed <= this.#texts.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#texts.length))
    this.#texts.copy(larger, 0, 0, this.#bytes)
    this.#texts = larger
  }
}

/** A row whose offer is parsed from its text on first access. */
class ReceivedOffer {
  readonly line: number
  readonly article: number | undefined
  readonly facts: OfferFacts
  readonly dropped: readonly Fault[] | undefined
  readonly #bytes: Buffer
  #offer: OfferRecord | undefined

  constructor(
    line: number,
    article: number | undefined,
    facts: OfferFacts,
    dropped: readonly Fault[] | undefined,
    bytes: Buffer,
  ) {
    this.line = line
    this.article = article
    this.facts = facts
    this.dropped = dropped
    this.#bytes = bytes
  }

  get text(): string {
    return this.#bytes.toString()
  }

  get offer(): OfferRecord {
    return (this.#offer ??= recordOf(this.text))
  }
}

/** How many bytes of the file had been read when a page was sent. */
export const readOf = (page: Buffer): number => page.readDoubleLE(LENGTH_BYTES)

/** The rows of a page that was received. @param mapping the mapping by which the file was read */
export function rowsOf(page: Buffer, mapping: Mapping): ComparedRow[] {
  const headAt = LENGTH_BYTES + READ_BYTES
  const textsAt = headAt + page.readUInt32LE(0)
  const head = JSON.parse(page.toString('utf8', headAt, textsAt)) as Head
  const texts = page.subarray(textsAt)
  const rows: ComparedRow[] = []
  const dropped = new Map(head.dropped)
  const articles = new Map(head.articles)
  let other = 0
  for (let i = 0; i <= head.lines.length; i++) {
    for (; head.others[other]?.[0] === i; other++) rows.push(received(must(head.others[other])[1], mapping))
    if (i === head.lines.length) break
    const text = texts.subarray(i === 0 ? 0 : head.ends[i - 1], head.ends[i])
    rows.push(new ReceivedOffer(must(head.lines[i]), articles.get(i), factsAt(head, i), dropped.get(i), text))
  }
  return rows
}

function factsAt(head: Head, i: number): OfferFacts {
  const stated = <T>(value: T | false | undefined): T | undefined => (value === false ? undefined : value)
  return {
    sku: must(head.skus[i]),
    hash: must(head.hashes[i]),
    cost: stated(head.costs[i]),
    currency: stated(head.currencies[i]),
    quantity: stated(head.quantities[i]),
    isQuantityEmpty: head.emptyQuantities[i] === true,
    titles: must(VALUE_PRESENCES[must(head.titles[i])]),
    images: must(VALUE_PRESENCES[must(head.images[i])]),
    eans: must(VALUE_PRESENCES[must(head.eans[i])]),
  }
}

function sentRow(row: Exclude<ReadRow, { offer: unknown }>, mapping: Mapping): SentRow {
  if (!('skipped' in row)) return row
  const { row: left, condition, ...rest } = row
  const place = condition === null ? null : (mapping.skip ?? []).indexOf(condition)
  return { ...rest, condition: place, cells: firstCells(left) }
}

/** Restores a row that was sent: conditions of skipped rows are looked up in this mapping. */
function received(row: SentRow, mapping: Mapping): ComparedRow {
  if (!('skipped' in row)) return row
  const { condition, cells, ...rest } = row
  return { ...rest, condition: condition === null ? null : (mapping.skip?.[condition] ?? null), row: cells }
}
