import { remembered } from '../platform/caches/remembered.ts'
import type { ContentUnit } from '../../contract/content-units.ts'
import { Exact } from './money.ts'

// The content of a package in canonical form: `750 ml`, `6 x 0.33 l`. All ways of input produce it, so equal contents are equal
// texts.

export type ContentKind = 'weight' | 'volume' | 'length' | 'area' | 'count'

/** Each unit's kind and size in kg, l, m, m2 or piece. Gallons, pints, quarts and ounces are those of the United States. */
const UNITS = {
  mg: ['weight', '0.000001'],
  g: ['weight', '0.001'],
  kg: ['weight', '1'],
  t: ['weight', '1000'],
  oz: ['weight', '0.028349523125'],
  lb: ['weight', '0.45359237'],
  ml: ['volume', '0.001'],
  cl: ['volume', '0.01'],
  dl: ['volume', '0.1'],
  l: ['volume', '1'],
  m3: ['volume', '1000'],
  'fl oz': ['volume', '0.0295735295625'],
  pt: ['volume', '0.473176473'],
  qt: ['volume', '0.946352946'],
  gal: ['volume', '3.785411784'],
  mm: ['length', '0.001'],
  cm: ['length', '0.01'],
  m: ['length', '1'],
  km: ['length', '1000'],
  in: ['length', '0.0254'],
  ft: ['length', '0.3048'],
  yd: ['length', '0.9144'],
  cm2: ['area', '0.0001'],
  m2: ['area', '1'],
  'sq ft': ['area', '0.09290304'],
  piece: ['count', '1'],
} as const satisfies Record<ContentUnit, readonly [ContentKind, string]>

export const isContentUnit = (text: string): text is ContentUnit => Object.hasOwn(UNITS, text)
export const kindOf = (unit: ContentUnit): ContentKind => UNITS[unit][0]
/** The size of a unit in the base unit of its kind. */
const factorOf = (unit: ContentUnit): Exact => new Exact(UNITS[unit][1])

/** The content of a package. */
export interface NetContent {
  /** The total of all its parts, in `unit`; above 0. */
  quantity: Exact
  unit: ContentUnit
}

const KEPT = /^(?:([1-9]\d{0,5}) x )?(\d{1,9}(?:\.\d{1,6})?) ([a-z][a-z0-9 ]{0,4})$/

/** Cached texts: a catalog has few different ones, and each is read several times per product. */
const REMEMBERED_MAX = 2_000

/** Parses a content in canonical form; null for any other text, such as one that a supplier's file states. */
export const keptContent = remembered(REMEMBERED_MAX, readContent)

function readContent(text: string): NetContent | null {
  const [, parts = '1', amount, unit = ''] = KEPT.exec(text) ?? []
  if (amount === undefined || !/[1-9]/.test(amount) || !isContentUnit(unit)) return null
  return { quantity: new Exact(amount).times(parts), unit }
}

/** The same quantity in another unit; null if that is of another kind. */
export function contentIn({ quantity, unit }: NetContent, wanted: ContentUnit): Exact | null {
  if (kindOf(unit) !== kindOf(wanted)) return null
  return unit === wanted ? quantity : quantity.times(factorOf(unit)).dividedBy(factorOf(wanted))
}
