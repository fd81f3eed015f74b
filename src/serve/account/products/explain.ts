import { forEachField, NAME_FIELDS, TEXT_FIELDS } from '../../../../contract/product-fields.ts'
import { EXPLAIN_PRODUCT, GET_PRODUCT_FIELDS } from '../../../../contract/routes/products.ts'
import { ShelfwireError } from '../../../platform/errors.ts'
import type { Explanation } from '../../../resolve/explanation.ts'
import type { Source } from '../../../resolve/sourcing/sources.ts'
import { explainProduct } from '../../../shelf/reads/explain.ts'
import type { Handlers, ServeContext } from '../../context.ts'
import { handle, type Call } from '../../handle.ts'
import { answerData } from '../answer-read.ts'
import { toMembersDeep } from '../member-names.ts'

/** GET /v1/products/{id}/explain: how the payload of a product in a store was derived. */
export const explainHandlers: Handlers = (app, context) => {
  handle(app, EXPLAIN_PRODUCT, async (call) => answerData(call, toMembersDeep(await explained(context, call))))
}

/** GET /v1/account/products/{id}/fields: each field as the store shows it, with its source. */
export const fieldsHandlers: Handlers = (app, context) => {
  handle(app, GET_PRODUCT_FIELDS, async (call) => answerData(call, fieldsOf(await explained(context, call))))
}

/** @throws ShelfwireError unknown-product, for a deleted product, too, as on the other paths of a product */
async function explained(
  { db, stores }: ServeContext,
  { query, params, caller: { accountId } }: Call<typeof EXPLAIN_PRODUCT | typeof GET_PRODUCT_FIELDS>,
): Promise<Explanation> {
  const store = await stores.find(accountId, query.store)
  const explanation = params.id === 0 ? null : await explainProduct(db, accountId, store.slug, params.id)
  if (explanation === null || explanation.listing.by === 'deleted')
    throw new ShelfwireError('unknown-product', 'the account has no such product')
  return explanation
}

/** The fields of an explanation: each value as it is shown, with its source. */
export function fieldsOf(explanation: Explanation) {
  const { store, sku, ean, images, attributes } = explanation
  const shown = ({ value, source }: { value: unknown; source: Source | null }) => ({
    value,
    source: source === null ? { from: 'default' } : sourceMembers(source),
  })
  return {
    store,
    sku: { value: sku.value, source: { from: sku.pattern === null ? 'product' : 'pattern' } },
    ean: shown(ean),
    ...forEachField([...TEXT_FIELDS, ...NAME_FIELDS], (field) => shown(explanation[field])),
    images: {
      ...shown(images),
      states: images.states.map((picture) => ({ ...picture, alt: picture.alt === null ? null : shown(picture.alt) })),
    },
    attributes: attributes.map(({ key, label, value, source }) => ({
      key,
      label,
      value,
      source: sourceMembers(source),
    })),
  }
}

/** null in place of the empty locale of a field that is the same in every language. */
export function sourceMembers(source: Source) {
  return toMembersDeep(source.from === 'override' && source.locale === '' ? { ...source, locale: null } : source)
}
