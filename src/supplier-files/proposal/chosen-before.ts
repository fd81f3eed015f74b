import { isDeepStrictEqual } from 'node:util'
import { ShelfwireError } from '../../platform/errors.ts'
import { readMappingDocument } from '../mapping-document.ts'
import { parseMapping, type Grouping, type Mapping } from '../mapping/mapping.ts'
import { priceKindOf } from './price-columns.ts'

// What a merchant chose for columns before: the mappings that the account uses are the memory (docs/decisions/176-mappings-are-the-memory.md).

/** A mapping that the account uses, as it was given. */
export interface KnownMapping {
  /** The name of the supplier that it is of. */
  supplier: string
  /** Whether that is the supplier whose file is looked at: what was chosen there counts more. */
  isOwn: boolean
  mapping: unknown
}

/** A proposal, as far as it can be replaced by what was chosen before. */
interface Replaceable {
  fields: Record<string, unknown>
  group?: Grouping | undefined
  skip?: Mapping['skip'] | undefined
  availability?: Mapping['availability'] | undefined
  each?: string | undefined
}

/** `isInstead`: in place of what was said about the member. */
type Note = (path: string, reason: string, isInstead?: boolean) => void

/** The least share of a mapping's columns that a file has to have before anything of it is proposed; and how many at least. */
const FIT_MIN = 0.5
const COLUMNS_MIN = 2
/** What only makes sense together with the other columns of its mapping. */
const OF_WHOLE = ['group_key', 'group_title', 'group_position', 'group_options', 'attributes']
/** Names of columns in a reason. */
const SHOWN_MAX = 200

/**
 * A proposed mapping with what the account chose before, and whether a field was. Reasons are added, and those of what was replaced are taken out.
 * @param hasColumn whether the file has a column or path
 * @param isReady a ready mapping was found: what reads other files says nothing about it
 */
export function chosenInstead(
  mapping: Mapping,
  known: readonly KnownMapping[],
  hasColumn: (column: string) => boolean,
  isReady: boolean,
  reasons: { path: string; reason: string }[],
): { mapping: Mapping; isChosen: (field: string) => boolean } {
  const found: { path: string; reason: string; isInstead: boolean }[] = []
  const { fields, group, skip, availability, each } = mapping
  const chosen = chooseAsBefore(
    { fields: { ...fields }, group, skip, availability, each },
    known,
    hasColumn,
    isReady,
    (path, reason, isInstead = false) => void found.push({ path, reason, isInstead }),
  )
  if (found.length === 0) return { mapping, isChosen: () => false }
  try {
    const parsed = parseMapping({ ...mapping, ...chosen }, 'stored')
    const instead = new Set(found.flatMap(({ path, isInstead }) => (isInstead ? [path] : [])))
    const kept = reasons.filter(({ path }) => !instead.has(path))
    reasons.splice(0, Infinity, ...kept, ...found.map(({ path, reason }) => ({ path, reason })))
    const isChosen = (field: string) =>
      [...instead].some((path) => path === `fields.${field}` || path.startsWith(`fields.${field}.`))
    return { mapping: parsed, isChosen }
  } catch (error) {
    // what was chosen does not fit together with the rest, as texts in one language twice
    if (!(error instanceof ShelfwireError)) throw error
    return { mapping, isChosen: () => false }
  }
}

/**
 * Puts what the account chose for these columns in its other mappings in place of what is proposed, and says so. The first mapping that has a choice
 * for a field counts; where another one differs, that is said, too.
 * @param known own mappings of the supplier first, then those that were used last
 * @param hasColumn whether the file has a column or path
 * @param isReady a ready mapping was found: what reads other files says nothing about it
 * @returns the members as they are then
 */
function chooseAsBefore(
  proposed: Replaceable,
  known: readonly KnownMapping[],
  hasColumn: (column: string) => boolean,
  isReady: boolean,
  note: Note,
): Replaceable {
  const { fields } = proposed
  const chosen: Record<string, unknown> = {}
  const whose = new Map<string, string>()
  const settings: Partial<Omit<Replaceable, 'fields'>> = {}
  for (const { supplier, isOwn, mapping, own } of readable(known)) {
    const fit = fitOf(mapping, hasColumn)
    if (!fit.isWhole && (isReady || !fit.isPart)) continue
    // what reads the articles of a record says nothing about the record, and the other way round
    const { each } = 'each' in settings ? settings : proposed
    if (mapping.each !== each) {
      if (!isOwn || !fit.isWhole || whose.size > 0 || mapping.each === undefined) continue
      settings.each = mapping.each
      note('each', `chosen before in the mapping of ${quoted(supplier)}`, true)
    }
    for (const [field, source] of Object.entries(own)) {
      const isOfWhole = OF_WHOLE.includes(field)
      if (source === null || (isOfWhole && !fit.isWhole)) continue
      const columns = columnsOf(source)
      if (columns.needed.length + columns.optional.length === 0 || !columns.needed.every(hasColumn)) continue
      if (columns.needed.length === 0 && !columns.optional.some(hasColumn)) continue
      const path = `fields.${field}`
      const before = whose.get(field)
      if (before !== undefined) {
        if (!isDeepStrictEqual(chosen[field] ?? fields[field], source))
          note(path, `in the mapping of ${quoted(supplier)} it is ${shown(source)}`)
        continue
      }
      if (isDeepStrictEqual(fields[field], source)) {
        whose.set(field, supplier)
        continue
      }
      // another supplier's list may have had no purchase price to choose
      if (field === 'cost' && !isOwn && isPurchase(fields['cost']) && !isPurchase(source)) {
        note(path, `the mapping of ${quoted(supplier)} has ${shown(source)} there, and no purchase price`)
        continue
      }
      whose.set(field, supplier)
      chosen[field] = source
      note(
        path,
        `chosen before in the mapping of ${quoted(supplier)}: ${shown(source)}${fields[field] === undefined ? '' : `, in place of ${shown(fields[field])}`}`,
        true,
      )
    }
    if (!fit.isWhole) continue
    for (const name of ['group', 'skip', 'availability'] as const) {
      if (mapping[name] === undefined || settings[name] !== undefined) continue
      if (isDeepStrictEqual(mapping[name], proposed[name])) continue
      Object.assign(settings, { [name]: mapping[name] })
      note(name, `chosen before in the mapping of ${quoted(supplier)}`, true)
    }
  }
  const freed = withoutTaken(fields, chosen, note)
  return { fields: { ...freed, ...chosen }, ...settings }
}

/**
 * Whether records list articles by the supplier's own mapping, where the file has all that it reads: the fields are proposed with it.
 * @returns undefined where no such mapping is there; null for one without a list
 */
export function eachChosen(
  known: readonly KnownMapping[],
  hasColumn: (column: string) => boolean,
): { each: string; supplier: string } | null | undefined {
  const own = readable(known).find(({ isOwn, mapping }) => isOwn && fitOf(mapping, hasColumn).isWhole)
  if (own === undefined) return undefined
  const { each } = own.mapping
  return each === undefined ? null : { each, supplier: own.supplier }
}

interface Readable extends KnownMapping {
  mapping: Mapping
  /** Its fields; of a ready mapping those that were changed. */
  own: Readonly<Record<string, unknown>>
}

/** Mappings of other releases may not be readable any more: those are passed over. */
function readable(known: readonly KnownMapping[]): Readable[] {
  return known.flatMap((one) => {
    try {
      const mapping = readMappingDocument(one.mapping, 'stored')
      const given = one.mapping as { preset?: unknown; fields?: Record<string, unknown> }
      return [{ ...one, mapping, own: given.preset === undefined ? { ...mapping.fields } : (given.fields ?? {}) }]
    } catch {
      return []
    }
  })
}

/** How much of what a mapping reads is in a file. */
function fitOf(mapping: Mapping, hasColumn: (column: string) => boolean): { isWhole: boolean; isPart: boolean } {
  const { group, fields, skip = [] } = mapping
  const grouping =
    group === undefined ? [] : [group.by, group.parent, ...(group.inherit ?? []), ...(group.collect ?? [])]
  const optional = new Set(group?.optional)
  const needed = new Set(
    columnsOf([...Object.values(fields), ...grouping, ...skip, group?.offers]).needed.filter(
      (name) => !optional.has(name),
    ),
  )
  const found = [...needed].filter(hasColumn).length
  const isEnough = found >= Math.min(COLUMNS_MIN, needed.size)
  return { isWhole: isEnough && found === needed.size, isPart: isEnough && found >= needed.size * FIT_MIN }
}

/** Columns that a source reads: those that a file must have, and the others. */
function columnsOf(source: unknown): { needed: string[]; optional: string[] } {
  const needed: string[] = []
  const optional: string[] = []
  const look = (value: unknown) => {
    if (typeof value === 'string') needed.push(value)
    else if (Array.isArray(value)) for (const member of value as unknown[]) look(member)
    else if (typeof value === 'object' && value !== null) lookInto(value as Record<string, unknown>)
  }
  const lookInto = (of: Record<string, unknown>) => {
    const name = [of['column'], of['packed'], of['object'], of['list'], of['tiers'], of['names']].find(
      (member) => typeof member === 'string',
    )
    const numbered = typeof of['pairs'] === 'string' ? of['pairs'].replace('{n}', '1') : undefined
    const one = name ?? numbered
    if (typeof one === 'string') (of['optional'] === true ? optional : needed).push(one)
    if (typeof of['values'] === 'string') (of['optional'] === true ? optional : needed).push(of['values'])
    for (const member of ['join', 'first', 'sum', 'use', 'else', 'when', 'quantity', 'cost', 'per'])
      if (of[member] !== undefined) look(of[member])
    if (typeof of['of'] === 'object' && of['of'] !== null) for (const member of Object.values(of['of'])) look(member)
  }
  look(source)
  return { needed, optional }
}

/** What is proposed for columns that were chosen for something else is left out. */
function withoutTaken(
  fields: Readonly<Record<string, unknown>>,
  chosen: Readonly<Record<string, unknown>>,
  note: Note,
): Record<string, unknown> {
  const taken = new Map(
    Object.entries(chosen).flatMap(([field, source]) => (typeof source === 'string' ? [[source, field] as const] : [])),
  )
  return Object.fromEntries(
    Object.entries(fields).filter(([field, source]) => {
      const by = typeof source === 'string' ? taken.get(source) : undefined
      if (by === undefined || by === field || field === 'sku' || chosen[field] !== undefined) return true
      note(`fields.${by}`, `${shown(source)} would have been the ${field}`)
      return false
    }),
  )
}

const isPurchase = (source: unknown): boolean =>
  columnsOf(source).needed.some((column) => priceKindOf(column)?.kind === 'purchase')
const quoted = (text: string) => JSON.stringify(text)
const shown = (source: unknown) => JSON.stringify(source).slice(0, SHOWN_MAX)
