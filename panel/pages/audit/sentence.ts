// The words for an entry of the audit trail, and the names in them. Free of React, so that tests can try every action.

/** The part of an entry on which its words depend. */
export interface WordedEntry {
  action: string
  target: string
  details: Readonly<Record<string, unknown>>
}

/** The requests of one save, which are shown as one. */
export interface Group<E> {
  /** Newest first. */
  entries: readonly [E, ...E[]]
}

/** Groups entries, newest first, by their save. The entries of two saves at the same time may be interleaved. */
export function bySave<E extends WordedEntry>(entries: readonly E[]): Group<E>[] {
  const groups: { entries: [E, ...E[]] }[] = []
  const known = new Map<string, { entries: [E, ...E[]] }>()
  for (const entry of entries) {
    const { save } = entry.details
    const group = typeof save === 'string' ? known.get(save) : undefined
    if (group !== undefined) {
      group.entries.push(entry)
      continue
    }
    const begun: { entries: [E, ...E[]] } = { entries: [entry] }
    groups.push(begun)
    if (typeof save === 'string') known.set(save, begun)
  }
  return groups
}

/** The number of rows in the requests of a save; null if it is unknown for one of them. */
export function rowsOf({ entries }: Group<WordedEntry>): number | null {
  let rows = 0
  for (const { details } of entries) {
    if (typeof details['rows'] !== 'number') return null
    rows += details['rows']
  }
  return rows
}

const VERBS = { create: 'create', put: 'change', patch: 'change', delete: 'delete' } as const
export type Verb = 'create' | 'change' | 'delete'

/** Splits a name such as `patchPricingRule` into a verb and a noun; null for any other name. */
export function verbAndNoun(action: string): { verb: Verb; noun: string } | null {
  const [, verb, noun] = /^(create|put|patch|delete)([A-Z]\w*)$/.exec(action) ?? []
  return verb === undefined || noun === undefined ? null : { verb: VERBS[verb as keyof typeof VERBS], noun }
}

/** The subject of an entry: its kind, and its key or name in the path or the body. */
export interface EntrySubject {
  kind: string
  key: string
}

/** `/v1/account/products/7/stock` is about product 7. A creation is about the name in its body. */
export function aboutOf({ target, details }: WordedEntry): EntrySubject | null {
  const path = target.replace(/^\/(?:v1\/account|panel\/api\/accounts\/\d+)\/?/, '')
  const parts = path.split('/').map(decoded)
  const [kind = '', key, below, inner] = parts
  if (below === 'sources' || below === 'offers') return { kind: below, key: inner ?? nameIn(details) ?? '' }
  if (key !== undefined && key !== '') return { kind, key }
  const name = nameIn(details)
  return name === null ? null : { kind: 'text', key: name }
}

/** The name of a created thing, from whichever member has it. */
function nameIn(details: WordedEntry['details']): string | null {
  const body = details['body']
  const given = (typeof body === 'object' && body !== null ? body : details) as Readonly<Record<string, unknown>>
  for (const member of ['name', 'path', 'url', 'email', 'key', 'currency', 'code', 'sku', 'field', 'slug'])
    if (typeof given[member] === 'string' && given[member] !== '') return given[member]
  return null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The name alone of "Anna Nowak <anna@example.com>". */
export const shortName = (actor: string): string => actor.replace(/\s*<[^<>]*>$/, '') || actor
