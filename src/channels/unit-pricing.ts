import type { ContentUnit } from '../../contract/content-units.ts'
import { Exact } from '../model/money.ts'
import { contentIn, keptContent, type NetContent } from '../model/net-content.ts'

// Google's unit_pricing_measure and unit_pricing_base_measure (support.google.com/merchants/answer/6324455 and 6324490): a number with a unit of
// its list. It computes the unit price itself.

/** Our units as Google calls them, or the nearest one that it has. */
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
/** Whole numbers that a base measure may have, and others that it may have with their unit. */
const BASES: readonly string[] = ['1', '2', '4', '8', '10', '100']
const OTHER_BASES: readonly string[] = ['75cl', '750ml', '50kg', '1000kg']

function named(content: NetContent): { quantity: string; name: string } {
  const [unit, name] = GOOGLE_UNITS[content.unit]
  return { quantity: (contentIn(content, unit) ?? new Exact(0)).toFixed(), name }
}

/** `750ml` of `750 ml`, all parts together; null where the text is no content. */
export function googleMeasure(netContent: string): string | null {
  const content = keptContent(netContent)
  if (content === null) return null
  const { quantity, name } = named(content)
  return `${quantity}${name}`
}

/** `100ml`; null where Google takes no such base. @param quantity as it is served, decimal text */
export function googleBase(quantity: string, unit: ContentUnit): string | null {
  const base = named({ quantity: new Exact(quantity), unit })
  const text = `${base.quantity}${base.name}`
  return BASES.includes(base.quantity) || OTHER_BASES.includes(text) ? text : null
}
