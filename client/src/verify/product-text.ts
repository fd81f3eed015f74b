// A product as the service writes it, for targets that do not keep the order of members, such as PostgreSQL's jsonb.

/** The members of each object in the order of the contract (test/client/answers.test.ts compares them). */
export const MEMBERS = {
  product: [
    'id',
    'sku',
    'ean',
    'title',
    'description',
    'manufacturer',
    'images',
    'store',
    'excluded',
    'exclusion_reason',
    'attributes',
    'mpn',
    'condition',
    'country_of_origin',
    'hs_code',
    'weight',
    'delivery_time',
    'seo_title',
    'seo_description',
    'group',
    'dimensions',
    'eans',
    'categories',
    'image_details',
    'created_at',
    'slug',
    'net_content',
    'updated_at',
    'prices',
    'stock',
  ],
  attributes: ['key', 'label', 'value'],
  group: ['id', 'key', 'title', 'position', 'options'],
  options: ['key', 'label', 'value', 'position'],
  image_details: ['alt', 'width', 'height', 'type', 'hash', 'is_mirrored'],
  categories: ['id', 'path', 'external_id'],
  dimensions: ['length', 'width', 'height'],
  prices: [
    'customer_group_id',
    'customer_group',
    'base_cost',
    'computed_price',
    'currency',
    'applied_rule_id',
    'is_default',
    'compare_at_price',
    'is_sale',
    'lowest_price_30_days',
    'sale_begins_on',
    'sale_ends_on',
    'tax_included',
    'tax_rate',
    'tax_class',
    'tiers',
    'unit_price',
  ],
  tiers: ['quantity', 'price'],
  unit_price: ['value', 'unit', 'reference_quantity'],
} as const

type Named = keyof typeof MEMBERS

/**
 * The JSON text. Members that a later release has added come last, before the price half, as they do there; of several of them the order is not known, and
 * the product is read to be compared.
 */
export const productText = (product: unknown): string => JSON.stringify(ordered(product, 'product'))

function ordered(value: unknown, name: Named | undefined): unknown {
  if (Array.isArray(value)) return value.map((one) => ordered(one, name))
  if (typeof value !== 'object' || value === null || name === undefined) return value
  const members = value as Readonly<Record<string, unknown>>
  const known: readonly string[] = MEMBERS[name]
  const later = Object.keys(members).filter((member) => !known.includes(member))
  const end = name === 'product' ? known.indexOf('prices') : known.length
  const names = [...known.slice(0, end), ...later, ...known.slice(end)].filter((member) =>
    Object.hasOwn(members, member),
  )
  return Object.fromEntries(
    names.map((member) => [
      member,
      ordered(members[member], member in MEMBERS && member !== 'product' ? (member as Named) : undefined),
    ]),
  )
}
