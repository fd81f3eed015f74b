import { Exact } from '../../model/money.ts'
import { must } from '../../platform/must.ts'

/**
 * A compiled formula: the names that it uses, and a function that calculates it. The result is rounded to 6 digits after the point.
 */
export interface Formula {
  names: ReadonlySet<string>
  /** @returns plain decimal text, or a reason why there is no result */
  calculate(value: (name: string) => string): { value: string } | { reason: string }
}

type Node = (value: (name: string) => string) => Exact

const FORMULA_LENGTH_MAX = 500
const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|([-+*/()]))/y

/**
 * Compiles a formula of decimals, names, `+ - * /` and parentheses, such as `list * (100 - discount) / 100`. It is calculated in
 * decimals of 40 digits.
 * @throws Error that says what is wrong with the formula
 */
export function compileFormula(text: string): Formula {
  if (text.length > FORMULA_LENGTH_MAX) throw new Error(`is longer than ${FORMULA_LENGTH_MAX} characters`)
  const tokens = tokensOf(text)
  const names = new Set<string>()
  let at = 0
  const operand = (): Node => {
    const token = tokens[at++]
    if (token === undefined) throw new Error('ends where a number or a name is expected')
    if (token === '-') {
      const inner = operand()
      return (value) => inner(value).neg()
    }
    if (token === '(') {
      const inner = sum()
      if (tokens[at++] !== ')') throw new Error('has a parenthesis that is not closed')
      return inner
    }
    if (/^\d/.test(token)) {
      const number = new Exact(token)
      return () => number
    }
    if (!/^[A-Za-z_]/.test(token)) throw new Error(`has ${JSON.stringify(token)} where a number or a name is expected`)
    names.add(token)
    return (value) => new Exact(value(token))
  }
  const chain = (next: () => Node, signs: string, apply: (sign: string, a: Exact, b: Exact) => Exact): Node => {
    let left = next()
    for (let sign = tokens[at]; sign !== undefined && signs.includes(sign); sign = tokens[at]) {
      at++
      const [first, second, operator] = [left, next(), sign]
      left = (value) => apply(operator, first(value), second(value))
    }
    return left
  }
  const product = () => chain(operand, '*/', (sign, a, b) => (sign === '*' ? a.times(b) : a.div(b)))
  const sum = (): Node => chain(product, '+-', (sign, a, b) => (sign === '+' ? a.plus(b) : a.minus(b)))
  const root = sum()
  if (at < tokens.length) throw new Error(`has ${JSON.stringify(tokens[at])} where an operator is expected`)
  return {
    names,
    calculate(value) {
      const result = root(value)
      return result.isFinite() ? { value: result.toDecimalPlaces(6).toFixed() } : { reason: 'divides by 0' }
    },
  }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (match === null)
      throw new Error(`has ${JSON.stringify(text.slice(from).trim()[0])}, which is no part of a formula`)
    tokens.push(must(match[1] ?? match[2] ?? match[3]))
  }
  return tokens
}
