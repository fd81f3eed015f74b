import { FakeShelfwire, type GivenSupplier, type TokenKind } from '../../client/src/testing/fake-shelfwire.ts'
import { Shelfwire, type ListedCategory, type Product, type Schemas } from '../../client/src/shelfwire.ts'

/** A fake with the data of a service, whose products are added in the order of its feed. */
export async function fakeOfService(
  url: string,
  token: string,
  tokens: Readonly<Record<string, TokenKind>> = { [token]: 'connector' },
  suppliers: readonly GivenSupplier[] = [],
  account: Partial<Schemas['AccountResource']> = {},
): Promise<FakeShelfwire> {
  const shelf = new Shelfwire({ url, token })
  const stores = await shelf.stores()
  const categories: Record<string, ListedCategory[]> = {}
  for (const { slug } of stores) categories[slug] = await shelf.categories({ store: slug })
  const fake = new FakeShelfwire({
    stores,
    customerGroups: await shelf.customerGroups(),
    categories,
    suppliers,
    account,
    tokens,
  })
  for (const { slug } of stores) await copyChanges(shelf, fake, slug, undefined)
  return fake
}

/**
 * Writes the changes that a service announced after a cursor to a fake.
 * @returns the cursor after them
 */
export async function copyChanges(
  shelf: Shelfwire,
  fake: FakeShelfwire,
  store: string,
  from: { since: string; since_id: number } | undefined,
): Promise<{ since: string; since_id: number }> {
  for (let cursor = from; ;) {
    const window = await shelf.changes({ store, ...(cursor === undefined ? {} : { cursor }), expand: true, limit: 200 })
    const products = new Map((window.products ?? []).map((product) => [product.id, product]))
    for (const { product_id: id } of window.changes) {
      const product = products.get(id)
      if (product === undefined) fake.remove(store, id)
      else fake.put(store, given(product))
    }
    cursor = { since: window.next_since, since_id: window.next_id }
    if (!window.has_more) return cursor
  }
}

function given({ store: _store, texts: _texts, ...product }: Product): Omit<Product, 'store' | 'texts'> {
  return product
}
