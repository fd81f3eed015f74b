import { useQuery } from '@tanstack/react-query'
import type { Static, TSchema } from 'typebox'
import type {
  ASSORTMENT_RULES,
  EXCLUSION_RULES,
  GROUPS,
  PRICING_RULES,
  STORES,
  SUPPLIERS,
} from '../../../contract/account-resources.ts'
import type { RuleChangeBody } from '../../../contract/panel/previews.ts'
import { exchange } from '../../api/client.ts'

// Rules and what they name, as the account resources of the API have them.

type Members<R extends { fields: Readonly<Record<string, TSchema>>; given: Readonly<Record<string, TSchema>> }> = {
  [K in keyof R['fields']]: Static<R['fields'][K]>
} & { [K in keyof R['given']]: Static<R['given'][K]> }

export type PricingRule = Members<typeof PRICING_RULES>
export type ExclusionRule = Members<typeof EXCLUSION_RULES>
export type AssortmentRule = Members<typeof ASSORTMENT_RULES>
export type Store = Members<typeof STORES>
export type Group = Members<typeof GROUPS>
export type Supplier = Members<typeof SUPPLIERS>

export type RuleTab = RuleChangeBody['resource']
export const TABS: readonly RuleTab[] = ['pricing-rules', 'exclusion-rules', 'assortment-rules']

export interface RuleOf {
  'pricing-rules': PricingRule
  'exclusion-rules': ExclusionRule
  'assortment-rules': AssortmentRule
}
export type AnyRule = RuleOf[RuleTab]

const PAGE = 200

/** Every one of a kind; there are few, or it is what one wants to see. */
async function readAll<T>(accountId: number, path: string, signal: AbortSignal): Promise<T[]> {
  const all: T[] = []
  for (let after: number | string | null = null; ;) {
    const query = { per_page: PAGE, ...(after === null ? {} : { after }) }
    const { body } = await exchange(`GET /v1/account/${path}`, { accountId, query, signal })
    const { data, meta } = body as { data: T[]; meta: { next_after: number | string | null } }
    all.push(...data)
    if (meta.next_after === null) return all
    after = meta.next_after
  }
}

function useAll<T>(accountId: number, path: string) {
  return useQuery({
    queryKey: ['account resources', accountId, path],
    queryFn: ({ signal }) => readAll<T>(accountId, path, signal),
  })
}

/** Rules in the order in which they are tried; the default pricing rule last. */
export function useRules(accountId: number, tab: RuleTab) {
  const query = useAll<AnyRule>(accountId, tab)
  return { query, rules: query.data === undefined ? undefined : inOrder(query.data) }
}

export const isDefault = (rule: AnyRule) => 'is_default' in rule && rule.is_default

function inOrder(rules: readonly AnyRule[]): AnyRule[] {
  return rules.toSorted((a, b) => Number(isDefault(a)) - Number(isDefault(b)) || a.priority - b.priority || a.id - b.id)
}

/** What rules name: stores, customer groups, suppliers and the account's categories. */
export function useNamed(accountId: number) {
  return {
    stores: useAll<Store>(accountId, 'stores').data,
    groups: useAll<Group>(accountId, 'groups').data,
    suppliers: useAll<Supplier>(accountId, 'suppliers').data,
    categories: useAll<{ path: string }>(accountId, 'categories').data,
  }
}
export type NamedThings = ReturnType<typeof useNamed>

/** One rule with what an edit sends as its revision. */
export async function readRule(
  accountId: number,
  tab: RuleTab,
  id: number,
): Promise<{ rule: AnyRule; revision: string }> {
  const { body, revision } = await exchange(`GET /v1/account/${tab}/{id}`, { accountId, params: { id } })
  return { rule: (body as { data: AnyRule }).data, revision: revision ?? '' }
}

export function useRule(accountId: number, tab: RuleTab, id: number | undefined) {
  return useQuery({
    queryKey: ['rule', accountId, tab, id],
    queryFn: () => readRule(accountId, tab, id ?? 0),
    enabled: id !== undefined,
    // what is being edited does not change under one's hands
    refetchOnWindowFocus: false,
    staleTime: 0,
    gcTime: 0,
  })
}

/** Saves a change that was previewed, by the same body. @returns the operation that computes what follows; null: it is done. */
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
