import type { RuleChangeBody } from '../../../contract/panel/previews.ts'
import type { ReferenceFact } from '../../../contract/rule-conditions.ts'
import { exchange } from '../../api/client.ts'
import { readResource, useFormStart, useResources, type Resource, type Revised } from '../../api/resources.ts'

// Rules and the things that they refer to, as account resources.

export type PricingRule = Resource<'pricing-rules'>
export type ExclusionRule = Resource<'exclusion-rules'>
export type AssortmentRule = Resource<'assortment-rules'>

export type RuleTab = RuleChangeBody['resource']
export const TABS: readonly RuleTab[] = ['pricing-rules', 'exclusion-rules', 'assortment-rules']

interface RuleOf {
  'pricing-rules': PricingRule
  'exclusion-rules': ExclusionRule
  'assortment-rules': AssortmentRule
}
export type AnyRule = RuleOf[RuleTab]

/** Rules in the order in which they are tried, with the default pricing rule last. */
export function useRules(accountId: number, tab: RuleTab) {
  const query = useResources(accountId, tab)
  return { query, rules: query.data === undefined ? undefined : inOrder(query.data) }
}

export const isDefault = (rule: AnyRule) => 'is_default' in rule && rule.is_default

function inOrder(rules: readonly AnyRule[]): AnyRule[] {
  return rules.toSorted((a, b) => Number(isDefault(a)) - Number(isDefault(b)) || a.priority - b.priority || a.id - b.id)
}

/** The things that rules refer to: stores, customer groups, suppliers and the account's categories. */
export function useNamed(accountId: number) {
  return {
    stores: useResources(accountId, 'stores').data,
    groups: useResources(accountId, 'groups').data,
    suppliers: useResources(accountId, 'suppliers').data,
    categories: useResources(accountId, 'categories').data,
  }
}
export interface NamedThings extends ReturnType<typeof useNamed> {
  /** The name of a product; undefined until it is read, and for a deleted product. */
  products?: (id: number) => string | undefined
}

/** The lists of things that conditions refer to by ID. Products are missing, because each is looked up by itself. */
export const THINGS: Readonly<
  Record<Exclude<ReferenceFact, 'product'>, (named: NamedThings) => readonly { id: number; name: string }[] | undefined>
> = {
  store: ({ stores }) => stores,
  group: ({ groups }) => groups,
  supplier: ({ suppliers }) => suppliers,
}

/** A rule with the revision that an edit must send. */
export const readRule = (accountId: number, tab: RuleTab, id: number): Promise<Revised<AnyRule>> =>
  readResource(accountId, tab, id)

export function useRule(accountId: number, tab: RuleTab, id: number | undefined) {
  return useFormStart(accountId, [tab, id ?? 0], () => readRule(accountId, tab, id ?? 0), {
    isEnabled: id !== undefined,
  })
}

/** Saves a previewed change, with the same body. @returns the operation that computes payloads; null: they are up to date */
export async function saveChange(
  accountId: number,
  change: RuleChangeBody,
  revision: string | null,
): Promise<number | null> {
  const { resource, action, id = 0, body, order = [] } = change
  const match = revision === null ? {} : { revision }
  if (action === 'reorder') {
    const answer = await exchange('POST /panel/api/accounts/{account_id}/rule-orders', {
      params: { account_id: accountId },
      body: { resource, order },
    })
    return (answer.body as { data: { operation_id: number | null } }).data.operation_id
  }
  const path = `/v1/account/${resource}`
  if (action === 'create') return (await exchange(`POST ${path}`, { accountId, body })).operationId
  const one = { accountId, params: { id }, ...match }
  if (action === 'delete') return (await exchange(`DELETE ${path}/{id}`, one)).operationId
  return (await exchange(`PATCH ${path}/{id}`, { ...one, body })).operationId
}
