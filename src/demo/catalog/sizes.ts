import { type Wording, t, written } from './wording.ts'

/** One size of an article, with its numeric attributes and its effect on cost and weight. */
export interface Size {
  label: Wording
  /** Cost and weight relative to those of the first size. */
  factor: number
  attributes: Readonly<Record<string, number>>
  /** The weight, if the size is a weight. */
  kilos?: number
}

const growth = (value: number, first: number): number => 0.4 + (0.6 * value) / first

function sized(
  values: readonly number[],
  label: (shown: Wording) => Wording,
  attributes: (value: number) => Record<string, number>,
): Size[] {
  const first = values[0] ?? 1
  return values.map((value) => ({
    label: label(t(written(value, 'en'), written(value, 'de'), written(value, 'pl'))),
    factor: growth(value, first),
    attributes: attributes(value),
  }))
}

/** The same text around a number in each language. */
const around =
  (before: string, after: string) =>
  ({ en, de, pl }: Wording): Wording =>
    t(`${before}${en}${after}`, `${before}${de}${after}`, `${before}${pl}${after}`)

const same = (text: string): Wording => t(text, text, text)

/** Capacities in litres. */
export const litres = (...values: number[]): Size[] =>
  sized(
    values,
    ({ en, de, pl }) => t(`${en} L`, `${de} l`, `${pl} l`),
    (n) => ({ capacity_l: n }),
  )

/** Lengths in centimetres. */
export const centimetres = (...values: number[]): Size[] => sized(values, around('', ' cm'), (n) => ({ length_cm: n }))

/** Lengths in metres, as cables and hoses are sold. */
export const metres = (...values: number[]): Size[] =>
  sized(values, around('', ' m'), (n) => ({ length_cm: Math.round(n * 100) }))

/** Heights in centimetres. */
export const heights = (...values: number[]): Size[] => sized(values, around('', ' cm'), (n) => ({ height_cm: n }))

/** Widths in centimetres. */
export const widths = (...values: number[]): Size[] => sized(values, around('', ' cm'), (n) => ({ width_cm: n }))

/** Diameters in centimetres. */
export const diameters = (...values: number[]): Size[] =>
  sized(values, around('Ø ', ' cm'), (n) => ({ diameter_cm: n }))

/** Power in watts. */
export const watts = (...values: number[]): Size[] => sized(values, around('', ' W'), (n) => ({ power_w: n }))

/** Brightness of bicycle lights. */
export const lux = (...values: number[]): Size[] => sized(values, around('', ' lx'), (n) => ({ illuminance_lx: n }))

/** Battery charges in milliampere-hours. */
export const milliampereHours = (...values: number[]): Size[] =>
  sized(values, around('', ' mAh'), (n) => ({ battery_mah: n }))

/** Diagonals or wheels in inches, 5 or more: from five on, the Polish plural is `cali`. */
export const inches = (...values: number[]): Size[] =>
  sized(
    values,
    ({ en, de, pl }) => t(`${en} inch`, `${de} Zoll`, `${pl} cali`),
    () => ({}),
  )

/** Sets, by their number of pieces. */
export const sets = (...values: number[]): Size[] =>
  sized(
    values,
    ({ en, de, pl }) => t(`Set of ${en}`, `${de}er-Set`, `zestaw ${pl} szt.`),
    (n) => ({ pieces: n }),
  )

/** Packs, by their number of pieces. */
export const packs = (...values: number[]): Size[] =>
  sized(
    values,
    ({ en, de, pl }) => t(`Pack of ${en}`, `${de}er-Pack`, `${pl} szt.`),
    (n) => ({ pieces: n }),
  )

/** Kits by their number of elements, which must be 5 or more and not end in 2, 3 or 4: Polish would need `elementy`. */
export const elements = (...values: number[]): Size[] =>
  sized(
    values,
    ({ en, de, pl }) => t(`${en} pieces`, `${de}-teilig`, `${pl} elementów`),
    (n) => ({ pieces: n }),
  )

/** Weights that are the size itself, as kettlebells are sold. */
export const kilograms = (...values: number[]): Size[] =>
  sized(values, around('', ' kg'), () => ({})).map((size, at) => ({ ...size, kilos: values[at] ?? 1 }))

/** Flat products, width by length in centimetres. */
export function areas(...pairs: [width: number, length: number][]): Size[] {
  const [width, length] = pairs[0] ?? [1, 1]
  return pairs.map(([w, l]) => ({
    label: same(`${w} × ${l} cm`),
    factor: growth(w * l, width * length),
    attributes: { width_cm: w, length_cm: l },
  }))
}

/** Sizes by name, such as M or A5. */
export const named = (...names: string[]): Size[] =>
  names.map((name, at) => ({ label: same(name), factor: 1 + at * 0.05, attributes: {} }))

/** Pairs, by the weight of one piece. */
export const kilogramPairs = (...values: number[]): Size[] =>
  sized(values, around('2 × ', ' kg'), () => ({})).map((size, at) => ({ ...size, kilos: 2 * (values[at] ?? 1) }))

/** Nibs of fountain pens. */
export const nibs = (...names: string[]): Size[] =>
  names.map((name) => ({ label: t(`Nib ${name}`, `Feder ${name}`, `stalówka ${name}`), factor: 1, attributes: {} }))
