import {
  GET_PREVIEW,
  GET_RULE_REACH,
  LIST_PREVIEWS,
  ORDER_RULES,
  PREVIEW_RULES,
  START_PREVIEW,
  type RuleChangeBody,
} from '../../../contract/panel/previews.ts'
import {
  orderAssortmentRules,
  orderExclusionRules,
  orderPricingRules,
  reordered,
} from '../../catalog/settings/rules/rule-order.ts'
import { inTransaction, type Reader } from '../../db/sql.ts'
import { operationGet } from '../../operations/operations.sql.ts'
import { startPreview } from '../../operations/preview/step.ts'
import { previewsList } from '../../operations/preview/previews.sql.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { openPreviews } from '../../previews/previews.ts'
import type { RuleChange } from '../../previews/rule-change.ts'
import { assortmentRulePlans } from '../account/rules/assortment-rules.ts'
import { exclusionRulePlans } from '../account/rules/exclusion-rules.ts'
import type { Planner } from '../account/rules/planner.ts'
import { pricingRulePlans } from '../account/rules/pricing-rules.ts'
import type { ServeContext } from '../context.ts'
import { leaving } from '../leaving.ts'
import type { PanelApp } from './handle-panel.ts'
import { previewMembers } from './preview-members.ts'

/** Previews of changes of rules. */
export function previewHandlers(app: PanelApp, { db, stores, wake, writes }: ServeContext): void {
  const previews = openPreviews(db)
  const { represent, representOperation } = previewMembers({ db, stores }, previews)

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

/** The rules as the change would leave them, checked and ordered as the write does. @throws the faults of the write */
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
