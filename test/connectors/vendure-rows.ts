import type { Price, Product, Shelfwire } from '../../client/src/shelfwire.ts'
import { must } from '../../src/platform/must.ts'
import type { VendureShop } from './vendure-shop.ts'

// The variants of a shop and those that its two stores want, read by code that shares nothing with the plugin: `main` in the
// default channel, in English and with prices that include tax, and `pl` in a channel of its own, in Polish and without tax.

export interface Row {
  product: string
  isShown: boolean
  /** By language: name, slug and description. */
  texts: Record<string, string[]>
  categories: string[]
  pictures: string[]
  variant: number
  isSold: boolean
  sku: string
  names: Record<string, string>
  /** Key and value of each option, in both languages. */
  options: string[][]
  ownPictures: string[]
  tax: string
  ean: string | null
  weight: number | null
  hsCode: string | null
  origin: string | null
  /** Prices in the smallest unit, by channel. */
  prices: Record<string, number>
  /** Channel, quantity, price and list price; also for a customer group. */
  details: unknown[][]
  groupDetails: unknown[][]
  stock: Record<string, number>
  channels: string[]
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
const DETAIL = 'channel quantity price compareAtPrice isSale'
const VARIANT = `enabled sku translations { languageCode name } assets { name } taxCategory { name } channels { code }
  options { code group { code } translations { languageCode name } }
  prices { price currencyCode } stockLevels { stockOnHand stockLocation { name } }
  customFields { shelfwireId shelfwireEan shelfwireWeight shelfwireHsCode shelfwireOrigin
    shelfwirePrices { ${DETAIL} } shelfwireGroupPrices { customerGroup ${DETAIL} } }`
const PAGE = 100
const PRODUCTS = `query($skip: Int!) { products(options: { take: ${PAGE}, skip: $skip }) { items { enabled customFields { shelfwireKey } assets { name }
  translations { languageCode name slug description } facetValues { name } variants { ${VARIANT} } } } }`

interface Text {
  languageCode: string
  name: string
}

const names = (of: readonly Text[]) => Object.fromEntries(of.map(({ languageCode, name }) => [languageCode, name]))
const stems = (of: readonly { name: string }[]) => of.map(({ name }) => name.replace(/\.png$/, ''))
const detail = ({ channel, quantity, price, compareAtPrice, isSale }: Record<string, unknown>) => [
  channel,
  quantity,
  price,
  compareAtPrice,
  isSale,
]

const POLISH = `query($skip: Int!) { productVariants(options: { take: ${PAGE}, skip: $skip }) { items {
  prices { price currencyCode } customFields { shelfwireId } product { enabled } enabled } } }`

/** Every item of a list of the admin API. */
// oxlint-disable-next-line typescript/no-explicit-any
async function* items(shop: VendureShop, query: string, list: string, channel = ''): AsyncGenerator<any> {
  for (let skip = 0; ; skip += PAGE) {
    const answer = await shop.admin<Record<string, { items: unknown[] }>>(query, { skip }, channel)
    const page = answer[list]?.items ?? []
    yield* page
    if (page.length < PAGE) return
  }
}

/** The variants of the shop, without those that are hidden and in no store. */
export async function shown(shop: VendureShop, polishToken: string): Promise<Map<string, Row>> {
  const polish = new Map<number, number>()
  for await (const { prices, customFields, enabled } of items(shop, POLISH, 'productVariants', polishToken))
    if (enabled) polish.set(customFields.shelfwireId, prices[0].price)
  const found = new Map<string, Row>()
  for await (const product of items(shop, PRODUCTS, 'products'))
    for (const each of product.variants) {
      const id = each.customFields.shelfwireId
      if (found.has(`${product.customFields.shelfwireKey} ${id}`)) throw new Error(`the shop has ${id} twice`)
      const channels = each.channels.map(({ code }: { code: string }) => code).toSorted()
      found.set(`${product.customFields.shelfwireKey} ${id}`, {
        product: product.customFields.shelfwireKey,
        isShown: product.enabled,
        texts: Object.fromEntries(
          product.translations.map((text: Text & { slug: string; description: string }) => [
            text.languageCode,
            [text.name, text.slug, text.description],
          ]),
        ),
        categories: product.facetValues.map(({ name }: Text) => name).toSorted(),
        pictures: stems(product.assets),
        variant: id,
        isSold: each.enabled,
        sku: each.sku,
        names: names(each.translations),
        options: each.options
          .map((option: { code: string; group: { code: string }; translations: Text[] }) => [
            option.group.code,
            names(option.translations)['en'],
            names(option.translations)['pl'],
          ])
          .toSorted(byText),
        ownPictures: stems(each.assets),
        tax: each.taxCategory.name,
        ean: each.customFields.shelfwireEan,
        weight: each.customFields.shelfwireWeight,
        hsCode: each.customFields.shelfwireHsCode,
        origin: each.customFields.shelfwireOrigin,
        prices: {
          main: each.prices[0]?.price,
          ...(channels.includes('poland') && each.enabled ? { pl: polish.get(id)! } : {}),
        },
        details: (each.customFields.shelfwirePrices ?? []).map(detail),
        groupDetails: (each.customFields.shelfwireGroupPrices ?? []).map((of: Record<string, unknown>) => [
          of['customerGroup'],
          ...detail(of),
        ]),
        stock: Object.fromEntries(
          each.stockLevels.map((level: { stockOnHand: number; stockLocation: { name: string } }) => [
            level.stockLocation.name,
            level.stockOnHand,
          ]),
        ),
        channels: channels.filter((code: string) => code === 'poland'),
      })
    }
  return found
}

/** The variants of the shop, without those that are hidden and belong to no store. */
export async function visible(
  shop: VendureShop,
  { polishToken, wanted }: { polishToken: string; wanted: ReadonlyMap<string, Row> },
): Promise<Map<string, Row>> {
  const rows = await shown(shop, polishToken)
  return new Map([...rows].filter(([key, { isShown, isSold }]) => wanted.has(key) || (isShown && isSold)))
}

/** A price in the smallest unit of a channel. */
const inChannel = (
  { tax_included: isIncluded, tax_rate: rate = 0 }: Price,
  hasTax: boolean,
  amount: number,
): number => {
  const factor = 1 + rate / 100
  const shownAs =
    isIncluded === undefined || isIncluded === hasTax ? amount : hasTax ? amount * factor : amount / factor
  return Math.round(Number((Number(shownAs.toFixed(4)) * 100).toFixed(4)))
}

function details(price: Price, channel: string, hasTax: boolean): unknown[][] {
  const listPrice = price.compare_at_price === undefined ? null : inChannel(price, hasTax, price.compare_at_price)
  return [{ quantity: 1, price: price.computed_price }, ...(price.tiers ?? [])].map((tier) => [
    channel,
    tier.quantity,
    inChannel(price, hasTax, tier.price),
    listPrice,
    price.is_sale === true,
  ])
}

async function byId(shelf: Shelfwire, store: string): Promise<Map<number, Product>> {
  const found = new Map<number, Product>()
  for await (const product of shelf.products.walk({ store })) found.set(product.id, product)
  return found
}

const stem = (url: string) => url.replace(/^.*\//, '').replace(/\.png$/, '')

/** The variants that the stores want. Every product of `pl` is also one of `main`. */
export async function expected(shelf: Shelfwire): Promise<Map<string, Row>> {
  const main = await byId(shelf, 'main')
  const polish = await byId(shelf, 'pl')
  const categoryNames = new Map((await shelf.categories({ store: 'main' })).map(({ id, name }) => [id, name]))
  const isSold = (of: Product | undefined) => of !== undefined && !of.excluded
  const publicOf = (of: Product | undefined) => of?.prices.find(({ is_default: isDefault }) => isDefault)
  const found = new Map<string, Row>()
  for (const product of main.values()) {
    const { group } = product
    const variants =
      group === undefined
        ? [product]
        : [...main.values()]
            .filter((each) => each.group?.id === group.id)
            .toSorted((a, b) => a.group!.position - b.group!.position)
    const key = group === undefined ? `product:${product.id}` : `group:${group.id}`
    const leading = must(variants[0])
    const pl = polish.get(product.id)
    const text = (of: Product) =>
      group === undefined
        ? [of.title, of.slug, of.description ?? '']
        : [of.group?.title, `${of.group?.title?.toLowerCase()}-group-${group.id}`, of.description ?? '']
    const [price, polishPrice] = [must(publicOf(product)), publicOf(pl)]
    const isPlain = (of: Price) => of.tiers === undefined && of.compare_at_price === undefined
    const sells = isSold(product) || isSold(pl)
    const groupsOf = (of: Product | undefined, channel: string, hasTax: boolean) =>
      (of?.prices ?? [])
        .filter(({ is_default: isDefault }) => isDefault !== true)
        .flatMap((each) => details(each, channel, hasTax).map((row) => [each.customer_group, ...row]))
    const ordered = isSold(product) || !isSold(pl)
    const both = <T>(of: T[], other: T[]) => (ordered ? [...of, ...other] : [...other, ...of])
    found.set(`${key} ${product.id}`, {
      product: key,
      isShown: variants.some((each) => isSold(each) || isSold(polish.get(each.id))),
      texts: { en: text(leading) as string[], pl: text(must(polish.get(leading.id))) as string[] },
      categories: [
        ...new Set(variants.flatMap((each) => (each.categories ?? []).map(({ id }) => categoryNames.get(id)!))),
      ].toSorted(),
      pictures: [...new Set(variants.flatMap(({ images }) => images.map(stem)))],
      variant: product.id,
      isSold: sells,
      sku: must(product.sku),
      names: { en: must(product.title), pl: must(pl?.title) },
      options: (group?.options ?? [])
        .map((option) => [option.key, option.value, pl?.group?.options.find((each) => each.key === option.key)?.value])
        .toSorted(byText) as string[][],
      ownPictures: variants.length === 1 ? [] : product.images.map(stem),
      tax: price.tax_class ?? 'standard',
      ean: product.ean,
      weight: product.weight === undefined ? null : Number(product.weight) * 1_000,
      hsCode: product.hs_code ?? null,
      origin: product.country_of_origin ?? null,
      prices: {
        main: inChannel(price, true, price.computed_price),
        ...(isSold(pl) ? { pl: inChannel(must(polishPrice), false, must(polishPrice).computed_price) } : {}),
      },
      details: both(
        isPlain(price) ? [] : details(price, '__default_channel__', true),
        polishPrice === undefined || isPlain(polishPrice) ? [] : details(polishPrice, 'poland', false),
      ),
      groupDetails: both(groupsOf(product, '__default_channel__', true), groupsOf(pl, 'poland', false)),
      stock: {
        'Default Stock Location': isSold(product) ? product.stock : 0,
        Magazyn: isSold(pl) ? must(pl).stock : 0,
      },
      channels: isSold(pl) ? ['poland'] : [],
    })
  }
  return found
}
