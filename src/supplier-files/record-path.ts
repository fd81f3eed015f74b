import { JSONParser, TokenType } from '@streamparser/json'
import { SaxesParser } from 'saxes'
import { LIMITS } from '../platform/limits.ts'
import { openYielding } from '../platform/yielding.ts'
import { ENTITIES } from './xml/entities.ts'

/** What is parsed at once, before others have their turn. */
const PIECE_CHARACTERS = 16_384
/** Different paths of a document that are distinguished. */
const PATHS_MAX = 10_000

/** Gives a text to a parser piece by piece, until `isDone`. */
async function feed(head: string, write: (piece: string) => void, isDone: () => boolean): Promise<void> {
  const yielding = openYielding()
  for (let at = 0; at < head.length && !isDone(); at += PIECE_CHARACTERS) {
    write(head.slice(at, at + PIECE_CHARACTERS))
    const pause = yielding()
    if (pause !== null) await pause
  }
}

/** The path of the first list of objects in the beginning of a JSON document; undefined when it is a list itself, or has none. */
export async function listPathOf(head: string): Promise<string | undefined> {
  // tokens alone: the document is cut off, and its values do not matter
  const parser = new JSONParser({ paths: ['$.none'], keepStack: false })
  const open: { isList: boolean; key: string }[] = []
  let key = ''
  let found: string | undefined
  let isTooDeep = false
  let previous: TokenType | undefined
  parser.onValue = () => {}
  parser.onToken = ({ token, value }) => {
    if (found !== undefined || isTooDeep) return
    if (token === TokenType.STRING) key = String(value)
    else if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      const isElement = token === TokenType.LEFT_BRACE && previous === TokenType.LEFT_BRACKET
      if (isElement)
        found = open
          .slice(1)
          .map((level) => level.key)
          .join('.')
      open.push({ isList: token === TokenType.LEFT_BRACKET, key })
      isTooDeep = open.length > LIMITS.importDepthMax
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) open.pop()
    previous = token
  }
  try {
    await feed(
      head,
      (piece) => parser.write(piece),
      () => found !== undefined || isTooDeep,
    )
  } catch {
    // what is wrong with the document is said when it is read
  }
  return found === '' ? undefined : found
}

/** The elements of one path. */
interface Place {
  name: string
  parent: Place | undefined
  depth: number
  count: number
  /** Whether one of them has elements in it, or several attributes. */
  isFilled: boolean
  inner: Map<string, Place>
}

/** The path of the records in the beginning of an XML document: the shallowest element that is repeated and has others in it. */
export async function recordPathOf(head: string): Promise<string | undefined> {
  const parser = new SaxesParser({ xmlns: false })
  const root: Place = { name: '', parent: undefined, depth: 0, count: 0, isFilled: false, inner: new Map() }
  const places: Place[] = []
  let at = root
  let isTooMuch = false
  parser.ENTITIES = ENTITIES
  parser.on('error', () => {})
  parser.on('opentag', ({ name, attributes }) => {
    at.isFilled = true
    let place = at.inner.get(name)
    if (place === undefined) {
      place = { name, parent: at, depth: at.depth + 1, count: 0, isFilled: false, inner: new Map() }
      at.inner.set(name, place)
      places.push(place)
      isTooMuch ||= place.depth > LIMITS.importDepthMax || places.length > PATHS_MAX
    }
    at = place
    place.count++
    if (Object.keys(attributes).length > 1) place.isFilled = true
  })
  parser.on('closetag', () => (at = at.parent ?? root))
  await feed(
    head.trimStart(),
    (piece) => parser.write(piece),
    () => isTooMuch,
  )
  const records = places.filter(({ depth, isFilled }) => depth > 1 && isFilled)
  const repeated = records.filter(({ count }) => count > 1)
  const [best] = (repeated.length > 0 ? repeated : records).toSorted((a, b) => a.depth - b.depth || b.count - a.count)
  return best === undefined ? undefined : pathTo(best)
}

function pathTo(place: Place): string {
  const names: string[] = []
  for (let at: Place | undefined = place; at?.parent !== undefined; at = at.parent) names.unshift(at.name)
  return names.join('.')
}
