import {
  GET_PREVIEW,
  GET_RULE_REACH,
  LIST_PREVIEWS,
  ORDER_RULES,
  PREVIEW_RULES,
  START_PREVIEW,
  type Preview as PreviewMembers,
  type PreviewExample,
  type PreviewOperation,
  type RuleChangeBody,
} from '../../../contract/panel/previews.ts'
import {
  orderAssortmentRules,
  orderExclusionRules,
  orderPricingRules,
  reordered,
} from '../../catalog/settings/rules/rule-order.ts'
import { groupsList } from '../../catalog/settings/stores/groups.sql.ts'
import { storesList } from '../../catalog/settings/stores/stores.sql.ts'
import { inTransaction, type Reader } from '../../db/sql.ts'
import { operationGet, type OperationRow } from '../../operations/operations.sql.ts'
import { startPreview, type PreviewRequest } from '../../operations/preview/step.ts'
import { previewsList, type StoredPreview } from '../../operations/preview/previews.sql.ts'
import { namedProducts } from '../../overview/named-products.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openPreviews, type Named, type Progress } from '../../previews/previews.ts'
import type { RuleChange } from '../../previews/rule-change.ts'
import { EFFECTS, storedTally, type Effect, type Example, type Tally } from '../../previews/tally.ts'
import { formatTimestamp, timeOrNull } from '../../platform/time/timestamp.ts'
import { inputsVersion } from '../../shelf/inputs/inputs.sql.ts'
import { assortmentRulePlans } from '../account/assortment-rules.ts'
import { exclusionRulePlans } from '../account/exclusion-rules.ts'
import type { Planner } from '../account/planner.ts'
import { pricingRulePlans } from '../account/pricing-rules.ts'
import type { ServeContext } from '../context.ts'
import { leaving } from '../leaving.ts'
import type { PanelApp } from './handle-panel.ts'
import { must } from '../../platform/must.ts'

/** Previews of changes of rules. */
export function previewHandlers(app: PanelApp, { db, stores: directory, wake, writes }: ServeContext): void {
  const previews = openPreviews(db)

  /** What is shown of a tally: with the names of products, stores and groups. */
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
    // a stored preview may name a store that was deleted since
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
  /** @param row as it was before what was found was read: one that had succeeded had counted everything. */
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

  app.handle(PREVIEW_RULES, async ({ accountId, body, reply }) => {
    const { tally, spread, isEverything } = await previews.sample(
      accountId,
      (reader) => planChange(reader, accountId, body),
      leaving(reply),
    )
    return { data: await represent(accountId, tally, { is_everything: isEverything, spread }) }
  })
  app.handle(START_PREVIEW, async ({ accountId, body, note }) => {
    const operationId = await inTransaction(db, async (tx) => {
      const change = await planChange(tx, accountId, body)
      const id = await startPreview(tx, accountId, change, body)
      await note(tx, { operation_id: id, resource: body.resource, action: body.action })
      return id
    })
    wake.notify('operation', accountId)
    return { data: { operation_id: operationId } }
  })
  app.handle(LIST_PREVIEWS, async ({ accountId }) => {
    const rows = await previewsList(db, accountId, null, LIMITS.previewsListed)
    const shown = await Promise.all(
      rows.map(async (stored) => {
        const row = await operationGet(db, accountId, stored.operationId)
        return row === undefined ? undefined : representOperation(accountId, row, stored, false)
      }),
    )
    return { data: shown.filter((row) => row !== undefined) }
  })
  app.handle(GET_PREVIEW, async ({ accountId, params }) => {
    const row = await operationGet(db, accountId, params.operation_id)
    const [stored] = await previewsList(db, accountId, params.operation_id, 1)
    if (row === undefined || stored === undefined)
      throw new ShelfwireError(
        'unknown-reference',
        'the account has no such preview, or it ended more than 30 days ago',
      )
    return { data: await representOperation(accountId, row, stored, true) }
  })
  app.handle(ORDER_RULES, async ({ accountId, body, note }) => {
    const order = ORDERS[body.resource]
    const { operationId } = await writes.write(accountId, async (tx) => {
      const written = await order(tx, accountId, body.order)
      await note(tx, { resource: body.resource, order: body.order.slice(0, LIMITS.previewsNotedOrder) })
      return written
    })
    return { data: { operation_id: operationId } }
  })
  app.handle(GET_RULE_REACH, async ({ accountId, reply }) => {
    const { products, isEverything, rules } = await previews.reach(accountId, leaving(reply))
    const listed = (counts: ReadonlyMap<number, number>) => [...counts].map(([id, count]) => ({ id, products: count }))
    return {
      data: {
        products,
        is_everything: isEverything,
        rules: {
          'pricing-rules': listed(rules.pricing),
          'exclusion-rules': listed(rules.exclusion),
          'assortment-rules': listed(rules.assortment),
        },
      },
    }
  })
}

const ORDERS = {
  'pricing-rules': orderPricingRules,
  'exclusion-rules': orderExclusionRules,
  'assortment-rules': orderAssortmentRules,
} as const

const perEffect = <T>(value: (effect: Effect) => T) =>
  Object.fromEntries(EFFECTS.map((effect) => [effect, value(effect)])) as Record<Effect, T>

function stateOf(row: OperationRow) {
  // previews are followed by no payloads
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

/** What the change makes of the rules, by the checks and the order of the write; with its faults. */
async function planChange(reader: Reader, accountId: number, asked: RuleChangeBody): Promise<RuleChange> {
  if (asked.resource === 'pricing-rules')
    return { kind: 'pricing', rules: await plannedRules(reader, accountId, pricingRulePlans, asked) }
  if (asked.resource === 'exclusion-rules')
    return { kind: 'exclusion', rules: await plannedRules(reader, accountId, exclusionRulePlans, asked) }
  return { kind: 'assortment', rules: await plannedRules(reader, accountId, assortmentRulePlans, asked) }
}

async function plannedRules<Row extends { ruleId: number; priority: number }>(
  reader: Reader,
  accountId: number,
  plans: Planner<Row>,
  { action, id, body, order }: RuleChangeBody,
): Promise<({ ruleId: number; rule: Row | null } | { ruleId: number; priority: number })[]> {
  if (action === 'create') return [await plans.create(reader, accountId, body)]
  if (action === 'reorder') {
    const rules = await plans.order(reader, accountId)
    return reordered(rules, order ?? required('order')).map(({ ruleId, priority }) => ({ ruleId, priority }))
  }
  const ruleId = id ?? required('id')
  return [
    await (action === 'edit' ? plans.edit(reader, accountId, ruleId, body) : plans.remove(reader, accountId, ruleId)),
  ]
}

function required(name: string): never {
  const reason = 'is required'
  throw new ShelfwireError('invalid-input', `${name} ${reason}`, { faults: [{ name, reason }] })
}
