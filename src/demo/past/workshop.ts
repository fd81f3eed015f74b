// A small supplier of the demo whose file shows the kinds of findings: each row after the first ones has something that should be corrected.

export const WORKSHOP = { code: 'workshop', name: 'Little Workshop', currency: 'EUR', priority: 40, safetyBuffer: 0 }

/** A valid EAN of the in-store range that no other product of the demo has. */
const EAN = '2990000000019'

interface Article {
  sku: string
  title: string
  cost: string
  quantity: number
  ean?: string
  category?: string
  currency?: string
  tax?: string
  content?: string
  list?: string
  sale?: string
  weight?: string
  model?: string
  color?: string
}

const ARTICLES: readonly Article[] = [
  { sku: 'W-01', title: 'Oak coat hook', cost: '6.40', quantity: 14, ean: EAN },
  { sku: 'W-02', title: 'Oak key rack', cost: '9.80', quantity: 6 },
  // an EAN with a wrong check digit
  { sku: 'W-03', title: 'Walnut bread board', cost: '18.50', quantity: 9, ean: '2990000000027' },
  // a currency without an exchange rate
  { sku: 'W-04', title: 'Cowbell with leather strap', cost: '24.00', quantity: 5, currency: 'CHF' },
  // a tax class that the account does not have
  { sku: 'W-05', title: 'Illustrated book of knots', cost: '11.20', quantity: 20, tax: 'BOOKS' },
  // a quantity without a known unit
  { sku: 'W-06', title: 'Beeswax polish', cost: '5.10', quantity: 33, content: 'a tin' },
  // a sale without a last day
  { sku: 'W-07', title: 'Linen apron', cost: '15.00', quantity: 8, sale: '19.90' },
  // a recommended price below the price
  { sku: 'W-08', title: 'Copper watering can', cost: '31.00', quantity: 4, list: '30.00' },
  // a sale below the cost
  { sku: 'W-09', title: 'Slate plant labels', cost: '7.00', quantity: 25, sale: '6.50' },
  // a weight that is not a number
  { sku: 'W-10', title: 'Willow basket', cost: '13.30', quantity: 11, weight: 'light' },
  // neither a category nor a cost
  { sku: 'W-11', title: 'Sample card', cost: '', quantity: 3, category: '' },
  // two variants that a customer cannot tell apart, and one without the option in which the others differ
  { sku: 'W-12', title: 'Enamel mug, blue', cost: '4.20', quantity: 40, model: 'mug', color: 'Blue' },
  { sku: 'W-13', title: 'Enamel mug, blue, large', cost: '4.90', quantity: 31, model: 'mug', color: 'Blue' },
  { sku: 'W-14', title: 'Enamel mug', cost: '4.20', quantity: 12, model: 'mug' },
]

export const WORKSHOP_MAPPING = {
  format: 'json',
  locale: 'en',
  fields: {
    sku: 'sku',
    title: 'title',
    cost: 'cost',
    quantity: 'quantity',
    ean: 'ean',
    category: 'category',
    currency: 'currency',
    tax_class: 'tax',
    net_content: 'content',
    list_price: 'list',
    sale_price: 'sale',
    attributes: [{ key: 'weight_g', column: 'weight' }],
    group_key: 'model',
    group_options: [{ key: 'color', column: 'color' }],
  },
}

/** The supplier's file, as JSON. */
export const workshopFile = (): string =>
  JSON.stringify(
    ARTICLES.map(({ category = 'Workshop/Small things', currency = 'EUR', ...article }) => ({
      ...article,
      category,
      currency,
    })),
  )
