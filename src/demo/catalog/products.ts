import { FAMILIES } from './data.ts'
import { type Piece, descriptionOf, titleOf } from './compose.ts'
import { demoEan } from './ean.ts'
import type { Article, Family } from './family.ts'
import { pick, prng, seedOf, shuffled } from './prng.ts'
import type { Size } from './sizes.ts'
import { slugs } from './wording.ts'

/** One product of the demo's catalog: invented, but plausible. */
export interface DemoProduct {
  key: string
  /** A valid EAN-13 of the range 952, which GS1 reserves for demonstrations (ean.ts). */
  ean: string
  family: string
  /** English path, levels joined by `/`. */
  category: string
  brand: string
  texts: Record<'en' | 'de' | 'pl', { title: string; description: string }>
  /** Values are numbers in the unit of the key, or English tokens. */
  attributes: { key: string; value: string }[]
  /** Decimal text with two digits. */
  costEur: string
  /** The model of which it is a variant; `null` if its article has only one version. */
  model: DemoModel | null
  /** Paths such as `camping/dome-tent-aurora-forest-green-1.jpg`, the main image first. */
  images: string[]
}

export interface DemoModel {
  key: string
  titles: Record<'en' | 'de' | 'pl', string>
  /** From 1. */
  position: number
  /**
   * The options in which its variants differ, `color`, `size` or both, with this variant's values, as in the
   * attributes.
   */
  options: Readonly<Record<string, string>>
}

/** Maximum variants of one model, so that even a small catalog has products of every family. */
const VARIANTS = 5

/**
 * The first `count` products. The product at a place is the same whatever the count, and there is always a next one: once
 * every series of a family has every article, the next generation of the series begins.
 */
export function* demoProducts(count: number): Generator<DemoProduct> {
  let place = 0
  for (let round = 0; ; round++) {
    for (const family of shuffled(FAMILIES, prng(seedOf(`round ${round}`)))) {
      for (const product of model(family, round, () => demoEan(place))) {
        if (place >= count) return
        yield product
        place += 1
      }
    }
  }
}

/** The variants of the model that a family contributes in a round. */
function* model(family: Family, round: number, ean: () => string): Generator<DemoProduct> {
  const lines = family.brands.flatMap((brand) => brand.series.map((series) => ({ brand, series })))
  const turn = Math.floor(round / family.articles.length)
  // The series advances by one each turn, so every pair of article and series occurs once in a generation; the factor 5
  // spreads the brands over a turn.
  const article = family.articles[round % family.articles.length]
  const line = lines[((round % family.articles.length) * 5 + turn) % lines.length]
  if (article === undefined || line === undefined) throw new Error(`The family ${family.id} is empty.`)
  const generation = 1 + Math.floor(turn / lines.length)
  // `Aurora 2`, but `Q1 V2`: two bare numbers in a row would read as one.
  const mark = /\d$/.test(line.series) ? `V${generation}` : String(generation)
  const series = generation === 1 ? line.series : `${line.series} ${mark}`
  const random = prng(seedOf(`${family.id} ${article.id} ${line.brand.name} ${series}`))
  const material = pick(article.materials, random)
  const closing = pick(family.closings, random)
  const [lowest, highest] = article.cost
  const base = lowest + (highest - lowest) * random()
  const heaviness = 0.9 + 0.2 * random()
  const views = 1 + Math.floor(random() * 3)
  const all = variants(family, article, random)
  const differ = new Set<'color' | 'size'>()
  if (new Set(all.map(({ colour }) => colour)).size > 1) differ.add('color')
  if (new Set(all.map(({ size }) => size?.label.en)).size > 1) differ.add('size')
  for (const [at, { size, colour }] of all.entries()) {
    const factor = size?.factor ?? 1
    const kilos = size?.kilos ?? rounded(article.weight * factor * heaviness)
    const piece: Piece = {
      family,
      article,
      brand: line.brand,
      series,
      colour,
      size,
      material,
      closing,
      kilos,
      numbers: { ...article.has, ...size?.attributes },
    }
    const model = differ.size === 0 ? null : modelOf(piece, at + 1, differ)
    yield { ...toProduct(piece, ean(), Math.round(base * factor * 100), views), model }
  }
}

function modelOf(piece: Piece, position: number, differ: ReadonlySet<'color' | 'size'>): DemoModel {
  const plain: Piece = { ...piece, size: null, colour: null }
  const titleIn = (language: 'en' | 'de' | 'pl') => titleOf(plain, language)
  return {
    key: slugs(piece.family.id, piece.article.id, piece.series),
    titles: { en: titleIn('en'), de: titleIn('de'), pl: titleIn('pl') },
    position,
    options: Object.fromEntries(
      attributesOf(piece).flatMap(({ key, value }) =>
        (key === 'color' || key === 'size') && differ.has(key) ? [[key, value]] : [],
      ),
    ),
  }
}

function toProduct(piece: Piece, ean: string, cents: number, views: number): Omit<DemoProduct, 'model'> {
  const { family, article, brand, series, colour, size } = piece
  const key = slugs(family.id, article.id, series, size?.label.en, colour)
  // An image shows the colour, not the size: the sizes of a colour share it, as in real suppliers' files.
  const picture = slugs(article.id, series, colour)
  const text = (language: 'en' | 'de' | 'pl') => ({
    title: titleOf(piece, language),
    description: descriptionOf(piece, language),
  })
  return {
    key,
    ean,
    family: family.id,
    category: article.category,
    brand: brand.name,
    texts: { en: text('en'), de: text('de'), pl: text('pl') },
    attributes: attributesOf(piece),
    costEur: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
    images: Array.from({ length: views }, (_, at) => `${family.id}/${picture}-${at + 1}.jpg`),
  }
}

function attributesOf({ colour, size, material, numbers, kilos }: Piece): DemoProduct['attributes'] {
  const attributes: DemoProduct['attributes'] = []
  if (colour !== null) attributes.push({ key: 'color', value: colour })
  if (size !== null) attributes.push({ key: 'size', value: size.label.en })
  attributes.push({ key: 'material', value: material })
  for (const [key, value] of Object.entries(numbers)) attributes.push({ key, value: String(value) })
  attributes.push({ key: 'weight_kg', value: String(kilos) })
  return attributes
}

/** Some of the combinations of colour and size: colour by colour, with its sizes in order. */
function variants(
  family: Family,
  article: Article,
  random: () => number,
): { size: Size | null; colour: string | null }[] {
  const sizes = article.sizes ?? [null]
  const palette = article.colours ?? family.palette
  if (palette.length === 0) return sizes.slice(0, VARIANTS).map((size) => ({ size, colour: null }))
  const colours = shuffled(palette, random).slice(0, Math.max(1, Math.min(3, Math.floor(VARIANTS / sizes.length))))
  return colours.flatMap((colour) => sizes.map((size) => ({ size, colour })))
}

/** Rounds a weight as manufacturers do: to the gram below 100 g, to ten grams below 10 kg, else to 100 g. */
function rounded(kilos: number): number {
  const steps = kilos < 0.1 ? 1000 : kilos < 10 ? 100 : 10
  return Math.max(1, Math.round(kilos * steps)) / steps
}
