import { lengthMaxOf, NAME_FIELDS, type NameField } from '../../contract/product-fields.ts'
import type { Fault } from '../platform/errors.ts'
import { LIMITS } from '../platform/limits.ts'
import type { OfferRecord, OfferTexts } from '../model/offer.ts'
import { compileAttributes } from './attributes.ts'
import { compileCell, compileList, type ReadCell } from './cells.ts'
import type { Mapping, SkipRule, Source } from './mapping.ts'
import type { Lookup, Row } from './rows.ts'
import { textFault } from './text-fault.ts'
import { parseCost, parseCurrency, parseEan, parseImage, parseQuantity, type Value } from './values.ts'

/** What a row comes to: an offer, the reasons why it is none, or nothing because the mapping leaves it out. */
export type Converted = { offer: OfferRecord } | { sku: string | null; faults: Fault[] } | { skipped: true }

type Draft = { -readonly [K in keyof OfferRecord]: OfferRecord[K] } & { texts?: Record<string, OfferTexts> }
type Step = (row: Row, draft: Draft, faults: Fault[]) => void

/**
 * Compiles a mapping into a pure function from a row to an offer. A row has all its faults told, each with the field and
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
    steps.push(listStep('eans', 'ean', LIMITS.eansPerProductMax, fields.ean, lookup, parseEan))
  }
  if (fields.images !== undefined) {
    const parse = (text: string) => parseImage(text, mapping.imageBaseUrl)
    steps.push(listStep('images', 'images', LIMITS.imagesPerProductMax, fields.images, lookup, parse))
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
    const reason = sku === '' ? 'is missing' : textFault(sku, LIMITS.skuLengthMax)
    if (reason === undefined) draft.sku = sku
    else if (faults.length === before) faults.push({ name: 'sku', reason })
  }
}

function costStep(read: ReadCell, point: '.' | ','): Step {
  return (row, draft, faults) => {
    const text = read(row, faults)
    if (text === undefined) return
    const cost: Value<string | null> = text === '' ? { value: null } : parseCost(text, point)
    if ('value' in cost) draft.cost = cost.value
    else faults.push({ name: 'cost', reason: cost.reason })
  }
}

/** An empty currency is none stated, so the supplier's own holds. */
function currencyStep(read: ReadCell): Step {
  return (row, draft, faults) => {
    const text = read(row, faults)
    if (text === undefined || text === '') return
    const currency = parseCurrency(text)
    if ('value' in currency) draft.currency = currency.value
    else faults.push({ name: 'currency', reason: currency.reason })
  }
}

function quantityStep(read: ReadCell, point: '.' | ','): Step {
  return (row, draft, faults) => {
    const text = read(row, faults)
    if (text === undefined) return
    const quantity = parseQuantity(text, point)
    if ('value' in quantity) draft.quantity = quantity.value
    else faults.push({ name: 'quantity', reason: quantity.reason })
  }
}

function nameStep(name: NameField, read: ReadCell, max: number): Step {
  return (row, draft, faults) => {
    const text = read(row, faults)
    if (text === undefined) return
    const reason = textFault(text, max)
    if (reason === undefined) draft[name] = text === '' ? null : text
    else faults.push({ name, reason })
  }
}

function textStep(name: string, kind: 'title' | 'description', locale: string, read: ReadCell): Step {
  const max = kind === 'title' ? LIMITS.titleLengthMax : LIMITS.descriptionLengthMax
  return (row, draft, faults) => {
    const text = read(row, faults)
    if (text === undefined) return
    const reason = textFault(text, max)
    if (reason !== undefined) {
      faults.push({ name, reason })
      return
    }
    const texts: Record<string, OfferTexts> = (draft.texts ??= {})
    const own = (texts[locale] ??= {})
    own[kind] = text === '' ? null : text
  }
}

function listStep(
  to: 'eans' | 'images',
  name: string,
  max: number,
  source: Source | readonly Source[],
  lookup: Lookup,
  parse: (text: string) => Value<string>,
): Step {
  const read = compileList(source, { name, lookup, point: '.' })
  return (row, draft, faults) => {
    const texts = read(row, faults)
    if (texts === undefined) return
    const values = new Set<string>()
    for (const text of texts) {
      const parsed = parse(text)
      if ('value' in parsed) values.add(parsed.value)
      else faults.push({ name, reason: parsed.reason })
    }
    if (values.size > max) faults.push({ name, reason: `there are ${values.size}, more than ${max}` })
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
