import { type Wording, decimal, t } from './wording.ts'

/** One size of an article, with what it changes: numbers an attribute states, and how cost and weight grow. */
export interface Size {
  label: Wording
  /** Cost and weight against those of the first size. */
  factor: number
  attributes: Readonly<Record<string, number>>
  /** The weight itself where the size is a weight. */
  kilos?: number
}

const growth = (value: number, first: number): number => 0.4 + (0.6 * value) / first

function sized(
  values: readonly number[],
  label: (text: string) => Wording,
  attributes: (value: number) => Record<string, number>,
): Size[] {
  const first = values[0] ?? 1
  return values.map((value) => {
    const { en, de, pl } = label(String(value))
    return {
      label: { en, de: decimal(de, 'de'), pl: decimal(pl, 'pl') },
      factor: growth(value, first),
      attributes: attributes(value),
    }
  })
}

const same = (text: string): Wording => t(text, text, text)

/** Capacities in litres. */
export const litres = (...values: number[]): Size[] =>
  sized(values, (n) => t(`${n} L`, `${n} l`, `${n} l`), (n) => ({ capacity_l: n }))

/** Lengths in centimetres. */
export const centimetres = (...values: number[]): Size[] =>
  sized(values, (n) => same(`${n} cm`), (n) => ({ length_cm: n }))

/** Lengths in metres, as cables and hoses are sold. */
export const metres = (...values: number[]): Size[] =>
  sized(values, (n) => same(`${n} m`), (n) => ({ length_cm: Math.round(n * 100) }))

/** Heights in centimetres. */
export const heights = (...values: number[]): Size[] =>
  sized(values, (n) => same(`${n} cm`), (n) => ({ height_cm: n }))

/** Diameters in centimetres. */
export const diameters = (...values: number[]): Size[] =>
  sized(values, (n) => same(`Ø ${n} cm`), (n) => ({ diameter_cm: n }))

/** Power in watts. */
export const watts = (...values: number[]): Size[] =>
  sized(values, (n) => same(`${n} W`), (n) => ({ power_w: n }))

/** Battery charges in milliampere-hours. */
export const milliampereHours = (...values: number[]): Size[] =>
  sized(values, (n) => same(`${n} mAh`), (n) => ({ battery_mah: n }))

/** Diagonals or wheels in inches, 5 and up: from five on, Polish counts them as `cali`. */
export const inches = (...values: number[]): Size[] =>
  sized(values, (n) => t(`${n} inch`, `${n} Zoll`, `${n} cali`), () => ({}))

/** Sets of so many pieces. */
export const sets = (...values: number[]): Size[] =>
  sized(values, (n) => t(`Set of ${n}`, `${n}er-Set`, `zestaw ${n} szt.`), (n) => ({ pieces: n }))

/** Packs of so many pieces. */
export const packs = (...values: number[]): Size[] =>
  sized(values, (n) => t(`Pack of ${n}`, `${n}er-Pack`, `${n} szt.`), (n) => ({ pieces: n }))

/** Kits of so many elements, 5 and up and not ending in 2, 3 or 4: those Polish counts as `elementy`. */
export const elements = (...values: number[]): Size[] =>
  sized(values, (n) => t(`${n} pieces`, `${n}-teilig`, `${n} elementów`), (n) => ({ pieces: n }))

/** Weights that are the size itself, as kettlebells are sold. */
export const kilograms = (...values: number[]): Size[] =>
  sized(values, (n) => same(`${n} kg`), () => ({})).map((size, at) => ({ ...size, kilos: values[at] ?? 1 }))

/** Flat goods, width by length in centimetres. */
export function areas(...pairs: [width: number, length: number][]): Size[] {
  const [width, length] = pairs[0] ?? [1, 1]
  return pairs.map(([w, l]) => ({
    label: same(`${w} × ${l} cm`),
    factor: growth(w * l, width * length),
    attributes: { width_cm: w, length_cm: l },
  }))
}

/** Sizes worn, or names such as A5. */
export const named = (...names: string[]): Size[] =>
  names.map((name, at) => ({ label: same(name), factor: 1 + at * 0.05, attributes: {} }))

/** Pairs of the same weight. */
export const kilogramPairs = (...values: number[]): Size[] =>
  sized(values, (n) => same(`2 × ${n} kg`), () => ({})).map((size, at) => ({ ...size, kilos: 2 * (values[at] ?? 1) }))
