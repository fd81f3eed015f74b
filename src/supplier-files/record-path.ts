import { JSONParser, TokenType } from '@streamparser/json'
import { SaxesParser } from 'saxes'
import { ENTITIES } from './xml/entities.ts'

/** The path of the first list of objects in the beginning of a JSON document; undefined when it is a list itself, or has none. */
export function listPathOf(head: string): string | undefined {
  // tokens alone: the document is cut off, and its values do not matter
  const parser = new JSONParser({ paths: ['$.none'], keepStack: false })
  const open: { isList: boolean; key: string }[] = []
  let key = ''
  let found: string | undefined
  let previous: TokenType | undefined
  parser.onValue = () => {}
  parser.onToken = ({ token, value }) => {
    if (found !== undefined) return
    if (token === TokenType.STRING) key = String(value)
    else if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      const isElement = token === TokenType.LEFT_BRACE && previous === TokenType.LEFT_BRACKET
      if (isElement)
        found = open
          .slice(1)
          .map((level) => level.key)
          .join('.')
      open.push({ isList: token === TokenType.LEFT_BRACKET, key })
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) open.pop()
    previous = token
  }
  try {
    parser.write(head)
  } catch {
    // what is wrong with the document is said when it is read
  }
  return found === '' ? undefined : found
}

/** The path of the records in the beginning of an XML document: the shallowest element that is repeated and has others in it. */
export function recordPathOf(head: string): string | undefined {
  const parser = new SaxesParser({ xmlns: false })
  const path: string[] = []
  const counts = new Map<string, { depth: number; count: number; isFilled: boolean }>()
  parser.ENTITIES = ENTITIES
  parser.on('error', () => {})
  parser.on('opentag', ({ name, attributes }) => {
    const parent = counts.get(path.join('.'))
    if (parent !== undefined) parent.isFilled = true
    path.push(name)
    const key = path.join('.')
    const known = counts.get(key) ?? { depth: path.length, count: 0, isFilled: false }
    known.count++
    if (Object.keys(attributes).length > 1) known.isFilled = true
    counts.set(key, known)
  })
  parser.on('closetag', () => void path.pop())
  parser.write(head.trimStart())
  const records = [...counts].filter(([, { depth, isFilled }]) => depth > 1 && isFilled)
  const repeated = records.filter(([, { count }]) => count > 1)
  const [best] = (repeated.length > 0 ? repeated : records).toSorted(
    ([, a], [, b]) => a.depth - b.depth || b.count - a.count,
  )
  return best?.[0]
}
