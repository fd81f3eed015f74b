import type { Condition, ConditionValue, Fact, Form, FormOf } from '../../../contract/rule-conditions.ts'
import { trimmed } from '../../model/blank.ts'
import { Exact } from '../../model/money.ts'

// Conditions that rules of all kinds share. Each is compiled once per account and tested once per product.

/** What conditions look at: facts about a product that are the same in every store. */
export interface ProductFacts {
  productId: number
  /** Folded; null when none is known. */
  manufacturer: string | null
  /** Folded path; null when none is known. */
  category: string | null
}

/** Normalizes a name for comparison: letter case, and blanks at its ends, do not count. */
export function foldName(text: string): string {
  return trimmed(text.normalize('NFC')).toLowerCase()
}

/** Normalizes a category path for comparison, level by level: `Tools / Hand tools/` becomes `tools/hand tools`. */
export function foldCategory(path: string): string {
  return path
    .split('/')
    .map(foldName)
    .filter((level) => level !== '')
    .join('/')
}

// Sets of folded values, by the lists that they were made of: a list that is the same for several stores, or in several versions of an
// account, is folded once.
const namesOf = new WeakMap<readonly string[], ReadonlySet<string>>()
const categoriesOf = new WeakMap<readonly string[], ReadonlySet<string>>()
const idsOf = new WeakMap<readonly number[], ReadonlySet<number>>()

function setOf<Value>(
  known: WeakMap<readonly Value[], ReadonlySet<Value>>,
  values: readonly Value[],
  fold: (value: Value) => Value,
): ReadonlySet<Value> {
  const found = known.get(values) ?? new Set(values.map(fold))
  known.set(values, found)
  return found
}

/** Folds a list once: the result matches the same values, and does not keep the texts as they were written. */
function foldedList(
  known: WeakMap<readonly string[], ReadonlySet<string>>,
  values: readonly string[],
  fold: (text: string) => string,
): readonly string[] {
  const set = new Set(values.map(fold))
  const list = [...set]
  // folding is not idempotent: a small letter may compose with a mark where its capital does not
  known.set(list, set)
  return list
}

/** @returns the names in a form that is folded already. */
export const foldedNames = (names: readonly string[]) => foldedList(namesOf, names, foldName)
/** @returns the categories in a form that is folded already. */
export const foldedCategories = (categories: readonly string[]) => foldedList(categoriesOf, categories, foldCategory)

/** The folded values of categories. */
export const categorySet = (categories: readonly string[]) => setOf(categoriesOf, categories, foldCategory)
/** The folded values of names. */
export const nameSet = (names: readonly string[]) => setOf(namesOf, names, foldName)

/** Tests whether a folded path is one of the categories or below one. */
export function categoryTest(categories: readonly string[]): (path: string | null) => boolean {
  const roots = categorySet(categories)
  return (path) => {
    if (path === null) return false
    if (roots.has(path)) return true
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (roots.has(path.slice(0, at))) return true
    }
    return false
  }
}

/** Tests whether a folded name is one of the names. */
export function nameTest(names: readonly string[]): (name: string | null) => boolean {
  const among = nameSet(names)
  return (name) => name !== null && among.has(name)
}

/** Tests whether an id is one of the ids. */
export function idTest(ids: readonly number[]): (id: number | null) => boolean {
  const among = setOf(idsOf, ids, (id) => id)
  return (id) => id !== null && among.has(id)
}

/** What a condition of each form is compared with; what is not known matches no condition. */
interface FormFacts {
  ids: number | null
  names: string | null
  paths: string | null
  number: Exact | null
  day: string
}
/** A fact. Names and paths are folded. */
export type FactValue<F extends Fact> = FormFacts[FormOf<F>]

type Bound = Condition['bound']
/** Tests of a fact against the value of a condition. */
const FORMS: { readonly [F in Form]: (value: never, bound: Bound) => (fact: FormFacts[F]) => boolean } = {
  ids: (ids: readonly number[]) => idTest(ids),
  names: (names: readonly string[]) => nameTest(names),
  paths: (paths: readonly string[]) => categoryTest(paths),
  number: (text: string, bound) => {
    const limit = new Exact(text)
    return bound === 'below'
      ? (fact) => fact !== null && fact.lessThan(limit)
      : (fact) => fact !== null && fact.greaterThanOrEqualTo(limit)
  },
  // days in this form compare as text
  day: (limit: string, bound) => (bound === 'to' ? (day) => day <= limit : (day) => day >= limit),
}

/** Tests whether a condition with a value is met. @param read finds the fact that it is about. */
export function factTest<From>(
  { form, bound }: Pick<Condition, 'form' | 'bound'>,
  value: ConditionValue,
  read: (from: From) => FactValue<Fact>,
): (from: From) => boolean {
  // the table of conditions says which form of value and of fact belong together
  const test = FORMS[form](value as never, bound) as (fact: FactValue<Fact>) => boolean
  return (from) => test(read(from))
}

/** Rules in the order in which they are tried. */
export function byPriority<T extends { priority: number; ruleId: number }>(rules: readonly T[]): T[] {
  return [...rules].sort((a, b) => a.priority - b.priority || a.ruleId - b.ruleId)
}
