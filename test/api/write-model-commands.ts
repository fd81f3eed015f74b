import { expect } from 'vitest'
import type { AccountModel, ModelExclusion, ModelOffer, ModelRule } from './account-model.ts'
import { type AccountWriter, eanOf } from './account-writer.ts'

// The writes of test/api/write-model.full.pg.test.ts: each makes the same change over HTTP and in the model.

export const RULE: ModelRule = {
  priority: 100,
  isActive: true,
  isDefault: false,
  storeIds: null,
  groupIds: null,
  productIds: null,
  supplierIds: null,
  manufacturers: null,
  costMin: null,
  costBelow: null,
  action: 'markup',
  percent: null,
  fixedPrice: null,
  addition: null,
  floorPrice: null,
  endsIn99: false,
}
const MAKERS = ['Acme', 'Bolt', 'Core']
const LOCALES = ['en', 'de', 'pl', 'pl-PL']
const SKUS = 5
const EXCLUSIONS: ModelExclusion['kind'][] = ['manufacturer', 'no_stock', 'no_title', 'no_image', 'no_ean']

/** The random choices of a command: numbers that select from the existing resources, so that every sequence of commands is valid. */
interface Pick {
  of<T>(from: readonly T[]): T
  /** A number from 0 to below `most`. */
  number(most: number): number
  maybe<T>(value: () => T): T | null
}

export function picking(numbers: readonly number[]): Pick {
  let i = 0
  const next = () => numbers[i++ % numbers.length]! + i
  const pick: Pick = {
    of: (from) => from[next() % from.length]!,
    number: (most) => next() % most,
    maybe: (value) => (next() % 3 === 0 ? null : value()),
  }
  return pick
}

type Command = (writer: AccountWriter, model: AccountModel, pick: Pick) => Promise<void>
const fresh = { sku: null, titles: {}, manufacturer: null, images: null, listings: {}, exclusions: {}, stock: null }
const copy = <T>(value: T): T => structuredClone(value)
const withoutId = (ids: number[] | null, id: number) => ids?.filter((one) => one !== id) ?? null

/** Adds an offer to the model's product: its earlier one, the one with its EAN, or a new one. Fails if the service chose another. */
function place(model: AccountModel, offer: Omit<ModelOffer, 'productId'>, productId: number): void {
  const key = `${offer.supplier} ${offer.sku}`
  const old = model.offers.get(key)
  const home = old?.productId ?? model.homes.get(key)
  if (home !== undefined) expect(productId, `${key} goes back to its product`).toBe(home)
  else {
    const carriers = [
      ...new Set(
        [...model.offers.values()]
          .filter((other) => other.ean !== null && other.ean === offer.ean)
          .map((other) => other.productId),
      ),
    ]
    const free = carriers.filter((id) => !model.offersOf(id).some((other) => other.supplier === offer.supplier))
    if (free.length > 0) expect(free, `${key} joins a product with its EAN`).toContain(productId)
    else {
      expect(
        [...model.products.keys()],
        `${key} with ${offer.ean} makes a product; there are ${JSON.stringify([...model.offers.values()].map((other) => [other.sku, other.ean, other.productId]))}`,
      ).not.toContain(productId)
      model.products.set(productId, { ...copy(fresh), sku: offer.sku })
    }
  }
  model.offers.set(key, { ...offer, productId })
}

function newOffer(
  pick: Pick,
  model: AccountModel,
): { offer: Omit<ModelOffer, 'productId'>; body: Record<string, unknown> } | null {
  if (model.suppliers.size === 0) return null
  const supplier = pick.of([...model.suppliers.keys()])
  const n = pick.number(SKUS)
  const titles = Object.fromEntries(
    LOCALES.filter(() => pick.number(2) === 0).map((locale) => [
      locale,
      `${supplier} ${n} ${locale} ${pick.number(3)}`,
    ]),
  )
  const currency = pick.number(3) === 0 ? pick.of(['EUR', 'PLN', 'USD']) : model.suppliers.get(supplier)!.currency
  const offer = {
    supplier,
    sku: `${supplier}/${n}`,
    cost: pick.maybe(() => `${pick.number(40) + 1}.${pick.number(90) + 10}`),
    currency,
    quantity: pick.number(6),
    ean: pick.maybe(() => eanOf(n)),
    titles,
    manufacturer: pick.maybe(() => pick.of(MAKERS)),
    images: pick.number(2) === 0 ? [] : [`https://img.example/${supplier}/${n}.jpg`],
  }
  const body = {
    cost: offer.cost,
    currency,
    quantity: offer.quantity,
    eans: offer.ean === null ? [] : [offer.ean],
    texts: Object.fromEntries(Object.entries(titles).map(([locale, title]) => [locale, { title }])),
    manufacturer: offer.manufacturer,
    images: offer.images,
  }
  return { offer, body }
}

const offerPath = ({ supplier, sku }: { supplier: string; sku: string }) =>
  `/suppliers/${supplier}/offers/${encodeURIComponent(sku)}`

export const COMMANDS_BY_NAME: Record<string, Command> = {
  async putOffer(writer, model, pick) {
    const made = newOffer(pick, model)
    if (made === null) return
    // members that a PUT leaves out get their defaults
    const body = Object.fromEntries(
      Object.entries(made.body).filter(
        ([, value]) => JSON.stringify(value) !== '[]' && JSON.stringify(value) !== '{}' && value !== null,
      ),
    )
    place(model, made.offer, (await writer.say('PUT', offerPath(made.offer), body)).product_id as number)
  },
  async bulkOffers(writer, model, pick) {
    const made = new Map(
      Array.from({ length: 3 }, () => newOffer(pick, model)).flatMap((one) =>
        one === null ? [] : [[one.offer.sku, one]],
      ),
    )
    const rows = [...made.values()]
    // a bulk matches all its rows before it writes any: EANs that it changes on known offers do not place its new ones, so it
    // changes none here
    for (const { offer, body } of rows) {
      const old = model.offers.get(`${offer.supplier} ${offer.sku}`)
      if (old === undefined) continue
      offer.ean = old.ean
      delete body['eans']
    }
    const results = (await writer.say('POST', '/bulk/offers', {
      rows: rows.map(({ offer, body }) => ({ supplier: offer.supplier, sku: offer.sku, ...body })),
    })) as { status: string; product_id: number }[]
    expect(results.filter(({ status }) => status === 'failed')).toEqual([])
    const known = new Set(model.products.keys())
    for (const [i, { offer }] of rows.entries()) {
      // locales that a row does not name are unchanged
      place(
        model,
        { ...offer, titles: { ...model.offers.get(`${offer.supplier} ${offer.sku}`)?.titles, ...offer.titles } },
        results[i]!.product_id,
      )
    }
    // if two rows create one product, either may determine its SKU
    for (const [id, product] of model.products) {
      if (known.has(id)) continue
      product.sku = (await writer.send('GET', `/products/${id}`)).body.data.sku as string
      expect(rows.map(({ offer }) => offer.sku)).toContain(product.sku)
    }
  },
  async patchOffer(writer, model, pick) {
    if (model.offers.size === 0) return
    const offer = pick.of([...model.offers.values()])
    const cost = pick.maybe(() => `${pick.number(30) + 1}.5`)
    const quantity = pick.number(9)
    await writer.say('PATCH', offerPath(offer), { cost, currency: offer.currency, quantity })
    Object.assign(offer, { cost, quantity })
  },
  async deleteOffer(writer, model, pick) {
    if (model.offers.size === 0) return
    const [key, offer] = pick.of([...model.offers])
    await writer.say('DELETE', offerPath(offer))
    model.offers.delete(key)
    model.homes.set(key, offer.productId)
  },
  async bulkPrices(writer, model, pick) {
    const offers = [...model.offers.values()].filter(() => pick.number(2) === 0)
    const rows = offers.map((offer) => ({
      supplier: offer.supplier,
      sku: offer.sku,
      quantity: pick.number(5),
      cost: `${pick.number(20) + 1}`,
      currency: offer.currency,
    }))
    const results = (await writer.say('POST', '/bulk/prices', { rows })) as { status: string }[]
    expect(results.filter(({ status }) => status === 'failed')).toEqual([])
    for (const [i, offer] of offers.entries()) {
      const { quantity, cost } = rows[i]!
      Object.assign(offer, { quantity, cost })
    }
  },
  async createProduct(writer, model, pick) {
    const sku = `OWN-${pick.number(1_000)}-${model.products.size}`
    const id = (await writer.say('POST', '/products', { sku, title: { en: sku } })).id as number
    model.products.set(id, { ...copy(fresh), sku, titles: { en: sku } })
  },
  async patchProduct(writer, model, pick) {
    if (model.products.size === 0) return
    const [id, product] = pick.of([...model.products])
    const locale = pick.of(LOCALES)
    const title = pick.maybe(() => `mine ${locale} ${pick.number(4)}`)
    const manufacturer = pick.maybe(() => pick.of(MAKERS))
    const images = pick.maybe(() => (pick.number(2) === 0 ? [] : ['https://img.example/mine.jpg']))
    const which = pick.number(3)
    await writer.say(
      'PATCH',
      `/products/${id}`,
      which === 0 ? { title: { [locale]: title } } : which === 1 ? { manufacturer } : { images },
    )
    if (which === 0 && title === null) delete product.titles[locale]
    else if (which === 0) product.titles[locale] = title!
    else if (which === 1) product.manufacturer = manufacturer
    else product.images = images
  },
  async listOrExclude(writer, model, pick) {
    if (model.products.size === 0) return
    const [id, product] = pick.of([...model.products])
    const slug = pick.of([...model.stores.keys()])
    const listed = pick.maybe(() => pick.number(2) === 0)
    const place = pick.of([slug, '*'])
    const reason = pick.maybe(() => `reason ${pick.number(3)}`)
    const isListing = pick.number(2) === 0
    await writer.say(
      'PATCH',
      `/products/${id}`,
      isListing ? { listings: { [slug]: listed } } : { exclusions: { [place]: reason } },
    )
    const [map, key, value] = isListing
      ? [product.listings as Record<string, unknown>, slug, listed]
      : [product.exclusions as Record<string, unknown>, place, reason]
    if (value === null) delete map[key]
    else map[key] = value
  },
  async stock(writer, model, pick) {
    if (model.products.size === 0) return
    const [id, product] = pick.of([...model.products])
    const stock = pick.maybe(() => ({
      quantity: pick.number(6) - 1,
      cost: pick.maybe(() => `${pick.number(15) + 1}.25`),
    }))
    if (pick.number(2) === 0)
      await writer.say('POST', '/bulk/stock', {
        rows: [stock === null ? { product_id: id, quantity: null } : { product_id: id, ...stock }],
      })
    else if (stock !== null) await writer.say('PUT', `/products/${id}/stock`, stock)
    else if (product.stock === null) await writer.refused('DELETE', `/products/${id}/stock`, undefined, 404)
    else await writer.say('DELETE', `/products/${id}/stock`)
    product.stock = stock
  },
  async bulkOverrides(writer, model, pick) {
    const products = [...model.products].filter(() => pick.number(2) === 0)
    const locale = pick.of(LOCALES)
    const rows = products.map(([id]) => ({
      product_id: id,
      field: 'title',
      locale,
      value: pick.maybe(() => `bulk ${pick.number(5)}`),
    }))
    await writer.say('POST', '/bulk/overrides', { rows })
    for (const [i, [, product]] of products.entries()) {
      const { value } = rows[i]!
      if (value === null) delete product.titles[locale]
      else product.titles[locale] = value
    }
  },
  async deleteProduct(writer, model, pick) {
    if (model.products.size === 0) return
    const id = pick.of([...model.products.keys()])
    await writer.say('DELETE', `/products/${id}`)
    model.products.delete(id)
    for (const [key, offer] of model.offers) if (offer.productId === id) model.offers.delete(key)
    for (const [key, home] of model.homes) if (home === id) model.homes.delete(key)
  },
  async rate(writer, model, pick) {
    const currency = pick.of(['PLN', 'USD'])
    const rate = pick.maybe(() => pick.of(['4', '5', '1.25', '0.5', '2', '8']))
    if (rate !== null) await writer.say('PUT', `/rates/${currency}`, { rate })
    else if (model.rates.has(currency)) await writer.say('DELETE', `/rates/${currency}`)
    if (rate === null) model.rates.delete(currency)
    else model.rates.set(currency, rate)
  },
  async group(writer, model, pick) {
    if (model.groups.size < 3) {
      const name = `Group ${pick.number(1_000)} ${model.groups.size}`
      model.groups.set((await writer.say('POST', '/groups', { name })).id as number, name)
    } else {
      const id = [...model.groups.keys()].at(-1)!
      await writer.say('DELETE', `/groups/${id}`)
      model.groups.delete(id)
      for (const [ruleId, rule] of model.rules) {
        rule.groupIds = withoutId(rule.groupIds, id)
        if (rule.groupIds?.length === 0) model.rules.delete(ruleId)
      }
    }
  },
  async supplier(writer, model, pick) {
    const code = pick.of(['north', 'south', 'east'])
    const old = model.suppliers.get(code)
    const changes = { priority: pick.number(4), safety_buffer: pick.number(3), is_active: pick.number(4) !== 0 }
    const { id } = await (old === undefined
      ? writer.say('PUT', `/suppliers/${code}`, { name: code, currency: pick.of(['EUR', 'PLN']), ...changes })
      : writer.say('PATCH', `/suppliers/${code}`, changes))
    const { currency } = (await writer.send('GET', `/suppliers/${code}`)).body.data
    model.suppliers.set(code, {
      id,
      currency,
      priority: changes.priority,
      buffer: changes.safety_buffer,
      isActive: changes.is_active,
    })
  },
  async deleteSupplier(writer, model, pick) {
    const found = [...model.suppliers]
    if (found.length < 2) return
    const [code, { id }] = pick.of(found)
    await writer.say('DELETE', `/suppliers/${code}`)
    model.suppliers.delete(code)
    for (const [key, offer] of model.offers) if (offer.supplier === code) model.offers.delete(key)
    for (const key of model.homes.keys()) if (key.startsWith(`${code} `)) model.homes.delete(key)
    for (const rules of [model.rules, model.assortments]) {
      for (const [ruleId, rule] of rules) {
        rule.supplierIds = withoutId(rule.supplierIds, id)
        if (rule.supplierIds?.length === 0) rules.delete(ruleId)
      }
    }
  },
  async pricingRule(writer, model, pick) {
    const own = [...model.rules].filter(([, rule]) => !rule.isDefault)
    if (own.length > 2) {
      const [id, rule] = pick.of(own)
      if (pick.number(2) === 0) {
        await writer
          .say('PATCH', `/pricing-rules/${id}`, { is_active: !rule.isActive, priority: pick.number(5) })
          .then((data: { priority: number }) => (rule.priority = data.priority))
        rule.isActive = !rule.isActive
      } else {
        await writer.say('DELETE', `/pricing-rules/${id}`)
        model.rules.delete(id)
      }
      return
    }
    const action = pick.of(['markup', 'margin', 'fixed'] as const)
    const rule: ModelRule = {
      ...RULE,
      action,
      priority: pick.number(5),
      percent: action === 'fixed' ? null : pick.of(['20', '50', '75']),
      fixedPrice: action === 'fixed' ? '49.5' : null,
      storeIds: pick.maybe(() => [pick.of([...model.stores.values()]).id]),
      groupIds: pick.number(2) === 0 ? [pick.of([...model.groups.keys()])] : null,
      productIds: pick.number(4) === 0 && model.products.size > 0 ? [pick.of([...model.products.keys()])] : null,
      supplierIds: pick.number(3) === 0 ? [pick.of([...model.suppliers.values()]).id] : null,
      manufacturers: pick.number(3) === 0 ? [pick.of(MAKERS).toUpperCase()] : null,
      costMin: pick.number(3) === 0 ? '10' : null,
      costBelow: pick.number(3) === 0 ? '20' : null,
      addition: pick.number(3) === 0 ? '1.5' : null,
      floorPrice: pick.number(3) === 0 ? '12' : null,
      endsIn99: pick.number(3) === 0,
    }
    const made = await writer.say('POST', '/pricing-rules', {
      name: 'Rule',
      priority: rule.priority,
      action,
      percent: rule.percent,
      fixed_price: rule.fixedPrice,
      store_ids: rule.storeIds,
      group_ids: rule.groupIds,
      product_ids: rule.productIds,
      supplier_ids: rule.supplierIds,
      manufacturers: rule.manufacturers,
      cost_min: rule.costMin,
      cost_below: rule.costBelow,
      addition: rule.addition,
      floor_price: rule.floorPrice,
      ...(rule.endsIn99 ? { rounding: { EUR: { step: '1', ending: '0.99', direction: 'up' } } } : {}),
    })
    model.rules.set(made.id as number, rule)
  },
  async exclusionRule(writer, model, pick) {
    if (model.exclusions.size > 1) {
      const id = pick.of([...model.exclusions.keys()])
      await writer.say('DELETE', `/exclusion-rules/${id}`)
      model.exclusions.delete(id)
      return
    }
    const kind = pick.of(EXCLUSIONS)
    const rule: ModelExclusion = {
      kind,
      priority: pick.number(3),
      names: kind === 'manufacturer' ? [pick.of(MAKERS)] : [],
      storeIds: pick.maybe(() => [pick.of([...model.stores.values()]).id]),
      reason: kind,
    }
    const made = await writer.say('POST', '/exclusion-rules', {
      name: 'Out',
      kind,
      priority: rule.priority,
      store_ids: rule.storeIds,
      ...(kind === 'manufacturer' ? { names: rule.names } : {}),
    })
    model.exclusions.set(made.id as number, rule)
  },
  async assortmentRule(writer, model, pick) {
    if (model.assortments.size > 1) {
      const id = pick.of([...model.assortments.keys()])
      await writer.say('DELETE', `/assortment-rules/${id}`)
      model.assortments.delete(id)
      return
    }
    const rule = {
      storeId: pick.of([...model.stores.values()]).id,
      priority: pick.number(3),
      isListed: pick.number(2) === 0,
      manufacturers: pick.number(2) === 0 ? [pick.of(MAKERS)] : null,
      supplierIds: pick.number(2) === 0 ? [pick.of([...model.suppliers.values()]).id] : null,
    }
    const made = await writer.say('POST', '/assortment-rules', {
      name: 'List',
      store_id: rule.storeId,
      priority: rule.priority,
      is_listed: rule.isListed,
      manufacturers: rule.manufacturers,
      supplier_ids: rule.supplierIds,
    })
    model.assortments.set(made.id as number, rule)
  },
  async store(writer, model, pick) {
    const slug = pick.of(['de', 'pl'])
    const store = model.stores.get(slug)
    if (store === undefined) return
    const changes = pick.number(2) === 0 ? { is_active: !store.isActive } : { lists_by_default: !store.listsByDefault }
    await writer.say('PATCH', `/stores/${slug}`, changes)
    if (changes.is_active === undefined) store.listsByDefault = !store.listsByDefault
    else store.isActive = !store.isActive
  },
}
