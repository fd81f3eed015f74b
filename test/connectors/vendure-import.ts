import type { Row } from './vendure-rows.ts'
import type { VendureShop } from './vendure-shop.ts'

// Vendure's own bulk import of a CSV file, for comparison with the connector's first fill: products with options, variants, price
// and stock of the default channel, facet values and pictures. It writes one channel; the connector writes two, with their
// fields and collections.

const COLUMNS = [
  'name',
  'slug',
  'description',
  'assets',
  'facets',
  'optionGroups',
  'optionValues',
  'sku',
  'price',
  'taxCategory',
  'stockOnHand',
  'trackInventory',
  'variantAssets',
  'variantFacets',
]

/** @returns seconds */
export async function importIntoVendure(
  shop: VendureShop,
  rows: readonly Row[],
  picture: (name: string) => string,
): Promise<number> {
  const products = new Map<string, Row[]>()
  for (const row of rows) products.set(row.product, [...(products.get(row.product) ?? []), row])
  const lines = [COLUMNS, ...[...products.values()].flatMap((variants) => linesOf(variants, picture))]
  const csv = lines.map((line) => line.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()).join('\n')
  const since = performance.now()
  const { imported, errors } = await shop.importCsv(csv)
  if (imported !== products.size) throw new Error(`the shop has imported ${imported} of ${products.size}: ${errors[0]}`)
  return (performance.now() - since) / 1_000
}

function linesOf(variants: readonly Row[], picture: (name: string) => string): string[][] {
  return variants.map((row, at) => {
    const [name = '', slug = '', description = ''] = at === 0 ? row.texts['en']! : []
    const isFirst = at === 0
    return [
      name,
      slug,
      description,
      isFirst ? row.pictures.map(picture).join('|') : '',
      isFirst ? row.categories.map((category) => `category:${category}`).join('|') : '',
      isFirst ? row.options.map(([key]) => key).join('|') : '',
      row.options.map(([, value]) => value).join('|'),
      row.sku,
      ((row.prices['main'] ?? 0) / 100).toFixed(2),
      row.tax,
      String(row.stock['Default Stock Location']),
      'true',
      row.ownPictures.map(picture).join('|'),
      '',
    ]
  })
}
