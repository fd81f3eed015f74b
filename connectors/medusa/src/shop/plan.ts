import type { Difference } from '@shelfwire/client/shop'
import type { Wanted, WantedVariant } from '../article/wanted.ts'
import type { WantedPrice } from '../article/prices.ts'
import type { Level, PriceRow } from '../medusa-shop.ts'
import type { Ownable } from '../options.ts'
import type { FoundProduct, FoundVariant } from './found.ts'

// Plans the changes that make a product of the shop what it should be. What is right already is not written.
// docs/decisions/184-a-connector-lives-in-the-shop.md says why.

export interface NewPrice extends WantedPrice {
  priceSet: string
}

export interface Plan {
  differences: Difference[]
  /** The product must be deleted and made anew, because its options have other titles, or two variants exchange their values. */
  isOther: boolean
  /** Members of the product to be written, without its ID. */
  product: Record<string, unknown>
  /** Values that are missing in options. */
  options: { id: string; add: string[] }[]
  make: WantedVariant[]
  drop: string[]
  update: Record<string, unknown>[]
  /** Pictures of single variants; `add` and `remove` are IDs of pictures. */
  pictures: { variant: string; add: string[]; remove: string[] }[]
  removePrices: string[]
  addPrices: NewPrice[]
  makeLevels: Level[]
  setLevels: Level[]
}

export interface Known {
  /** Shelfwire's ID of a category -> Medusa's. */
  categories: ReadonlyMap<string, string>
  /** The key of a price list -> Medusa's ID. */
  lists: ReadonlyMap<string, string>
  shopOwns: ReadonlySet<Ownable>
}

export function planOf(wanted: Wanted, found: FoundProduct, known: Known): Plan {
  const plan: Plan = {
    differences: [],
    isOther: false,
    product: {},
    options: [],
    make: [],
    drop: [],
    update: [],
    pictures: [],
    removePrices: [],
    addPrices: [],
    makeLevels: [],
    setLevels: [],
  }
  planProduct(plan, wanted, found, known)
  planOptions(plan, wanted, found)
  if (plan.isOther) return plan
  const sources = new Map<number, FoundVariant>()
  for (const variant of found.variants) {
    const source = variant.metadata?.shelfwire_id
    const of = wanted.variants.find((each) => each.source === source)
    // a variant that a kill has left without its price set or inventory item is made again. Without prices, Medusa makes no price set
    const isWhole =
      (Boolean(variant.price_set) || (of?.prices ?? []).length === 0) && variant.inventory_items.length > 0
    if (source !== undefined && of !== undefined && isWhole && !sources.has(source)) sources.set(source, variant)
    else {
      plan.drop.push(variant.id)
      tell(plan, `variants.${source ?? variant.id}`, isWhole ? 'there' : 'not whole', null)
    }
  }
  for (const variant of wanted.variants) {
    const has = sources.get(variant.source)
    if (has === undefined) {
      plan.make.push(variant)
      tell(plan, `variants.${variant.source}`, null, 'there')
    } else planVariant(plan, variant, has, known)
  }
  planPictures(plan, wanted, found, sources, known)
  plan.isOther = isExchanged(plan, wanted, found, sources)
  return plan
}

/** Whether a variant should get option values that another variant still has: Medusa would refuse that. */
function isExchanged(
  { drop }: Plan,
  wanted: Wanted,
  found: FoundProduct,
  sources: ReadonlyMap<number, FoundVariant>,
): boolean {
  const held = new Map(
    found.variants.filter(({ id }) => !drop.includes(id)).map((variant) => [valuesOf(optionsIn(variant)), variant.id]),
  )
  return wanted.variants.some(({ source, options }) => {
    const holder = held.get(valuesOf(options))
    return holder !== undefined && holder !== sources.get(source)?.id
  })
}

const optionsIn = ({ options }: FoundVariant): Record<string, string> =>
  Object.fromEntries(options.map(({ value, option }) => [option.title, value]))

const valuesOf = (options: Record<string, string>): string =>
  JSON.stringify(Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1)))

function tell(plan: Plan, member: string, shop: unknown, shelfwire: unknown): void {
  plan.differences.push({ member, shop, shelfwire })
}

function planProduct(plan: Plan, wanted: Wanted, found: FoundProduct, { categories, shopOwns }: Known): void {
  const set = (name: string, ownable: Ownable, shop: unknown, shelfwire: unknown, written: object) => {
    if (shopOwns.has(ownable) || isSame(shop, shelfwire)) return
    Object.assign(plan.product, written)
    tell(plan, name, shop, shelfwire)
  }
  const { title, keptHandle, description, status, pictures, salesChannels } = wanted
  set('title', 'title', found.title, title, { title })
  if (keptHandle !== null) set('handle', 'handle', found.handle, keptHandle, { handle: keptHandle })
  set('description', 'description', found.description, description, { description })
  set('status', 'status', found.status, status, { status })
  const idOf = new Map(found.images.map(({ id, url }) => [url, id]))
  set(
    'pictures',
    'pictures',
    found.images.map(({ url }) => url),
    pictures,
    {
      images: pictures.map((url) => (idOf.has(url) ? { id: idOf.get(url), url } : { url })),
      thumbnail: pictures[0] ?? null,
    },
  )
  const categoryIds = wanted.categories.flatMap((id) => categories.get(String(id)) ?? []).toSorted()
  const foundCategories = found.categories.map(({ id }) => id).toSorted()
  set('categories', 'categories', foundCategories, categoryIds, { category_ids: categoryIds })
  const channels = salesChannels.toSorted()
  const foundChannels = found.sales_channels.map(({ id }) => id).toSorted()
  set('sales_channels', 'sales_channels', foundChannels, channels, { sales_channels: channels.map((id) => ({ id })) })
}

function planOptions(plan: Plan, wanted: Wanted, found: FoundProduct): void {
  const titles = (of: { title: string }[]) => of.map(({ title }) => title).toSorted()
  if (!isSame(titles(found.options), titles(wanted.options))) {
    plan.isOther = true
    tell(plan, 'options', titles(found.options), titles(wanted.options))
    return
  }
  for (const { id, title, values } of found.options) {
    const has = values.map(({ value }) => value)
    const lacks = wanted.options.find((option) => option.title === title)?.values.filter((one) => !has.includes(one))
    if (lacks === undefined || lacks.length === 0) continue
    plan.options.push({ id, add: lacks })
    tell(plan, `options.${title}`, has, [...has, ...lacks])
  }
}

function planVariant(plan: Plan, wanted: WantedVariant, found: FoundVariant, known: Known): void {
  const update: Record<string, unknown> = {}
  const at = `variants.${wanted.source}`
  const set = (name: string, ownable: Ownable | null, shop: unknown, shelfwire: unknown) => {
    if ((ownable !== null && known.shopOwns.has(ownable)) || isSame(shop, shelfwire)) return
    update[name] = shelfwire
    tell(plan, `${at}.${name}`, shop, shelfwire)
  }
  set('title', 'variant_titles', found.title, wanted.title)
  set('sku', null, found.sku, wanted.sku)
  set('ean', null, found.ean, wanted.ean)
  set('variant_rank', null, found.variant_rank, wanted.rank)
  set('weight', 'customs', found.weight, wanted.weight)
  set('hs_code', 'customs', found.hs_code, wanted.hsCode)
  set('origin_country', 'customs', found.origin_country, wanted.originCountry)
  const options = optionsIn(found)
  if (valuesOf(options) !== valuesOf(wanted.options)) set('options', null, options, wanted.options)
  if (Object.keys(update).length > 0) plan.update.push({ id: found.id, ...update })
  if (!known.shopOwns.has('prices')) planPrices(plan, at, wanted, found, known)
  if (!known.shopOwns.has('stock')) planStock(plan, at, wanted, found)
}

const priceKey = (
  list: string | null,
  currency: string,
  from: number | string | null,
  to: number | string | null,
  amount: number | string,
) => [list ?? '', currency, from === null ? '' : Number(from), to === null ? '' : Number(to), Number(amount)].join(' ')

function planPrices(plan: Plan, at: string, wanted: WantedVariant, found: FoundVariant, { lists }: Known): void {
  const ours = new Map([...lists].map(([key, id]) => [id, key]))
  // prices with rules, such as those for a region, and those in other lists belong to the shop
  const isOurs = ({ price_list_id: list, rules_count: rules }: PriceRow) =>
    list === null ? rules === 0 : ours.has(list)
  const has = new Map<string, PriceRow>()
  for (const row of found.prices.filter(isOurs)) {
    const list = row.price_list_id === null ? null : (ours.get(row.price_list_id) ?? null)
    const key = priceKey(list, row.currency_code, row.min_quantity, row.max_quantity, row.amount)
    if (has.has(key)) plan.removePrices.push(row.id)
    else has.set(key, row)
  }
  const before: string[] = []
  const after: string[] = []
  for (const price of wanted.prices) {
    const key = priceKey(price.list, price.currency, price.from, price.to, price.amount)
    if (has.delete(key)) continue
    after.push(key)
    if (found.price_set) plan.addPrices.push({ ...price, priceSet: found.price_set.id })
  }
  for (const [key, { id }] of has) {
    before.push(key)
    plan.removePrices.push(id)
  }
  if (before.length > 0 || after.length > 0) tell(plan, `${at}.prices`, before, after)
}

function planStock(plan: Plan, at: string, wanted: WantedVariant, found: FoundVariant): void {
  for (const { inventory_item_id: item, inventory } of found.inventory_items)
    for (const [location, stock] of wanted.stock) {
      const level = inventory?.location_levels?.find(({ location_id: of }) => of === location)
      if (level?.stocked_quantity === stock) continue
      const next = { inventory_item_id: item, location_id: location, stocked_quantity: stock }
      ;(level === undefined ? plan.makeLevels : plan.setLevels).push(next)
      tell(plan, `${at}.stock.${location}`, level?.stocked_quantity ?? null, stock)
    }
}

/** Plans which variants show which pictures. A single variant shows all pictures of its product. */
function planPictures(
  plan: Plan,
  wanted: Wanted,
  { images }: FoundProduct,
  sources: ReadonlyMap<number, FoundVariant>,
  { shopOwns }: Known,
): void {
  if (shopOwns.has('pictures') || wanted.variants.length === 1) return
  for (const { source, pictures } of wanted.variants) {
    const variant = sources.get(source)?.id
    if (variant === undefined) continue
    const isShown = (image: FoundProduct['images'][number]) => (image.variants ?? []).some(({ id }) => id === variant)
    const add = images.filter((image) => pictures.includes(image.url) && !isShown(image)).map(({ id }) => id)
    const remove = images.filter((image) => !pictures.includes(image.url) && isShown(image)).map(({ id }) => id)
    if (add.length === 0 && remove.length === 0) continue
    plan.pictures.push({ variant, add, remove })
    tell(
      plan,
      `variants.${source}.pictures`,
      images.filter(isShown).map(({ url }) => url),
      pictures,
    )
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
