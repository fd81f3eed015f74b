// Units of attribute values, for exact conversions within one dimension.

interface Unit {
  dimension: string
  /** The size of the unit in the first unit of its dimension, as numerator and denominator so that conversions are not rounded. */
  factor: readonly [bigint, bigint]
}

const MICRO = ['\u03bc', 'u']

/** By dimension: the size of each unit, and its names after `foldUnit`. Case matters: mW is not MW. */
const DIMENSIONS: Readonly<Record<string, readonly (readonly [factor: string, names: string])[]>> = {
  length: [
    ['1', 'm metre metres meter meters'],
    ['1000', 'km'],
    ['0.01', 'cm'],
    ['0.001', 'mm'],
    ['0.000001', MICRO.map((sign) => `${sign}m`).join(' ')],
    ['0.000000001', 'nm'],
    ['0.0254', 'in inch inches zoll " \u2033 \u201d'],
    ['0.3048', 'ft foot feet'],
    ['0.9144', 'yd'],
  ],
  mass: [
    ['1', 'kg'],
    ['1000', 't'],
    ['0.001', 'g'],
    ['0.000001', 'mg'],
    ['0.45359237', 'lb lbs'],
    ['0.028349523125', 'oz'],
  ],
  area: [
    ['1', 'm2 qm'],
    ['0.0001', 'cm2'],
    ['0.000001', 'mm2'],
  ],
  volume: [
    ['1', 'l L litre litres liter liters dm3'],
    ['1000', 'm3'],
    ['0.001', 'ml mL cm3'],
    ['0.01', 'cl cL'],
    ['0.1', 'dl dL'],
  ],
  power: [
    ['1', 'W'],
    ['1000', 'kW'],
    ['1000000', 'MW'],
    ['0.001', 'mW'],
  ],
  voltage: [
    ['1', 'V'],
    ['1000', 'kV'],
    ['0.001', 'mV'],
  ],
  current: [
    ['1', 'A'],
    ['0.001', 'mA'],
  ],
  charge: [
    ['1', 'Ah'],
    ['0.001', 'mAh'],
  ],
  frequency: [
    ['1', 'Hz'],
    ['1000', 'kHz'],
    ['1000000', 'MHz'],
    ['1000000000', 'GHz'],
  ],
  pressure: [
    ['1', 'Pa'],
    ['100', 'hPa mbar'],
    ['1000', 'kPa'],
    ['100000', 'bar'],
    ['1000000', 'MPa'],
  ],
}

/** A unit's name in one spelling: `mm²` becomes `mm2`, and both signs for micro are the same. */
export const foldUnit = (text: string): string => text.normalize('NFKC').trim().replace(/\.$/, '')

const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries(DIMENSIONS).flatMap(([dimension, units]) =>
    units.flatMap(([factor, names]) =>
      names.split(' ').map((name) => [foldUnit(name), { dimension, factor: fraction(factor) }] as const),
    ),
  ),
)

/**
 * Converts a number from one unit to another, as canonical decimal text; null if the result has more than `digits` decimals; undefined if the
 * units are not known to have the same dimension.
 */
export function converted(plain: string, from: string, to: string, digits: number): string | null | undefined {
  const [a, b] = [UNITS.get(foldUnit(from)), UNITS.get(foldUnit(to))]
  if (a === undefined || b === undefined || a.dimension !== b.dimension) return undefined
  const [number, scale] = fraction(plain)
  const whole = number * a.factor[0] * b.factor[1] * 10n ** BigInt(digits)
  const of = scale * a.factor[1] * b.factor[0]
  return whole % of === 0n ? decimalText(whole / of, digits) : null
}

/** Whether a unit, and so its dimension, is known. */
export const isKnownUnit = (text: string): boolean => UNITS.has(foldUnit(text))

function fraction(plain: string): [bigint, bigint] {
  const [whole = '', decimals = ''] = plain.split('.')
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}

function decimalText(scaled: bigint, digits: number): string {
  const text = (scaled < 0n ? -scaled : scaled).toString().padStart(digits + 1, '0')
  const decimals = text.slice(-digits).replace(/0+$/, '')
  return `${scaled < 0n ? '-' : ''}${text.slice(0, -digits)}${decimals === '' ? '' : `.${decimals}`}`
}
