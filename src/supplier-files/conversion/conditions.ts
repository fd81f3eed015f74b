import { compareDecimals } from '../../input/decimal.ts'
import type { Condition } from '../mapping/mapping.ts'
import { plainNumber, type DecimalSign } from '../numbers.ts'
import { compilePattern } from '../mapping/pattern.ts'
import { countWork, countReading } from '../row-work.ts'
import { memberText, type Lookup, type Row } from '../rows.ts'

/**
 * Compiles a condition on a row; a list of conditions is met if all are. A value that the row does not have counts as
 * empty.
 */
export function compileCondition(
  condition: Condition | readonly Condition[],
  lookup: Lookup,
  sign: DecimalSign,
): (row: Row) => boolean {
  if (Array.isArray(condition)) {
    const all = condition.map((one: Condition) => compileCondition(one, lookup, sign))
    return (row) => all.every((one) => one(row))
  }
  const one = condition as Condition
  const get = lookup(one.column, one.optional)
  const meets = compileTest(one, sign)
  return (row) => {
    const value = get(row)
    if (!Array.isArray(value)) {
      const text = memberText(value)
      countReading(text)
      return meets(text)
    }
    countWork(value.length)
    // a list meets a condition if one of its members does; `notIn` and `empty: true` must be met by all members
    return 'notIn' in one || ('empty' in one && one.empty)
      ? value.every((member) => meets(memberText(member)))
      : value.some((member) => meets(memberText(member)))
  }
}

function compileTest(condition: Condition, sign: DecimalSign): (text: string) => boolean {
  if ('in' in condition) {
    const listed = new Set(condition.in)
    return (text) => listed.has(text)
  }
  if ('notIn' in condition) {
    const listed = new Set(condition.notIn)
    return (text) => !listed.has(text)
  }
  if ('empty' in condition) return (text) => (text === '') === condition.empty
  if ('matches' in condition) {
    const pattern = compilePattern(condition.matches)
    return (text) => pattern.matches(text)
  }
  const [bound, isAbove] = 'above' in condition ? [condition.above, true] : [condition.below, false]
  return (text) => {
    const number = plainNumber(text, sign)
    if ('reason' in number) return false
    const order = compareDecimals(number.value, bound)
    return isAbove ? order > 0 : order < 0
  }
}
