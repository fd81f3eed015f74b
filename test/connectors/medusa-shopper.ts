import type { MedusaShop } from './medusa-shop.ts'

// Prices that shoppers of a real Medusa shop see: from its store API, without an account and as a customer of a group.

/** A price as the shop computes it for a shopper. */
export interface SeenPrice {
  amount: number
  /** The price that is struck through if it is higher. */
  original: number
  hasTax: boolean
  /** The type of its price list; null for the variant's own price. */
  list: string | null
}

interface Seen {
  id: string
  calculated_price: {
    calculated_amount: number
    original_amount: number
    is_calculated_price_tax_inclusive: boolean
    calculated_price: { price_list_type: string | null }
  } | null
}

export interface Shoppers {
  /** The prices by Shelfwire's product id. @param group the group of the customer; null for a shopper without an account. */
  look(group: string | null): Promise<Map<number, SeenPrice>>
}

/** The Shelfwire product id of each Medusa variant id. */
async function sourcesOf(shop: MedusaShop): Promise<Map<string, number>> {
  const products = await shop.all('/admin/products?fields=variants.id,variants.metadata', 'products')
  return new Map(
    (products as { variants: { id: string; metadata: { shelfwire_id: number } }[] }[]).flatMap(({ variants }) =>
      variants.map(({ id, metadata }) => [id, metadata.shelfwire_id] as const),
    ),
  )
}

/** Prepares a shop for shoppers: a region with euros in Germany. */
export async function shoppersOf(shop: MedusaShop): Promise<Shoppers> {
  const { sales_channels: channels } = await shop.call<{ sales_channels: { id: string }[] }>(
    'GET',
    '/admin/sales-channels?name=Shelfwire',
  )
  const { region } = await shop.call<{ region: { id: string } }>('POST', '/admin/regions', {
    name: 'Germany',
    currency_code: 'eur',
    countries: ['de'],
  })
  const { api_key: key } = await shop.call<{ api_key: { id: string; token: string } }>('POST', '/admin/api-keys', {
    title: 'Storefront',
    type: 'publishable',
  })
  await shop.call('POST', `/admin/api-keys/${key.id}/sales-channels`, { add: channels.map(({ id }) => id) })
  const tokens = new Map<string, Promise<string>>()
  const ask = async <T>(method: string, path: string, token: string | null, body?: object): Promise<T> => {
    const answer = await fetch(shop.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-publishable-api-key': key.token,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok)
      throw new Error(`Medusa: ${method} ${path} ${answer.status} ${(await answer.text()).slice(0, 2_000)}`)
    return (await answer.json()) as T
  }
  const signUp = async (group: string): Promise<string> => {
    const { customer_groups: found } = await shop.call<{ customer_groups: { id: string }[] }>(
      'GET',
      `/admin/customer-groups?name=${encodeURIComponent(group)}`,
    )
    const who = { email: `${group.toLowerCase()}@example.com`, password: 'of-a-test-1234' }
    const registered = await ask<{ token: string }>('POST', '/auth/customer/emailpass/register', null, who)
    const { customer } = await ask<{ customer: { id: string } }>('POST', '/store/customers', registered.token, {
      email: who.email,
    })
    await shop.call('POST', `/admin/customer-groups/${found[0]?.id}/customers`, { add: [customer.id] })
    return (await ask<{ token: string }>('POST', '/auth/customer/emailpass', null, who)).token
  }
  return {
    async look(group) {
      const token = group === null ? null : await (tokens.get(group) ?? tokens.set(group, signUp(group)).get(group))
      const fields = 'id,variants.id,*variants.calculated_price'
      const sources = await sourcesOf(shop)
      const { products } = await ask<{ products: { variants: Seen[] }[] }>(
        'GET',
        `/store/products?region_id=${region.id}&limit=100&fields=${encodeURIComponent(fields)}`,
        token ?? null,
      )
      return new Map(
        products
          .flatMap(({ variants }) => variants)
          .flatMap(({ id, calculated_price: price }) =>
            price === null
              ? []
              : [
                  [
                    sources.get(id) ?? 0,
                    {
                      amount: price.calculated_amount,
                      original: price.original_amount,
                      hasTax: price.is_calculated_price_tax_inclusive,
                      list: price.calculated_price.price_list_type,
                    },
                  ] as const,
                ],
          ),
      )
    },
  }
}
