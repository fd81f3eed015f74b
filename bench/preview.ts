import type { RuleChangeBody } from '../contract/panel/previews.ts'
import { openPrinter } from '../src/commands/console/print.ts'
import type { FilledAccount } from './fill.ts'
import type { Ask } from './panel-session.ts'
import type { Report } from './report.ts'

// Previews of rules: over a sample, as the panel requests them while somebody types, and over all products, as an
// operation.

const REQUESTS = 40
const GOAL_MS = 300

/** The rule change of request `n`; each has another value, as when somebody types. */
const CHANGES: Readonly<Record<string, (n: number, account: FilledAccount) => RuleChangeBody>> = {
  'the default rule': (n, { defaultRuleId }) => ({
    resource: 'pricing-rules',
    action: 'edit',
    id: defaultRuleId,
    body: { percent: String(20 + n) },
  }),
  'a pricing rule for one of 200 manufacturers': (n) => ({
    resource: 'pricing-rules',
    action: 'create',
    body: { name: 'x', action: 'markup', percent: '50', priority: 1, manufacturers: [`Manufacturer ${n}`] },
  }),
  'a pricing rule for one of 100 categories': (n) => ({
    resource: 'pricing-rules',
    action: 'create',
    body: { name: 'x', action: 'margin', percent: '30', priority: 1, categories: [`Goods/Category ${n}`] },
  }),
  'an exclusion of products without a title': () => ({
    resource: 'exclusion-rules',
    action: 'create',
    body: { name: 'x', kind: 'no_title' },
  }),
  'an exclusion by price': (n) => ({
    resource: 'exclusion-rules',
    action: 'create',
    body: { name: 'x', kind: 'price_above', amount: String(100 + n) },
  }),
  'an assortment rule': (n, { storeIds }) => ({
    resource: 'assortment-rules',
    action: 'create',
    body: { name: 'x', store_id: storeIds[0], is_listed: false, categories: [`Goods/Category ${n}`] },
  }),
}

/** Previews over a sample, one after the other. */
export async function measurePreviews(ask: Ask, account: FilledAccount, what: string, report: Report): Promise<void> {
  for (const [name, changeOf] of Object.entries(CHANGES)) {
    const times: number[] = []
    let looked = 0
    for (let n = 0; n < REQUESTS; n++) {
      const { ms, body } = await ask('previews', { method: 'POST', body: changeOf(n, account) })
      times.push(ms)
      looked = (body as { data: { products: number } }).data.products
    }
    report.times(`preview of ${name}, over ${looked} of ${what}`, times, GOAL_MS)
  }
  const { ms } = await ask('rule-reach')
  report.figure(`reach of the rules, ${what}`, `${ms.toFixed(0)} ms`)
}

/** A preview over all products, which takes minutes. */
export async function measureWholePreview(
  ask: Ask,
  account: FilledAccount,
  what: string,
  report: Report,
): Promise<void> {
  const from = performance.now()
  const id = await startPreview(ask, account)
  using progress = openPrinter(false).progress('Looking at everything')
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { body } = await ask(`preview-operations/${id}`)
    const { data } = body as {
      data: { state: string; done: number; products: number; preview: { changed: { products: number } } }
    }
    progress.update(data.done, data.products)
    if (data.state === 'failed') throw new Error('the preview failed')
    if (data.state !== 'succeeded') continue
    const seconds = (performance.now() - from) / 1_000
    report.figure(
      `preview over all of ${what}`,
      `${seconds.toFixed(0)} s, ${Math.round(data.products / seconds)} products/s, ${data.preview.changed.products} change`,
    )
    return
  }
}

/** Starts a preview over all products. @returns the operation's ID */
export async function startPreview(ask: Ask, { defaultRuleId }: FilledAccount): Promise<number> {
  const change = { resource: 'pricing-rules', action: 'edit', id: defaultRuleId, body: { percent: '31' } }
  const { body } = await ask('preview-operations', { method: 'POST', body: change })
  return (body as { data: { operation_id: number } }).data.operation_id
}
