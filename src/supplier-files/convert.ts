import { lengthMaxOf, NAME_FIELDS, type NameField } from '../../contract/product-fields.ts'
import { readCurrency } from '../input/currency.ts'
import { readEan } from '../input/ean.ts'
import { tooMany } from '../input/list.ts'
import { readOptionalText, readSku } from '../input/text.ts'
import { quoted, type Verdict } from '../input/verdict.ts'
import type { Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { OfferRecord, OfferTexts } from '../model/offer.ts'
import { compileAttributes } from './attributes.ts'
import { compileAvailability, type CountAvailability } from './availability.ts'
import { compileCell, compileList, type CellContext, type ReadCell } from './cells.ts'
import { compileCondition } from './conditions.ts'
import { absoluteUrl } from './image-url.ts'
import type { Condition, Mapping, Source } from './mapping.ts'
import { NumberEvidence, readMoney, readPieces, type DecimalSign } from './numbers.ts'
import type { Lookup, Row } from './rows.ts'

/** What a row comes to: an offer, the reasons why it is none, or nothing because it meets a condition of the mapping's `skip`. */
export type Converted = { offer: OfferRecord } | Refused | { skipped: true; condition: Condition }

/** A row that is refused. `about`: the keys of the articles that it may be about; null: any. */
export interface Refused {
  sku: string | null
  faults: Fault[]
  about: readonly string[] | null
}

/** A compiled mapping. */
export interface Converter {
  /**
   * Converts a row. All faults of a row are reported, each with the field and the value; a field that the row does not have stays
   * undefined, an empty one is null, an empty list, or 0 pieces.
   */
  convert(row: Row): Converted
  /** The keys of the articles that a row may be about: none where its key is one that no offer can have; null: any. */
  aboutOf(row: Row): readonly string[] | null
  /** What the numbers of the file show that no single row does; `isSevere`: they were most likely read wrongly. */
  conflicts(): { text: string; isSevere: boolean }[]
}

type Draft = { -readonly [K in keyof OfferRecord]: OfferRecord[K] } & { texts?: Record<string, OfferTexts> }
type Step = (row: Row, draft: Draft, faults: Fault[]) => void

/** Compiles a mapping for rows in which `lookup` finds columns. */
export function compileConvert(mapping: Mapping, lookup: Lookup): Converter {
  const skips = (mapping.skip ?? []).map((condition) => ({
    condition,
    isMet: compileCondition(condition, lookup, mapping.decimal),
  }))
  const evidence = new Map<string, NumberEvidence>()
  const steps = compileSteps(mapping, lookup, evidence)
  const readKey = compileCell(mapping.fields.sku, textContext('sku', lookup, mapping.decimal))
  const aboutOf = (row: Row) => {
    const key = readKey(row, []) ?? ''
    if (key === '') return null
    return 'value' in readSku(key, LIMITS.skuLengthMax) ? [key] : []
  }
  return {
    convert(row) {
      for (const { condition, isMet } of skips) if (isMet(row)) return { skipped: true, condition }
      const draft: Draft = { sku: '' }
      const faults: Fault[] = []
      for (const step of steps) step(row, draft, faults)
      if (faults.length === 0) return { offer: draft }
      const { sku } = draft
      return sku === '' ? { sku: null, faults, about: aboutOf(row) } : { sku, faults, about: [sku] }
    },
    aboutOf,
    conflicts: () =>
      Array.from(evidence, ([field, numbers]) => numbers.conflict(field)).filter((conflict) => conflict !== undefined),
  }
}

/** For values that are texts: JSON numbers in them have a point. */
const textContext = (name: string, lookup: Lookup, sign: DecimalSign): CellContext => ({
  name,
  lookup,
  sign,
  written: '.',
})

function compileSteps(mapping: Mapping, lookup: Lookup, evidence: Map<string, NumberEvidence>): Step[] {
  const { fields, decimal: sign } = mapping
  const text = (name: string, source: Source) => compileCell(source, textContext(name, lookup, sign))
  const number = (name: string, source: Source) => compileCell(source, { name, lookup, sign, written: sign })
  const steps: Step[] = [skuStep(text('sku', fields.sku))]
  if (fields.currency !== undefined) steps.push(currencyStep(text('currency', fields.currency)))
  if (fields.cost !== undefined) {
    const numbers = new NumberEvidence()
    evidence.set('cost', numbers)
    steps.push(costStep(number('cost', fields.cost), sign, numbers))
  }
  if (fields.quantity !== undefined) {
    const countWord = compileAvailability(mapping.availability)
    steps.push(quantityStep(number('quantity', fields.quantity), sign, countWord))
  }
  for (const name of NAME_FIELDS) {
    const source = fields[name]
    if (source !== undefined) steps.push(nameStep(name, text(name, source), lengthMaxOf(name)))
  }
  for (const [key, source] of Object.entries(fields)) {
    const [kind, locale = mapping.locale ?? 'und'] = key.split('.')
    if (kind === 'title' || kind === 'description') steps.push(textStep(key, kind, locale, text(key, source as Source)))
  }
  if (fields.ean !== undefined) {
    const context = textContext('ean', lookup, sign)
    steps.push(listStep('eans', LIMITS.eansPerProductMax, fields.ean, context, readEan))
  }
  if (fields.images !== undefined) {
    const context = textContext('images', lookup, sign)
    const readImage = (url: string) => absoluteUrl(url, mapping.imageBaseUrl)
    steps.push(listStep('images', LIMITS.imagesPerProductMax, fields.images, context, readImage))
  }
  if (fields.attributes !== undefined) {
    const read = compileAttributes(fields.attributes, lookup, sign)
    steps.push((row, draft, faults) => {
      const attributes = read(row, faults)
      if (attributes !== undefined) draft.attributes = attributes
    })
  }
  return steps
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

/** Reads a cell by a rule; what the row does not have stays undefined. */
function step<T>(
  name: string,
  read: ReadCell,
  rule: (text: string) => Verdict<T>,
  set: (draft: Draft, value: T) => void,
) {
  return (row: Row, draft: Draft, faults: Fault[]): void => {
    const text = read(row, faults)
    if (text === undefined) return
    const verdict = rule(text)
    if ('value' in verdict) set(draft, verdict.value)
    else faults.push({ name, reason: verdict.reason })
  }
}

/** A currency beside the amount is the offer's, unless the mapping names another source; then both must agree. */
function costStep(read: ReadCell, sign: DecimalSign, evidence: NumberEvidence): Step {
  return (row, draft, faults) => {
    const text = read(row, faults)
    if (text === undefined) return
    if (text === '') {
      draft.cost = null
      return
    }
    if (sign === undefined) evidence.note(text)
    const money = readMoney(text, sign)
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

/** An empty currency is the supplier's own. */
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

function nameStep(name: NameField, read: ReadCell, max: number): Step {
  return step(
    name,
    read,
    (text) => readOptionalText(text, max),
    (draft, text) => (draft[name] = text),
  )
}

function textStep(name: string, kind: 'title' | 'description', locale: string, read: ReadCell): Step {
  const max = kind === 'title' ? LIMITS.titleLengthMax : LIMITS.descriptionLengthMax
  return step(
    name,
    read,
    (text) => readOptionalText(text, max),
    (draft, text) => {
      const texts: Record<string, OfferTexts> = (draft.texts ??= {})
      const own = (texts[locale] ??= {})
      own[kind] = text
    },
  )
}

function listStep(
  to: 'eans' | 'images',
  max: number,
  source: Source | readonly Source[],
  context: CellContext,
  rule: (text: string) => Verdict<string>,
): Step {
  const read = compileList(source, context)
  const { name } = context
  return (row, draft, faults) => {
    const texts = read(row, faults)
    if (texts === undefined) return
    const values = new Set<string>()
    for (const text of texts) {
      const verdict = rule(text)
      if ('value' in verdict) values.add(verdict.value)
      else faults.push({ name, reason: verdict.reason })
    }
    if (values.size > max) faults.push({ name, reason: tooMany(values.size, max) })
    draft[to] = [...values]
  }
}
