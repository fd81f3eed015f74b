import { must } from '../../platform/must.ts'
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

/** How the sizes of articles are written and which attributes they have, by their kind in demo/articles.csv. */
const KINDS: Readonly<Record<string, (values: number[], names: string[]) => Size[]>> = {
  litres: (values) =>
    sized(
      values,
      ({ en, de, pl }) => t(`${en} L`, `${de} l`, `${pl} l`),
      (n) => ({ capacity_l: n }),
    ),
  centimetres: (values) => sized(values, around('', ' cm'), (n) => ({ length_cm: n })),
  // lengths of cables and hoses
  metres: (values) => sized(values, around('', ' m'), (n) => ({ length_cm: Math.round(n * 100) })),
  heights: (values) => sized(values, around('', ' cm'), (n) => ({ height_cm: n })),
  widths: (values) => sized(values, around('', ' cm'), (n) => ({ width_cm: n })),
  diameters: (values) => sized(values, around('Ø ', ' cm'), (n) => ({ diameter_cm: n })),
  watts: (values) => sized(values, around('', ' W'), (n) => ({ power_w: n })),
  // bicycle lights
  lux: (values) => sized(values, around('', ' lx'), (n) => ({ illuminance_lx: n })),
  milliampereHours: (values) => sized(values, around('', ' mAh'), (n) => ({ battery_mah: n })),
  // screen diagonals or wheels, 5 or more: from five on, the Polish plural is `cali`
  inches: (values) =>
    sized(
      values,
      ({ en, de, pl }) => t(`${en} inch`, `${de} Zoll`, `${pl} cali`),
      () => ({}),
    ),
  sets: (values) =>
    sized(
      values,
      ({ en, de, pl }) => t(`Set of ${en}`, `${de}er-Set`, `zestaw ${pl} szt.`),
      (n) => ({ pieces: n }),
    ),
  packs: (values) =>
    sized(
      values,
      ({ en, de, pl }) => t(`Pack of ${en}`, `${de}er-Pack`, `${pl} szt.`),
      (n) => ({ pieces: n }),
    ),
  // pieces of kits, 5 or more and not ending in 2, 3 or 4: Polish would need `elementy`
  elements: (values) =>
    sized(
      values,
      ({ en, de, pl }) => t(`${en} pieces`, `${de}-teilig`, `${pl} elementów`),
      (n) => ({ pieces: n }),
    ),
  // the weight is the size, as with kettlebells
  kilograms: (values) => weights(values, '', 1),
  // pairs, named by the weight of one piece
  kilogramPairs: (values) => weights(values, '2 × ', 2),
  // flat products, width by length in centimetres
  areas: (_, names) => {
    const pairs = names.map((name) => name.split('x').map(Number))
    const [width = 1, length = 1] = must(pairs[0])
    return pairs.map(([w = 1, l = 1]) => ({
      label: same(`${w} × ${l} cm`),
      factor: growth(w * l, width * length),
      attributes: { width_cm: w, length_cm: l },
    }))
  },
  // sizes with names, such as M or A5
  named: (_, names) => names.map((name, at) => ({ label: same(name), factor: 1 + at * 0.05, attributes: {} })),
  // fountain pens
  nibs: (_, names) =>
    names.map((name) => ({ label: t(`Nib ${name}`, `Feder ${name}`, `stalówka ${name}`), factor: 1, attributes: {} })),
}

function weights(values: readonly number[], before: string, pieces: number): Size[] {
  return sized(values, around(before, ' kg'), () => ({})).map((size, at) => ({
    ...size,
    kilos: pieces * must(values[at]),
  }))
}

/** The sizes that a text names, such as `litres 0.5 0.75 1` or `areas 20x30 28x40`. */
export function sizesOf(text: string): Size[] {
  const [kind = '', ...names] = text.split(' ')
  return must(KINDS[kind])(names.map(Number), names)
}
