import type { ChangeField } from './change-filters.ts'
import { isObject } from '../../resources/is-object.ts'

/** One state of an offer, as the service sends it. */
interface Part {
  cost: string | null
  cost_tiers?: readonly { quantity: number; cost: string }[] | null
  currency: string
  quantity: number
  eans?: readonly string[]
  content?: Readonly<Record<string, unknown>>
}

/** What a dry run would change in an offer. */
export interface Change {
  sku: string
  kind: 'created' | 'changed' | 'zeroed'
  product_id?: number | null
  before: Part | null
  after: Part | null
}

/** One value that differs. */
export interface Cell {
  sku: string
  kind: Change['kind']
  field: string
  before: string
  after: string
}

/** A line of the comparison: a differing value, or the main values of a new offer. */
export type Line =
  | Cell
  | { sku: string; kind: 'created'; cells: Cell[]; title: string; cost: string | null; quantity: number }

/** Formats an amount for the reader. */
type Money = (cost: string, currency: string) => string

const NONE = '–'

/** The lines of a change. A new offer has one line, or with `only` that field. */
export function linesOf(change: Change, money: Money, only?: ChangeField): Line[] {
  const { sku, kind, after } = change
  if (kind !== 'created' || after === null || only !== undefined) return cellsOf(change, money, only)
  const cells = cellsOf(change, money)
  const title = cells.find(({ field }) => field.startsWith('title.'))?.after ?? ''
  const cost = cells.find(({ field }) => field === 'cost')?.after ?? null
  return [{ sku, kind, cells, title, cost, quantity: after.quantity }]
}

/**
 * The differing values of an offer, one per line.
 * @param only a field to which they are limited
 */
export function cellsOf({ sku, kind, before, after }: Change, money: Money, only?: ChangeField): Cell[] {
  const [old, next] = [valuesOf(before, money), valuesOf(after, money)]
  const names = [...new Set([...old.keys(), ...next.keys()])]
  return names
    .filter((name) => old.get(name) !== next.get(name))
    .filter((name) => only === undefined || name === only || name.startsWith(`${only}.`))
    .map((field) => ({ sku, kind, field, before: old.get(field) ?? NONE, after: next.get(field) ?? NONE }))
}

/** Costs by quantity in one line. */
export const tiersText = (
  tiers: readonly { quantity: number; cost: string }[],
  money: (cost: string) => string,
): string => tiers.map(({ quantity, cost }) => `${quantity}: ${money(cost)}`).join(', ')

function valuesOf(part: Part | null, money: Money): Map<string, string> {
  const values = new Map<string, string>()
  const add = (name: string, value: unknown) => {
    if (value !== null && value !== undefined && value !== '')
      values.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  if (part === null) return values
  const { texts, attributes, images, ...names } = part.content ?? {}
  if (isObject(texts))
    for (const [locale, fields] of Object.entries(texts))
      if (isObject(fields)) for (const [field, text] of Object.entries(fields)) add(`${field}.${locale}`, text)
  add('cost', part.cost === null ? null : money(part.cost, part.currency))
  if (part.cost_tiers !== undefined && part.cost_tiers !== null)
    add(
      'cost_tiers',
      tiersText(part.cost_tiers, (cost) => money(cost, part.currency)),
    )
  add('quantity', part.quantity)
  if (part.eans !== undefined && part.eans.length > 0) add('eans', part.eans.join(', '))
  for (const [name, value] of Object.entries(names)) add(name, value)
  if (Array.isArray(attributes) && attributes.length > 0)
    add(
      'attributes',
      (attributes as { key: string; value: string }[]).map(({ key, value }) => `${key}: ${value}`).join(', '),
    )
  if (Array.isArray(images) && images.length > 0) add('images', images.join(' '))
  return values
}
