import type { ContentUnit } from '../../contract/content-units.ts'
import { Exact } from '../model/money.ts'
import { contentIn, keptContent, type NetContent } from '../model/net-content.ts'

// Google's unit_pricing_measure and unit_pricing_base_measure (support.google.com/merchants/answer/6324455 and 6324490): a number with a unit from
// its list. Google computes the unit price itself.

/** For each of our units, the unit to convert to and Google's name for it: the same unit, or the nearest one that Google has. */
const GOOGLE_UNITS: Readonly<Record<ContentUnit, readonly [of: ContentUnit, name: string]>> = {
  mg: ['mg', 'mg'],
  g: ['g', 'g'],
  kg: ['kg', 'kg'],
  t: ['kg', 'kg'],
  oz: ['oz', 'oz'],
  lb: ['lb', 'lb'],
  ml: ['ml', 'ml'],
  cl: ['cl', 'cl'],
  dl: ['cl', 'cl'],
  l: ['l', 'l'],
  m3: ['m3', 'cbm'],
  'fl oz': ['fl oz', 'floz'],
  pt: ['pt', 'pt'],
  qt: ['qt', 'qt'],
  gal: ['gal', 'gal'],
  mm: ['cm', 'cm'],
  cm: ['cm', 'cm'],
  m: ['m', 'm'],
  km: ['m', 'm'],
  in: ['in', 'in'],
  ft: ['ft', 'ft'],
  yd: ['yd', 'yd'],
  cm2: ['m2', 'sqm'],
  m2: ['m2', 'sqm'],
  'sq ft': ['sq ft', 'sqft'],
  piece: ['piece', 'ct'],
}
/** Numbers that a base measure may have in any unit, and further base measures. */
const BASES: readonly string[] = ['1', '2', '4', '8', '10', '100']
const OTHER_BASES: readonly string[] = ['75cl', '750ml', '50kg', '1000kg']

function named(content: NetContent): { quantity: string; name: string } {
  const [unit, name] = GOOGLE_UNITS[content.unit]
  return { quantity: (contentIn(content, unit) ?? new Exact(0)).toFixed(), name }
}

/** Converts `750 ml` to `750ml`, adding up all parts; null if the text is not a net content. */
export function googleMeasure(netContent: string): string | null {
  const content = keptContent(netContent)
  if (content === null) return null
  const { quantity, name } = named(content)
  return `${quantity}${name}`
}

/** A base measure such as `100ml`; null if Google does not accept it. @param quantity decimal text, as it is served */
export function googleBase(quantity: string, unit: ContentUnit): string | null {
  const base = named({ quantity: new Exact(quantity), unit })
  const text = `${base.quantity}${base.name}`
  return BASES.includes(base.quantity) || OTHER_BASES.includes(text) ? text : null
}
