import { forEachField, NAME_FIELDS, TEXT_FIELDS } from '../../../contract/product-fields.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import type { Explanation } from '../../resolve/explanation.ts'
import type { Source } from '../../resolve/sources.ts'
import { explainProduct } from '../../shelf/explain.ts'
import { answer } from '../answer.ts'
import { callerOf, type Route } from '../context.ts'
import { Query } from '../query.ts'
import { sourceBody, sourceTag } from '../writing/preconditions.ts'
import { toMembersDeep } from './members.ts'
import { productIdOf } from './products.ts'

/** GET /v1/products/{id}/explain and /v1/account/products/{id}/fields: why a product is what it is in a store. */
export const explainRoute: Route = (app, context) => {
  app.get('/products/:id/explain', async (request, reply) => {
    const query = new Query(request.query)
    const slug = query.text('store')
    query.doneClosed()
    const { accountId } = callerOf(request)
    const store = await context.stores.find(accountId, slug)
    const body = sourceBody(toMembersDeep(await explained(context.db, accountId, store.slug, productIdOf(request))))
    return answer(request, reply, body, sourceTag(body))
  })
}

/** GET /v1/account/products/{id}/fields: each field as the store shows it, and who said so. */
export const fieldsRoute: Route = (app, context) => {
  app.get('/products/:id/fields', async (request, reply) => {
    const query = new Query(request.query)
    const slug = query.text('store')
    query.doneClosed()
    const { accountId } = callerOf(request)
    const store = await context.stores.find(accountId, slug)
    const body = sourceBody(fieldsOf(await explained(context.db, accountId, store.slug, productIdOf(request))))
    return answer(request, reply, body, sourceTag(body))
  })
}

/** Like the other addresses of a product: a deleted one is not there. */
async function explained(...question: Parameters<typeof explainProduct>) {
  const explanation = await explainProduct(...question)
  if (explanation.listing.by === 'deleted')
    throw new ShelfwireError('unknown-product', 'the account has no such product')
  return explanation
}

/** What of an explanation is about fields: each as it is shown, and who said so. */
export function fieldsOf(explanation: Explanation) {
  const { store, sku, ean, images, attributes } = explanation
  const shown = ({ value, source }: { value: unknown; source: Source | null }) => ({
    value,
    source: source === null ? { from: 'default' } : sourceMembers(source, null),
  })
  return {
    store,
    sku: { value: sku.value, source: { from: sku.pattern === null ? 'product' : 'pattern' } },
    ean: shown(ean),
    ...forEachField([...TEXT_FIELDS, ...NAME_FIELDS], (field) => shown(explanation[field])),
    images: shown(images),
    attributes: attributes.map(({ key, label, value, source }) => ({
      key,
      label,
      value,
      source: sourceMembers(source, '*'),
    })),
  }
}

/** @param everywhere what the API calls the place of an override that is the same in every language. */
function sourceMembers(source: Source, everywhere: '*' | null) {
  return toMembersDeep(source.from === 'override' && source.locale === '' ? { ...source, locale: everywhere } : source)
}
