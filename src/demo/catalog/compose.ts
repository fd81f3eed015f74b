import { must } from '../../platform/must.ts'
import { COLOURS, DEMO_ATTRIBUTES, MATERIALS } from './data.ts'
import type { Article, Brand, Family, Gender } from './family.ts'
import type { Size } from './sizes.ts'
import { type Language, type Wording, written } from './wording.ts'

/** Everything that the texts of one product are composed of. */
export interface Piece {
  family: Family
  article: Article
  brand: Brand
  /** The series with its generation, such as `Aurora` or `Aurora 2`. */
  series: string
  /** A key of COLOURS. */
  colour: string | null
  size: Size | null
  material: string
  closing: Wording
  kilos: number
  /** Numeric attributes by key, in the order in which the description lists them. */
  numbers: Readonly<Record<string, number>>
}

/** The title in one language, in the style of the brand. */
export function titleOf(piece: Piece, language: Language): string {
  const { article, brand, series, size, colour } = piece
  const noun = article.noun[language]
  const details = [size?.label[language], colour && colourOf(colour, language, article.gender)].filter(
    (part) => part !== undefined && part !== null,
  )
  if (brand.style === 'brackets') {
    const named = {
      en: `${brand.name} ‘${series}’ ${noun}`,
      de: `${noun} „${series}“ von ${brand.name}`,
      pl: `${noun} ${brand.name} „${series}”`,
    }[language]
    return details.length === 0 ? named : `${named} (${details.join(', ')})`
  }
  const named =
    brand.style === 'dash'
      ? `${brand.name} ${series} – ${language === 'pl' ? lowered(noun) : noun}`
      : language === 'en'
        ? `${brand.name} ${series} ${noun}`
        : `${noun} ${brand.name} ${series}`
  return [named, ...details].join(', ')
}

/** The description in one language: a paragraph and a list, as HTML. */
export function descriptionOf(piece: Piece, language: Language): string {
  const closing = piece.closing[language].replaceAll('{brand}', piece.brand.name).replaceAll('{series}', piece.series)
  const features = piece.article.features.map((key) => must(piece.family.features[key])[language])
  const items = [...features, ...facts(piece, language)].map((item) => `<li>${item}</li>`)
  return `<p>${piece.article.lead[language]} ${closing}</p><ul>${items.join('')}</ul>`
}

function facts(piece: Piece, language: Language): string[] {
  const { size, colour, material, numbers, kilos } = piece
  const lines = [labelled('material', must(MATERIALS[material])[language], language)]
  // `Kolor` is masculine, so the colour after it is too.
  if (colour !== null) lines.push(labelled('color', colourOf(colour, language, 'm'), language))
  // A size that is a number is listed as that number below.
  if (size !== null && Object.keys(size.attributes).length === 0 && size.kilos === undefined) {
    lines.push(labelled('size', size.label[language], language))
  }
  for (const [key, value] of Object.entries(numbers)) lines.push(measured(key, value, language))
  const grams = Math.round(kilos * 1000)
  const weight = grams < 1000 ? `${grams} g` : `${written(kilos, language)} kg`
  return [...lines, `${must(labels.get('weight_kg'))[language]}: ${weight}`]
}

const labels = new Map(DEMO_ATTRIBUTES.map(({ key, labels }) => [key, labels]))
const units = new Map(DEMO_ATTRIBUTES.map(({ key, unit }) => [key, unit]))

/** `Label: value unit`. */
function labelled(key: string, value: string, language: Language): string {
  const unit = units.get(key) ?? null
  const shown = unit === 'l' && language === 'en' ? 'L' : unit
  return `${labels.get(key)?.[language] ?? key}: ${value}${shown === null ? '' : ` ${shown}`}`
}

/** A number with its label and unit. Long lengths are shown in metres, although the attribute is in centimetres. */
function measured(key: string, value: number, language: Language): string {
  if (key === 'length_cm' && value >= 500)
    return `${labels.get(key)?.[language] ?? key}: ${written(value / 100, language)} m`
  return labelled(key, written(value, language), language)
}

const lowered = (noun: string): string => `${noun.charAt(0).toLowerCase()}${noun.slice(1)}`

/** The colour as it is written with a noun. All Polish colours are adjectives in `-y` or `-ki`, hence these endings. */
function colourOf(colour: string, language: Language, gender: Gender): string {
  const word = must(COLOURS[colour])[language]
  if (language !== 'pl' || gender === 'm') return word
  if (gender === 'f') return `${word.slice(0, -1)}a`
  return word.endsWith('i') ? `${word}e` : `${word.slice(0, -1)}e`
}
