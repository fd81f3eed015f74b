import { type DemoProduct, demoProducts } from './products.ts'
import { distinctNumberFor } from './ean.ts'
import { prng, seedOf } from './prng.ts'

/** A supplier of the demo with its file and the mapping that reads it. */
export interface DemoSupplierFile {
  supplier: { code: string; name: string; currency: string; priority: number; safetyBuffer: number }
  fileName: string
  /** The file in chunks; the same chunks every time. */
  text: () => Generator<string>
  /** The JSON of the mapping file. */
  mapping: unknown
}

type Code = 'nordwind' | 'baltic' | 'harbour'

interface Offer {
  product: DemoProduct
  place: number
  /** `null` where the supplier does not know it. */
  ean: string | null
  /** In the supplier's currency. */
  cost: string
  quantity: number
}

/** The base URL of the suppliers' pictures, unless the caller has a server for them. */
const NO_PICTURES = 'https://images.example.com/'

/** Units of the supplier's currency per euro. */
const RATES: Record<Code, number> = { nordwind: 1, baltic: 4.3, harbour: 1.08 }

/**
 * The files of three suppliers with the first `count` products; every product is in at least one of them.
 * @param pictures base URL of the pictures, with a slash at the end.
 * @param hasModels whether the files say which articles are variants of one model; false for benchmarks, which compare with releases that have no
 * groups
 */
export function demoSupplierFiles(
  count: number,
  pictures: string = NO_PICTURES,
  hasModels = false,
): DemoSupplierFile[] {
  return [nordwind, baltic, harbour].map((file) => file(count, pictures, hasModels))
}

/** The suppliers of the product at a place, at least one; `known`: whether they know its EAN. */
export function sellers(place: number): { codes: Code[]; known: boolean } {
  const random = prng(seedOf(`sellers ${place}`))
  // One in 70 has no EAN. Without it, offers of two suppliers could not be matched, so only one supplier sells it.
  const known = random() >= 1 / 70
  const inBaltic = random() < 0.6
  const inHarbour = random() < 0.5
  // Products that neither of the others sells are nordwind's, which makes about 70 % of all.
  const inNordwind = random() < 0.625 || (!inBaltic && !inHarbour)
  const codes: Code[] = []
  if (inNordwind) codes.push('nordwind')
  if (inBaltic) codes.push('baltic')
  if (inHarbour) codes.push('harbour')
  return known ? { codes, known } : { codes: [codes[place % codes.length] ?? 'nordwind'], known }
}

/** The offers of a supplier for the first `count` products, in order. */
export function* offers(count: number, code: Code): Generator<Offer> {
  let place = 0
  for (const product of demoProducts(count)) {
    const { codes, known } = sellers(place)
    if (codes.includes(code)) {
      const random = prng(seedOf(`${code} ${place}`))
      const cents = Math.round(Number(product.costEur) * RATES[code] * (92 + 16 * random()))
      yield { product, place, ean: known ? product.ean : null, cost: (cents / 100).toFixed(2), quantity: stock(random) }
    }
    place += 1
  }
}

/** A random quantity: sometimes 0, mostly a few dozen, sometimes hundreds. */
function stock(random: () => number): number {
  const kind = random()
  if (kind < 0.12) return 0
  if (kind < 0.3) return 1 + Math.floor(random() * 5)
  return kind < 0.9 ? 6 + Math.floor(random() * 80) : 100 + Math.floor(random() * 900)
}

const imagesOf = (product: DemoProduct, pictures: string): string[] =>
  product.images.map((path) => `${pictures}${path}`)

const attributesOf = (product: DemoProduct): Record<string, string> =>
  Object.fromEntries(product.attributes.map(({ key, value }) => [key, value]))

/** The variant group as the JSON suppliers send it; for a product without one the members are empty. */
function modelOf({ model }: DemoProduct, language: 'en' | 'pl') {
  if (model === null) return { id: '', name: '', position: '', options: {} }
  return { id: model.key, name: model.titles[language], position: model.position, options: model.options }
}

const MODEL_FIELDS = {
  group_key: 'model.id',
  group_title: 'model.name',
  group_position: 'model.position',
  group_options: [{ object: 'model.options' }],
}

/** Joins small pieces to chunks of at least 64 kB. */
function* chunked(pieces: Generator<string>): Generator<string> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < 64 * 1024) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

const COLUMNS = [
  'Artikelnummer',
  'EAN',
  'Bezeichnung',
  'Beschreibung',
  'EK',
  'Bestand',
  'Marke',
  'Warengruppe',
  'Bild1',
  'Bild2',
  'Merkmale',
]
const MODEL_COLUMNS = ['Modell', 'Modellname', 'Variante', 'Farbe', 'Größe']

function nordwind(count: number, pictures: string, hasModels: boolean): DemoSupplierFile {
  const quoted = (cell: string): string => (/[;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const line = (cells: readonly string[]): string => `${cells.map(quoted).join(';')}\r\n`
  function* rows(): Generator<string> {
    yield line([...COLUMNS, ...(hasModels ? MODEL_COLUMNS : [])])
    for (const { product, place, ean, cost, quantity } of offers(count, 'nordwind')) {
      const [first = '', second = ''] = imagesOf(product, pictures)
      const { title, description } = product.texts.de
      const features = product.attributes.map(({ key, value }) => `${key}=${value}`).join('|')
      const { key = '', titles, position = '', options = {} } = product.model ?? {}
      const model = [key, titles?.de ?? '', String(position), options['color'] ?? '', options['size'] ?? '']
      yield line([
        `NW-${100_000 + place}`,
        ean ?? '',
        title,
        description,
        cost.replace('.', ','),
        String(quantity),
        product.brand,
        product.category,
        first,
        second,
        features,
        ...(hasModels ? model : []),
      ])
    }
  }
  return {
    supplier: { code: 'nordwind', name: 'Nordwind Großhandel GmbH', currency: 'EUR', priority: 10, safetyBuffer: 2 },
    fileName: 'nordwind-artikel.csv',
    text: () => chunked(rows()),
    mapping: {
      format: 'csv',
      delimiter: ';',
      locale: 'de',
      decimal: ',',
      fields: {
        sku: 'Artikelnummer',
        cost: 'EK',
        quantity: 'Bestand',
        ean: 'EAN',
        title: 'Bezeichnung',
        description: 'Beschreibung',
        manufacturer: 'Marke',
        category: 'Warengruppe',
        images: ['Bild1', 'Bild2'],
        attributes: [{ packed: 'Merkmale', pair: '|', assign: '=' }],
        ...(hasModels
          ? {
              group_key: 'Modell',
              group_title: 'Modellname',
              group_position: 'Variante',
              group_options: [
                { key: 'color', column: 'Farbe' },
                { key: 'size', column: 'Größe', number: false },
              ],
            }
          : {}),
      },
    },
  }
}

function baltic(count: number, pictures: string, hasModels: boolean): DemoSupplierFile {
  function* rows(): Generator<string> {
    for (const { product, place, ean, cost, quantity } of offers(count, 'baltic')) {
      const { pl, en } = product.texts
      yield `${JSON.stringify({
        sku: `BT/${String(distinctNumberFor(place))
          .padStart(9, '0')
          .replace(/(\d{4})(\d{5})/, '$1/$2')}`,
        ean,
        name: { pl: pl.title, en: en.title },
        opis: { pl: pl.description, en: en.description },
        cena: { netto: Number(cost) },
        stan: quantity,
        producent: product.brand,
        kategoria: product.category,
        zdjecia: imagesOf(product, pictures),
        cechy: attributesOf(product),
        ...(hasModels ? { model: modelOf(product, 'pl') } : {}),
      })}\n`
    }
  }
  return {
    supplier: { code: 'baltic', name: 'Baltic Hurt Sp. z o.o.', currency: 'PLN', priority: 20, safetyBuffer: 0 },
    fileName: 'baltic-oferta.ndjson',
    text: () => chunked(rows()),
    mapping: {
      format: 'ndjson',
      locale: 'pl',
      fields: {
        sku: 'sku',
        cost: 'cena.netto',
        quantity: 'stan',
        ean: 'ean',
        'title.pl': 'name.pl',
        'title.en': 'name.en',
        'description.pl': 'opis.pl',
        'description.en': 'opis.en',
        manufacturer: 'producent',
        category: 'kategoria',
        images: ['zdjecia'],
        attributes: [{ object: 'cechy' }],
        ...(hasModels ? MODEL_FIELDS : {}),
      },
    },
  }
}

function harbour(count: number, pictures: string, hasModels: boolean): DemoSupplierFile {
  function* rows(): Generator<string> {
    let before = '[\n'
    for (const { product, place, ean, cost, quantity } of offers(count, 'harbour')) {
      yield `${before}${JSON.stringify({
        item: `H${(distinctNumberFor(place) + 36 ** 5).toString(36).toUpperCase()}`,
        barcode: ean,
        title: product.texts.en.title,
        body_html: product.texts.en.description,
        unit_cost: cost,
        on_hand: quantity,
        vendor: product.brand,
        category: product.category,
        image_urls: imagesOf(product, pictures),
        specs: attributesOf(product),
        ...(hasModels ? { model: modelOf(product, 'en') } : {}),
      })}`
      before = ',\n'
    }
    yield before === '[\n' ? '[]\n' : '\n]\n'
  }
  return {
    supplier: { code: 'harbour', name: 'Harbour Trade Supply Ltd', currency: 'USD', priority: 30, safetyBuffer: 5 },
    fileName: 'harbour-items.json',
    text: () => chunked(rows()),
    mapping: {
      format: 'json',
      locale: 'en',
      fields: {
        sku: 'item',
        cost: 'unit_cost',
        quantity: 'on_hand',
        ean: 'barcode',
        title: 'title',
        description: 'body_html',
        manufacturer: 'vendor',
        category: 'category',
        images: ['image_urls'],
        attributes: [{ object: 'specs' }],
        ...(hasModels ? MODEL_FIELDS : {}),
      },
    },
  }
}
