/**
 * How rows travel from a reading process to the service: a page is the length of its head, how many bytes of the file have been read, the head,
 * and the texts of its offers. The head has
 * what an import compares of each offer (supplier-files/offer-facts.ts), as lists of all offers of the page, and the other rows. The service
 * parses the text of an offer only when it needs more: of a file that changes nothing, none.
 * docs/decisions/160-a-reading-process-sends-what-is-compared.md says why.
 */
import type { OfferRecord } from '../model/offer.ts'
import { recordOf, recordText } from '../model/record-text.ts'
import type { Fault } from '../platform/errors.ts'
import { must } from '../platform/must.ts'
import { textHash } from '../platform/text/text-hash.ts'
import type { Mapping } from '../supplier-files/mapping/mapping.ts'
import { factsOf, SAID, type ComparedRow, type OfferFacts } from '../supplier-files/offer-facts.ts'
import type { ReadRow } from '../supplier-files/reading.ts'
import type { Remark } from '../supplier-files/remarks.ts'
import { firstCells } from '../supplier-files/rows.ts'

/** A row without an offer as it is sent: of one that is left out its first cells, and the place of its condition in the mapping. */
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

/** Lists have a value for each offer; `false` is not in the file, because JSON has no undefined. */
interface Head {
  lines: number[]
  /** Where the text of each ends, in bytes. */
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
  /** Of the few offers of which something was dropped, by place. */
  dropped: [number, readonly Fault[]][]
  /** The number of each article of those that records list, by place. */
  articles: [number, number][]
  /** Other rows, each with the number of offers before it. */
  others: [number, SentRow][]
}

const LENGTH_BYTES = 4
const READ_BYTES = 8
/** For the texts of the first page; later ones are made as large as those before. */
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
  /** Characters of what is in the head and has no bound of its own. */
  #characters = 0
  #rows = 0

  constructor(mapping: Mapping) {
    this.#mapping = mapping
  }

  /** Rows in it. */
  get rows(): number {
    return this.#rows
  }

  /** About how large it is. */
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
    head.titles.push(SAID.indexOf(facts.titles))
    head.images.push(SAID.indexOf(facts.images))
    head.eans.push(SAID.indexOf(facts.eans))
    head.emptyQuantities.push(facts.isQuantityEmpty)
  }

  /** Its bytes in parts; then it is empty again. @param read how many bytes of the file have been read */
  take(read: number): Buffer[] {
    const head = Buffer.from(JSON.stringify(this.#head))
    const lengths = Buffer.allocUnsafe(LENGTH_BYTES + READ_BYTES)
    lengths.writeUInt32LE(head.length)
    lengths.writeDoubleLE(read, LENGTH_BYTES)
    const parts = [lengths, head, this.#texts.subarray(0, this.#bytes)]
    this.#head = emptyHead()
    // the bytes are still being sent
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

/** A row whose offer is read from its text when it is asked for. */
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

/** The rows of a page that was sent. @param mapping by which the file was read */
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
    titles: must(SAID[must(head.titles[i])]),
    images: must(SAID[must(head.images[i])]),
    eans: must(SAID[must(head.eans[i])]),
  }
}

function sentRow(row: Exclude<ReadRow, { offer: unknown }>, mapping: Mapping): SentRow {
  if (!('skipped' in row)) return row
  const { row: left, condition, ...rest } = row
  const place = condition === null ? null : (mapping.skip ?? []).indexOf(condition)
  return { ...rest, condition: place, cells: firstCells(left) }
}

/** A row as it was before it was sent: rows that are left out name conditions of this mapping. */
function received(row: SentRow, mapping: Mapping): ComparedRow {
  if (!('skipped' in row)) return row
  const { condition, cells, ...rest } = row
  return { ...rest, condition: condition === null ? null : (mapping.skip?.[condition] ?? null), row: cells }
}
