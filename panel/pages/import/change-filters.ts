import { COMPARED_FIELDS } from '../../../contract/product-fields.ts'

/** What a run does to an offer, as the service names it. */
export const CHANGE_KINDS = ['created', 'changed', 'zeroed'] as const

/** What changes are found by; a currency is shown with its cost. */
export const CHANGE_FIELDS = COMPARED_FIELDS.filter((field) => field !== 'currency')
export type ChangeField = (typeof CHANGE_FIELDS)[number]

/** What an address names; undefined for what changes are not found by. */
export const changeKind = (name: string | undefined) => CHANGE_KINDS.find((kind) => kind === name)
export const changeField = (name: string | undefined) => CHANGE_FIELDS.find((field) => field === name)
