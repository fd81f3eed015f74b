/** What a run does to an offer, as the service names it. */
export const CHANGE_KINDS = ['created', 'changed', 'zeroed'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** Members of an offer by which changes are found. */
export const CHANGE_FIELDS = [
  'cost',
  'quantity',
  'eans',
  'title',
  'description',
  'manufacturer',
  'category',
  'attributes',
  'images',
] as const
export type ChangeField = (typeof CHANGE_FIELDS)[number]
