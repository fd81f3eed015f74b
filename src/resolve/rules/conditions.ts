import type { Condition, ConditionValue, Fact, Form, FormOf } from '../../../contract/rule-conditions.ts'
import { trimmed } from '../../model/blank.ts'
import { Exact } from '../../model/money.ts'

// Conditions that rules of all kinds share. Each is compiled once per account and tested once per product.

/** The facts that conditions of all kinds test; the same in every store. */
export interface ProductFacts {
  productId: number
  /** Folded; null if unknown. */
  manufacturer: string | null
  /** Folded path; null if unknown. */
  category: string | null
}

/** Folds a name for comparison: ignores letter case and white space at both ends. */
export function foldName(text: string): string {
  return trimmed(text.normalize('NFC')).toLowerCase()
}

/** Folds a category path for comparison, level by level: `Tools / Hand tools/` becomes `tools/hand tools`. */
export function foldCategory(path: string): string {
  return path
    .split('/')
    .map(foldName)
    .filter((level) => level !== '')
    .join('/')
}

// Sets of folded values, cached by the list that they were made from: a list shared by several stores, or by several versions of an
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

/** Folds a list: the result matches the same values and does not keep the original texts in memory. */
function foldedList(
  known: WeakMap<readonly string[], ReadonlySet<string>>,
  values: readonly string[],
  fold: (text: string) => string,
): readonly string[] {
  const set = new Set(values.map(fold))
  const list = [...set]
  // cached here, because folding is not idempotent: a small letter may compose with a mark where its capital does not
  known.set(list, set)
  return list
}

/** @returns the folded names, which are not folded again. */
export const foldedNames = (names: readonly string[]) => foldedList(namesOf, names, foldName)
/** @returns the folded category paths, which are not folded again. */
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

/** The type of fact that each form of condition tests. An unknown fact (null) meets no condition. */
interface FormFacts {
  ids: number | null
  names: string | null
  paths: string | null
  number: Exact | null
  day: string
}
/** A fact's value. Names and paths are folded. */
export type FactValue<F extends Fact> = FormFacts[FormOf<F>]

type Bound = Condition['bound']
/** Makes the test of a fact from a condition's value. */
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

/** Makes the test of a condition. @param read finds the fact. */
export function factTest<From>(
  { form, bound }: Pick<Condition, 'form' | 'bound'>,
  value: ConditionValue,
  read: (from: From) => FactValue<Fact>,
): (from: From) => boolean {
  // the table of conditions guarantees that the forms of value and fact match
  const test = FORMS[form](value as never, bound) as (fact: FactValue<Fact>) => boolean
  return (from) => test(read(from))
}

/** Rules in the order in which they are tried. */
export function byPriority<T extends { priority: number; ruleId: number }>(rules: readonly T[]): T[] {
  return [...rules].sort((a, b) => a.priority - b.priority || a.ruleId - b.ruleId)
}
