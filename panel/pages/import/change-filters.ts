import { COMPARED_FIELDS } from '../../../contract/product-fields.ts'

/** What a run does to an offer, by the service's names. */
export const CHANGE_KINDS = ['created', 'changed', 'zeroed'] as const

/** The fields by which changes can be filtered; a currency is shown with its cost. */
export const CHANGE_FIELDS = COMPARED_FIELDS.filter((field) => field !== 'currency')
export type ChangeField = (typeof CHANGE_FIELDS)[number]

/** The filter values of an address; undefined for an unknown one. */
export const changeKind = (name: string | undefined) => CHANGE_KINDS.find((kind) => kind === name)
export const changeField = (name: string | undefined) => CHANGE_FIELDS.find((field) => field === name)
