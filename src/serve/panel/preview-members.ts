import type {
  Preview as PreviewMembers,
  PreviewExample,
  PreviewOperation,
  RuleChangeBody,
} from '../../../contract/panel/previews.ts'
import { groupsList } from '../../catalog/settings/stores/groups.sql.ts'
import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import type { OperationRow } from '../../operations/operations.sql.ts'
import type { StoredPreview } from '../../operations/preview/previews.sql.ts'
import type { PreviewRequest } from '../../operations/preview/step.ts'
import { namedProducts } from '../../overview/named-products.ts'
import { must } from '../../platform/must.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import type { Named, Previews, Progress } from '../../previews/previews.ts'
import { EFFECTS, storedTally, type Effect, type Example, type Tally } from '../../previews/tally.ts'
import { inputsVersion } from '../../shelf/inputs/inputs.sql.ts'
import type { ServeContext } from '../context.ts'

/** Previews as the panel shows them, with the names of products, stores and groups. */
export function previewMembers({ db, stores: directory }: Pick<ServeContext, 'db' | 'stores'>, previews: Previews) {
  const represent = async (
    accountId: number,
    tally: Tally,
    part: Pick<PreviewMembers, 'is_everything' | 'spread'>,
  ): Promise<PreviewMembers> => {
    const examples = [...tally.largestUp, ...tally.largestDown, ...Object.values(tally.examples).flat()]
    const [names, stores, groups] = await Promise.all([
      examples.length === 0 ? new Map<string, Named>() : previews.names(accountId, examples),
      storesList(db, accountId),
      groupsList(db, accountId),
    ])
    const untitled = examples.filter(({ storeId, productId }) => names.get(`${storeId}.${productId}`)?.title === null)
    const others =
      untitled.length === 0
        ? []
        : await namedProducts(
            db,
            accountId,
            await directory.active(accountId),
            untitled.map(({ productId }) => productId),
          )
    const slugOf = new Map(stores.map(({ storeId, slug }) => [storeId, slug]))
    const groupOf = new Map(groups.map(({ groupId, name }) => [groupId, { id: groupId, name }]))
    // a stored preview may name a store that has been deleted since
    const isOfStore = ({ storeId }: Example) => slugOf.has(storeId)
    const shown = (entry: Example): PreviewExample => {
      const name = names.get(`${entry.storeId}.${entry.productId}`)
      const other = name?.title === null ? others.find((row) => row.productId === entry.productId) : undefined
      return {
        product_id: entry.productId,
        title: name?.title ?? other?.title ?? null,
        title_locale: other?.titleLocale ?? null,
        sku: name?.sku ?? null,
        store: must(slugOf.get(entry.storeId)),
        customer_group: entry.groupId === null ? null : (groupOf.get(entry.groupId) ?? null),
        currency: entry.currency,
        old_price: entry.before,
        new_price: entry.after,
        old_price_without_tax: entry.netBefore ?? null,
        new_price_without_tax: entry.netAfter ?? null,
        old_compare_at_price: entry.compareAtBefore ?? null,
        new_compare_at_price: entry.compareAtAfter ?? null,
        wanted_price: entry.wanted,
        old_reason: entry.reasonBefore,
        new_reason: entry.reasonAfter,
      }
    }
    return {
      ...part,
      products: tally.products,
      changed: tally.changed,
      prices_up: tally.up,
      prices_down: tally.down,
      effects: tally.effects,
      stores: Object.entries(tally.stores).flatMap(([id, { changed, ...effects }]) => {
        const store = slugOf.get(Number(id))
        return store === undefined ? [] : [{ store, changed, effects }]
      }),
      largest_up: tally.largestUp.filter(isOfStore).map(shown),
      largest_down: tally.largestDown.filter(isOfStore).map(shown),
      examples: perEffect((effect) => tally.examples[effect].filter(isOfStore).map(shown)),
    }
  }
  /** @param row read before the stored result: if it had succeeded by then, the result is complete. */
  const representOperation = async (
    accountId: number,
    row: OperationRow,
    { progress, request }: StoredPreview,
    isWhole: boolean,
  ): Promise<PreviewOperation> => {
    const inputs = await inputsVersion(db, accountId)
    const asked = request === null ? null : (JSON.parse(request) as PreviewRequest)
    const found = progress === null ? null : storedTally((JSON.parse(progress) as Progress).tally)
    const spread = { products: found?.products ?? 0, changed: found?.changed.products ?? 0 }
    return {
      ...stateOf(row),
      is_current: asked !== null && asked.version === inputs?.version,
      change: asked === null ? null : (asked.asked as RuleChangeBody),
      preview:
        found === null || !isWhole
          ? null
          : await represent(accountId, found, { is_everything: row.state === 'succeeded', spread }),
    }
  }
  return { represent, representOperation }
}

const perEffect = <T>(value: (effect: Effect) => T) =>
  Object.fromEntries(EFFECTS.map((effect) => [effect, value(effect)])) as Record<Effect, T>

function stateOf(row: OperationRow) {
  // a preview writes no payloads, so it never waits for shelving
  const state = row.state === 'resolving' ? 'running' : row.state
  return {
    operation_id: row.operationId,
    state,
    products: row.total ?? 0,
    done: row.done,
    message: row.message,
    created_at: formatTimestamp(row.createdAt),
    ended_at: timeOrNull(row.endedAt),
  }
}
