import { lengthMaxOf, NAME_FIELDS, type NameField } from '../../contract/product-fields.ts'
import { readCurrency } from '../input/currency.ts'
import { readEan } from '../input/ean.ts'
import { tooMany } from '../input/list.ts'
import { readOptionalText, readSku } from '../input/text.ts'
import type { Verdict } from '../input/verdict.ts'
import type { Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { OfferRecord, OfferTexts } from '../model/offer.ts'
import { compileAttributes } from './attributes.ts'
import { compileCell, compileList, type ReadCell } from './cells.ts'
import type { Mapping, SkipRule, Source } from './mapping.ts'
import type { Lookup, Row } from './rows.ts'
import { absoluteUrl, readCost, readPieces } from './values.ts'

/** What a row comes to: an offer, the reasons why it is none, or nothing because the mapping leaves it out. */
export type Converted = { offer: OfferRecord } | { sku: string | null; faults: Fault[] } | { skipped: true }

type Draft = { -readonly [K in keyof OfferRecord]: OfferRecord[K] } & { texts?: Record<string, OfferTexts> }
type Step = (row: Row, draft: Draft, faults: Fault[]) => void

/**
 * Compiles a mapping into a pure function from a row to an offer. All faults of a row are reported, each with the field and
 * the value; a field that the row does not have stays undefined, an empty one is null, an empty list, or 0 pieces.
 */
export function compileConvert(mapping: Mapping, lookup: Lookup): (row: Row) => Converted {
  const skips = (mapping.skip ?? []).map((rule) => compileSkip(rule, lookup))
  const steps = compileSteps(mapping, lookup)
  return (row) => {
    for (const skip of skips) if (skip(row)) return { skipped: true }
    const draft: Draft = { sku: '' }
    const faults: Fault[] = []
    for (const step of steps) step(row, draft, faults)
    return faults.length === 0 ? { offer: draft } : { sku: draft.sku === '' ? null : draft.sku, faults }
  }
}

function compileSteps(mapping: Mapping, lookup: Lookup): Step[] {
  const { fields, decimal: point = '.' } = mapping
  const cell = (name: string, source: Source, sign: '.' | ',' = '.') =>
    compileCell(source, { name, lookup, point: sign })
  const steps: Step[] = [skuStep(cell('sku', fields.sku))]
  if (fields.cost !== undefined) steps.push(costStep(cell('cost', fields.cost, point), point))
  if (fields.currency !== undefined) steps.push(currencyStep(cell('currency', fields.currency)))
  if (fields.quantity !== undefined) steps.push(quantityStep(cell('quantity', fields.quantity, point), point))
  for (const name of NAME_FIELDS) {
    const source = fields[name]
    if (source !== undefined) steps.push(nameStep(name, cell(name, source), lengthMaxOf(name)))
  }
  for (const [key, source] of Object.entries(fields)) {
    const [kind, locale = mapping.locale ?? 'und'] = key.split('.')
    if (kind === 'title' || kind === 'description') steps.push(textStep(key, kind, locale, cell(key, source as Source)))
  }
  if (fields.ean !== undefined) {
    steps.push(listStep('eans', 'ean', LIMITS.eansPerProductMax, fields.ean, lookup, readEan))
  }
  if (fields.images !== undefined) {
    const readImage = (text: string) => absoluteUrl(text, mapping.imageBaseUrl)
    steps.push(listStep('images', 'images', LIMITS.imagesPerProductMax, fields.images, lookup, readImage))
  }
  if (fields.attributes !== undefined) {
    const read = compileAttributes(fields.attributes, lookup)
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

function costStep(read: ReadCell, point: '.' | ','): Step {
  return step<string | null>(
    'cost',
    read,
    (text) => (text === '' ? { value: null } : readCost(text, point)),
    (draft, cost) => (draft.cost = cost),
  )
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

function quantityStep(read: ReadCell, point: '.' | ','): Step {
  return step(
    'quantity',
    read,
    (text) => readPieces(text, point),
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
  name: string,
  max: number,
  source: Source | readonly Source[],
  lookup: Lookup,
  rule: (text: string) => Verdict<string>,
): Step {
  const read = compileList(source, { name, lookup, point: '.' })
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

function compileSkip(rule: SkipRule, lookup: Lookup): (row: Row) => boolean {
  const get = lookup(rule.column)
  const listed = new Set('in' in rule ? rule.in : rule.notIn)
  const skipListed = 'in' in rule
  return (row) => {
    const value = get(row)
    const text =
      typeof value === 'string' ? value.trim() : value === undefined || value === null ? '' : scalarOrJson(value)
    return listed.has(text) === skipListed
  }
}

function scalarOrJson(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}
