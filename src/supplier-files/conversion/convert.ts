import {
  DIMENSIONS,
  isTextField,
  lengthMaxOf,
  NAME_FIELDS,
  valuesOf,
  type NameField,
  type TextField,
} from '../../../contract/product-fields.ts'
import { readCurrency } from '../../input/currency.ts'
import { readEan } from '../../input/ean.ts'
import { tooMany } from '../../input/list.ts'
import { readOptionalName } from '../../input/product-name.ts'
import { readOptionalText, readSku } from '../../input/text.ts'
import { quoted, type Verdict } from '../../input/verdict.ts'
import type { Fault } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { OfferRecord, OfferTexts } from '../../model/offer.ts'
import { offerCharacters, tooLong, withoutContent } from '../../model/offer-size.ts'
import { compileAttributes } from './attributes.ts'
import { compileAvailability, type CountAvailability } from '../availability.ts'
import { compileCell, compileList, type CellContext, type ReadCell } from './cells.ts'
import { compileCondition } from './conditions.ts'
import { isMeasure, readFileDimensions, readFileMeasure, type MeasureKind } from './measures.ts'
import { compileCostTiers } from './cost-tiers-step.ts'
import { compileGroup } from './group-step.ts'
import { absoluteUrl } from './image-url.ts'
import { altFields, compileImages } from './images-step.ts'
import type { Condition, Mapping, Source } from '../mapping/mapping.ts'
import { Remarks, type Remark } from '../remarks.ts'
import { NumberEvidence, readMoney, readPieces, type DecimalSign } from '../numbers.ts'
import { beginRow, countWork, TooMuchWork } from '../row-work.ts'
import { readFileListPrice } from './list-price.ts'
import { readFileContent } from './net-content.ts'
import { isNoCost, isNoText, isNoTitle } from '../no-value.ts'
import type { Lookup, Row } from '../rows.ts'
import { readFileSaleDay } from './sale-day.ts'

/**
 * The result of converting a row: an offer, the reasons for its refusal, or neither because it meets a condition of the mapping's `skip` or is about
 * no article.
 */
export type Converted = Accepted | Refused | LeftOut

/** A row that is left out. `remark`: what it is, if it meets no condition. `about`: the keys that it names, as in Refused; empty if it shows none. */
export type LeftOut =
  | { skipped: true; condition: Condition }
  | { skipped: true; condition: null; remark: Remark; about: readonly string[] }

/**
 * An offer. `dropped`: values of optional fields that could not be read. Such fields are missing in the offer, so that their known values are kept.
 */
export interface Accepted {
  offer: OfferRecord
  dropped?: readonly Fault[]
  /** The quantity is 0 because its cell is empty. */
  isQuantityEmpty?: true
}

/** A row that is refused. `sku`: its key, null if it has no valid one. `about`: the keys of the articles that it may be about; null: any. */
export interface Refused {
  sku: string | null
  faults: Fault[]
  about: readonly string[] | null
}

/** A compiled mapping. */
export interface Converter {
  /**
   * Converts a row. A row is refused for faults of its key, cost, currency and quantity, which are all reported with the field and the value. Values
   * of other fields that cannot be read are dropped. A field that the row does not have is undefined, an empty one is null, an empty list, or 0
   * pieces.
   */
  convert(row: Row): Converted
  /** Recognizes a record that is about no article; null: it may be an article. `cells` may be fewer than the columns. */
  remark(cells: readonly unknown[]): LeftOut | null
  /** The keys of the articles that a row may be about: an empty list if its key is invalid, so that no offer can have it; null: any. */
  aboutOf(row: Row): readonly string[] | null
  /** Contradictions between the numbers of the file, which no single row shows; `isSevere`: they were most likely read wrongly. */
  conflicts(): { text: string; isSevere: boolean }[]
}

type Draft = { -readonly [K in keyof OfferRecord]: OfferRecord[K] } & { texts?: Record<string, OfferTexts> }
type Step = (row: Row, draft: Draft, faults: Fault[]) => void

/** A row is refused if a value of an `essential` field cannot be read. */
interface Steps {
  essential: Step[]
  optional: Step[]
}

/** Compiles a mapping for rows whose columns `lookup` finds. */
export function compileConvert(mapping: Mapping, lookup: Lookup): Converter {
  const skips = (mapping.skip ?? []).map((condition) => ({
    condition,
    isMet: compileCondition(condition, lookup, mapping.decimal),
  }))
  const evidence = new Map<string, NumberEvidence>()
  /** State of the current row. */
  const quantity = { isEmpty: false }
  const { essential, optional } = compileSteps(mapping, lookup, evidence, quantity)
  const readKey = compileCell(mapping.fields.sku, textContext('sku', lookup, mapping.decimal))
  const aboutOf = (row: Row) => {
    const key = readKey(row, []) ?? ''
    if (key === '') return null
    return 'value' in readSku(key, LIMITS.skuLengthMax) ? [key] : []
  }
  const { columns } = lookup
  const remarks = columns === undefined ? undefined : new Remarks(columns, mapping.header !== false, aboutOf)
  const remarkOf = (row: Row): LeftOut | null => {
    if (remarks === undefined || !Array.isArray(row)) return null
    const remark = remarks.of(row as unknown[])
    if (remark === null) return null
    return { skipped: true, condition: null, remark, about: aboutOf(remarks.whole(row as unknown[])) ?? [] }
  }
  return {
    remark: remarkOf,
    convert(row) {
      beginRow()
      const draft: Draft = { sku: '' }
      const faults: Fault[] = []
      const dropped: Fault[] = []
      let isOffer = false
      try {
        for (const { condition, isMet } of skips) if (isMet(row)) return { skipped: true, condition }
        const remark = remarkOf(row)
        if (remark !== null) return remark
        for (const step of essential) step(row, draft, faults)
        isOffer = faults.length === 0
        if (isOffer) for (const step of optional) step(row, draft, dropped)
      } catch (error) {
        if (!(error instanceof TooMuchWork)) throw error
        if (!isOffer) return { sku: null, faults: [{ name: 'row', reason: error.message }], about: null }
        // key, cost and quantity have been read, so the row is an offer without the rest
        dropped.push({ name: 'row', reason: error.message })
      }
      if (isOffer) {
        const { offerCharactersMax } = LIMITS
        const characters = offerCharacters(draft)
        // an offer that is too large loses its content, so that the known content is kept
        if (characters > offerCharactersMax)
          dropped.push({ name: 'row', reason: tooLong(characters, offerCharactersMax) })
        const offer = characters > offerCharactersMax ? withoutContent(draft) : draft
        const accepted: { -readonly [K in keyof Accepted]: Accepted[K] } = { offer }
        if (dropped.length > 0) accepted.dropped = dropped
        if (quantity.isEmpty) accepted.isQuantityEmpty = true
        remarks?.article(draft.sku)
        return accepted
      }
      const { sku } = draft
      return sku === '' ? { sku: null, faults, about: aboutOf(row) } : { sku, faults, about: [sku] }
    },
    aboutOf,
    conflicts: () =>
      Array.from(evidence, ([field, numbers]) => numbers.conflict(field)).filter((conflict) => conflict !== undefined),
  }
}

/** The context for values that are texts: JSON numbers in them are written with a point. */
const textContext = (name: string, lookup: Lookup, sign: DecimalSign): CellContext => ({
  name,
  lookup,
  sign,
  written: '.',
})

function compileSteps(
  mapping: Mapping,
  lookup: Lookup,
  evidence: Map<string, NumberEvidence>,
  quantity: { isEmpty: boolean },
): Steps {
  const { fields, decimal: sign } = mapping
  const text = (name: string, source: Source) => compileCell(source, textContext(name, lookup, sign))
  const number = (name: string): CellContext => ({ name, lookup, sign, written: sign })
  const essential: Step[] = [skuStep(text('sku', fields.sku))]
  const optional: Step[] = []
  const currency = fields.currency === undefined ? undefined : currencyStep(text('currency', fields.currency))
  if (fields.cost !== undefined) {
    const numbers = new NumberEvidence()
    evidence.set('cost', numbers)
    const context = { ...number('cost'), isEmpty: isNoCost }
    const cost = costStep(compileCell(fields.cost, context), sign, numbers)
    if (currency === undefined) essential.push(cost)
    else addCurrencyAndCost(essential, optional, currency, cost)
  } else if (currency !== undefined) optional.push(currency)
  if (fields.quantity !== undefined) {
    const countWord = compileAvailability(mapping.availability)
    const count = (text: string) => readPieces(text, sign, countWord)
    const read = compileCell(fields.quantity, { ...number('quantity'), count })
    const noted: ReadCell = (row, faults) => {
      const text = read(row, faults)
      quantity.isEmpty = text === ''
      return text
    }
    essential.push(quantityStep(noted, sign, countWord))
  }
  if (fields.cost_tiers !== undefined) {
    const read = compileCostTiers(fields.cost_tiers, lookup, sign)
    optional.push((row, draft, dropped) => {
      const tiers = read(row, dropped, draft)
      if (tiers !== undefined) draft.costTiers = tiers
    })
  }
  for (const name of NAME_FIELDS) {
    const source = fields[name]
    if (source === undefined) continue
    const kind = valuesOf(name)
    if (kind === 'content') {
      optional.push(
        step(
          name,
          compileCell(source, number(name)),
          (text) => readFileContent(text, sign),
          (draft, content) => (draft[name] = content),
        ),
      )
      continue
    }
    if (kind === 'list-price') {
      const read = compileCell(source, { ...number(name), isEmpty: isNoCost })
      optional.push(
        step(
          name,
          read,
          (text) => readFileListPrice(text, sign),
          (draft, price) => (draft[name] = price),
        ),
      )
      continue
    }
    if (kind === 'day') {
      const read = text(name, source)
      const end = name === 'sale_ends_on' ? 'last' : 'first'
      optional.push(
        step(
          name,
          read,
          (day) => readFileSaleDay(day, end),
          (draft, day) => (draft[name] = day),
        ),
      )
      continue
    }
    optional.push(
      isMeasure(kind)
        ? measureStep(name, compileCell(source, number(name)), sign, kind)
        : nameStep(name, text(name, source)),
    )
  }
  // after the fields of single dimensions, which take precedence
  if (fields.dimensions !== undefined)
    optional.push(dimensionsStep(compileCell(fields.dimensions, number('dimensions')), sign))
  for (const [key, source] of Object.entries(fields)) {
    const [kind, locale = mapping.locale ?? 'und'] = key.split('.')
    if (kind !== undefined && isTextField(kind)) optional.push(textStep(key, kind, locale, text(key, source as Source)))
  }
  if (fields.ean !== undefined) {
    const context = textContext('ean', lookup, sign)
    // without the apostrophe by which Excel marks texts
    const readCell = (ean: string) => readEan(/^['\u2019]/.test(ean) ? ean.slice(1) : ean)
    optional.push(listStep('eans', LIMITS.eansPerProductMax, fields.ean, context, readCell))
  }
  if (fields.images !== undefined) {
    const context = textContext('images', lookup, sign)
    const readImage = (url: string) => absoluteUrl(url, mapping.imageBaseUrl)
    if (altFields(fields, '').length === 0)
      optional.push(listStep('images', LIMITS.imagesPerProductMax, fields.images, context, readImage))
    else {
      const read = compileImages(fields, mapping.locale ?? 'und', (name) => textContext(name, lookup, sign), readImage)
      optional.push((row, draft, dropped) => void Object.assign(draft, read(row, dropped)))
    }
  }
  if (fields.attributes !== undefined) {
    const read = compileAttributes(fields.attributes, lookup, sign)
    optional.push((row, draft, faults) => {
      const found = read(row, faults)
      if (found === undefined) return
      draft.attributes = found.attributes
      if (found.unreadable !== undefined) draft.keptAttributes = found.unreadable
    })
  }
  if (fields.group_key !== undefined) {
    const read = compileGroup(fields, mapping.locale ?? 'und', lookup, sign)
    optional.push((row, draft, dropped) => {
      const group = read(row, dropped)
      if (group !== undefined) draft.group = group
    })
  }
  return { essential, optional }
}

/**
 * Adds the steps of currency and cost. A row whose currency cannot be read is refused if it states a cost, which is in that currency; otherwise the
 * currency is dropped.
 */
function addCurrencyAndCost(essential: Step[], optional: Step[], currency: Step, cost: Step): void {
  let unread: Fault[] = []
  essential.push((row, draft, faults) => {
    unread = []
    currency(row, draft, unread)
    cost(row, draft, faults)
    if (typeof draft.cost === 'string') faults.push(...unread)
  })
  optional.push((_row, _draft, dropped) => void dropped.push(...unread))
}

function skuStep(read: ReadCell): Step {
  return (row, draft, faults) => {
    const before = faults.length
    const sku = read(row, faults) ?? ''
    const verdict: Verdict<string> = sku === '' ? { reason: 'is required' } : readSku(sku, LIMITS.skuLengthMax)
    if ('value' in verdict) draft.sku = verdict.value
    else if (faults.length === before) faults.push({ name: 'sku', reason: verdict.reason })
  }
}

/** A step that reads a cell by a rule and sets the value. A value that the row does not have stays undefined. */
function step<T>(
  name: string,
  read: ReadCell,
  rule: (text: string) => Verdict<T>,
  set: (draft: Draft, value: T) => void,
) {
  return (row: Row, draft: Draft, faults: Fault[]): void => {
    const before = faults.length
    const text = read(row, faults)
    if (text === undefined || faults.length > before) return
    const verdict = rule(text)
    if ('value' in verdict) set(draft, verdict.value)
    else faults.push({ name, reason: verdict.reason })
  }
}

/** The step of the cost. A currency beside the amount becomes the offer's; if the mapping has a source for the currency, both must agree. */
function costStep(read: ReadCell, sign: DecimalSign, evidence: NumberEvidence): Step {
  return (row, draft, faults) => {
    const before = faults.length
    const text = read(row, faults)
    if (text === undefined || faults.length > before) return
    if (text === '') {
      draft.cost = null
      return
    }
    if (sign === undefined) evidence.note(text)
    const money = readMoney(text, sign, 'rounded')
    if ('reason' in money) {
      const isOpen = sign === undefined && money.reason.endsWith('set "decimal" in the mapping')
      faults.push({ name: 'cost', reason: isOpen ? money.reason + evidence.words() : money.reason })
      return
    }
    const { amount, currency } = money.value
    draft.cost = amount
    if (currency === null) return
    if (draft.currency === undefined || draft.currency === null) draft.currency = currency
    else if (draft.currency !== currency)
      faults.push({ name: 'cost', reason: `${quoted(text)} is not in the row's currency ${draft.currency}` })
  }
}

/** The step of the currency. null (an empty cell) means the supplier's own. */
function currencyStep(read: ReadCell): Step {
  return step<string | null>(
    'currency',
    read,
    (text) => (text === '' ? { value: null } : readCurrency(text)),
    (draft, currency) => (draft.currency = currency),
  )
}

function quantityStep(read: ReadCell, sign: DecimalSign, countWord: CountAvailability): Step {
  return step(
    'quantity',
    read,
    (text) => readPieces(text, sign, countWord),
    (draft, quantity) => (draft.quantity = quantity),
  )
}

function nameStep(name: NameField, read: ReadCell): Step {
  return step(
    name,
    read,
    (text) => readOptionalName(name, isNoText(text) ? '' : text),
    (draft, text) => (draft[name] = text),
  )
}

function measureStep(name: NameField, read: ReadCell, sign: DecimalSign, kind: MeasureKind): Step {
  return step(
    name,
    read,
    (text) => readFileMeasure(text, sign, kind),
    (draft, measure) => (draft[name] = measure),
  )
}

/** The step of a text with length, width and height. Fields that have a value from a source of their own keep it. */
function dimensionsStep(read: ReadCell, sign: DecimalSign): Step {
  return step(
    'dimensions',
    read,
    (text) => readFileDimensions(text, sign),
    (draft, dimensions) => {
      for (const field of DIMENSIONS) draft[field] ??= dimensions[field]
    },
  )
}

/** A title that an editor has broken in a document, with blanks before its other lines, as one line. In linear time. */
function inOneLine(text: string): string {
  if (!text.includes('\n')) return text
  const lines = text.split('\n')
  const isIndented = (place: number) => /^[ \t]{2}/.test(lines[place] ?? '')
  return lines
    .map((line, place) => {
      const own = place > 0 && isIndented(place) ? line.trimStart() : line
      if (place === lines.length - 1) return own
      return isIndented(place + 1) ? `${own.trimEnd()} ` : `${own}\n`
    })
    .join('')
}

function textStep(name: string, kind: TextField, locale: string, read: ReadCell): Step {
  const max = lengthMaxOf(kind)
  return step(
    name,
    read,
    (text) =>
      kind === 'title' && isNoTitle(text)
        ? { reason: `${quoted(text)} is no title` }
        : readOptionalText(isNoText(text) ? '' : kind === 'title' ? inOneLine(text) : text, max),
    (draft, text) => {
      const texts: Record<string, OfferTexts> = (draft.texts ??= {})
      const own = (texts[locale] ??= {})
      own[kind] = text
    },
  )
}

/** The step of a list field. Values that can be read are taken; if there are only others, the field stays undefined, and the known list is kept. */
function listStep(
  to: 'eans' | 'images',
  max: number,
  source: Source | readonly Source[],
  context: CellContext,
  rule: (text: string) => Verdict<string>,
): Step {
  const read = compileList(source, context)
  const { name } = context
  return (row, draft, dropped) => {
    const before = dropped.length
    const texts = read(row, dropped)
    if (texts === undefined) return
    const values: string[] = []
    for (const text of texts) {
      countWork(100)
      const verdict = rule(text)
      if ('value' in verdict) values.push(verdict.value)
      else dropped.push({ name, reason: verdict.reason })
    }
    if (values.length === 0 && dropped.length > before) return
    const different = values.length < 2 ? values : [...new Set(values)]
    if (different.length > max)
      dropped.push({ name, reason: `${tooMany(different.length, max)}; the first ${max} are taken` })
    draft[to] = different.length > max ? different.slice(0, max) : different
  }
}
