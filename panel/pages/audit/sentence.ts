// What an entry of the audit trail says: which words, and whose name is in them. Free of React, so that every action can be tried.

/** An entry as far as its words depend on it. */
export interface Told {
  action: string
  target: string
  details: Readonly<Record<string, unknown>>
}

/** Requests of one save are shown as one. */
export interface Group<E> {
  /** The newest first. */
  entries: readonly [E, ...E[]]
}

/** Entries, newest first, those of one save together. Saves of two people at one time lie between each other. */
export function bySave<E extends Told>(entries: readonly E[]): Group<E>[] {
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

/** How many rows the requests of a save had; null: of some it is not known. */
export function rowsOf({ entries }: Group<Told>): number | null {
  let rows = 0
  for (const { details } of entries) {
    if (typeof details['rows'] !== 'number') return null
    rows += details['rows']
  }
  return rows
}

const VERBS = { create: 'create', put: 'change', patch: 'change', delete: 'delete' } as const
export type Verb = 'create' | 'change' | 'delete'

/** `patchPricingRule` as a verb and what it is done to; null for any other name. */
export function verbAndNoun(action: string): { verb: Verb; noun: string } | null {
  const [, verb, noun] = /^(create|put|patch|delete)([A-Z]\w*)$/.exec(action) ?? []
  return verb === undefined || noun === undefined ? null : { verb: VERBS[verb as keyof typeof VERBS], noun }
}

/** What an entry is about: a kind of thing and how the path or the body names it. */
export interface About {
  kind: string
  key: string
}

/** `/v1/account/products/7/stock` is about product 7; a creation is about what the body calls the new one. */
export function aboutOf({ target, details }: Told): About | null {
  const path = target.replace(/^\/(?:v1\/account|panel\/api\/accounts\/\d+)\/?/, '')
  const parts = path.split('/').map(decoded)
  const [kind = '', key, below, inner] = parts
  if (below === 'sources' || below === 'offers') return { kind: below, key: inner ?? nameIn(details) ?? '' }
  if (key !== undefined && key !== '') return { kind, key }
  const name = nameIn(details)
  return name === null ? null : { kind: 'text', key: name }
}

/** The name of what is created, by whichever member has it. */
function nameIn(details: Told['details']): string | null {
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

/** "Anna Nowak <anna@example.com>" as people say it. */
export const shortName = (actor: string): string => actor.replace(/\s*<[^<>]*>$/, '') || actor
