import { JSONParser, TokenType } from '@streamparser/json'
import { SaxesParser } from 'saxes'
import { LIMITS } from '../../platform/limits.ts'
import { openYielding } from '../../platform/turns/yielding.ts'
import { fieldOfArticle } from './column-names.ts'
import { BareAmpersands } from '../xml/bare-ampersands.ts'
import { ENTITIES } from '../xml/entities.ts'

/** How many characters are parsed before other work gets its turn. */
const PIECE_CHARACTERS = 16_384
/** How many different paths of a document are distinguished. */
const PATHS_MAX = 10_000

/** Passes a text to a parser piece by piece, until `isDone`. */
async function feed(head: string, write: (piece: string) => void, isDone: () => boolean): Promise<void> {
  const yielding = openYielding()
  for (let at = 0; at < head.length && !isDone(); at += PIECE_CHARACTERS) {
    write(head.slice(at, at + PIECE_CHARACTERS))
    const pause = yielding()
    if (pause !== null) await pause
  }
}

/** Records whose members are called like this many fields of articles are articles, whatever else is repeated. */
const FIELDS_OF_ARTICLES = 3
/** Other records are articles if they have this many fields more, because categories have keys and names, too. */
const FIELDS_MORE = 2
/** Fields of articles beside a name and a key. Warehouses, contacts and suppliers have none of them. */
const OF_GOODS: readonly string[] = ['cost', 'quantity', 'ean']
/** Records with so few members, such as a key, a name and a parent, may outnumber the articles. */
const FEW_MEMBERS = 3
/** How many names of members are examined, in a list and in a document. */
const MEMBERS_MAX = 300
const NAMES_MAX = 5_000

/** The path of the records of a document. */
export interface RecordPath {
  path: string
  /** The first list of records in the document, if it is not this one. */
  passedOver?: string
  /** Another list whose records have mostly the same members, such as articles of another kind. Only one list is read. */
  alike?: string
}

/** The records at one path. */
interface Records {
  path: string
  /** Their number in the beginning of the document. */
  count: number
  names: ReadonlySet<string>
  /** The fields of articles like which their members are called. */
  fields: ReadonlySet<string>
}

/** Returns a function that finds the field for a member's name. Results are kept, because documents repeat the names in every record. */
function openFields(): (name: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (name) => {
    if (known.has(name)) return known.get(name)
    if (known.size >= NAMES_MAX) return undefined
    const field = fieldOfArticle(name)
    known.set(name, field)
    return field
  }
}

/**
 * The path of the list of articles in the beginning of a JSON document: the first list of objects, unless its members are not called like fields of
 * articles and those of another list are.
 * @returns undefined if the document is a list itself, or contains none
 */
export async function listPathOf(head: string): Promise<RecordPath | undefined> {
  // only tokens are used: the document may be cut off, and its values do not matter
  const parser = new JSONParser({ paths: ['$.none'], keepStack: false })
  interface List {
    count: number
    names: Set<string>
    fields: Set<string>
  }
  const open: { isList: boolean; key: string; list: List | undefined }[] = []
  const lists = new Map<string, List>()
  const fieldOf = openFields()
  let key = ''
  let isDone = false
  let tokensLeft = Infinity
  parser.onValue = () => {}
  parser.onToken = ({ token, value }) => {
    if (isDone || --tokensLeft < 0) {
      isDone = true
      return
    }
    if (token === TokenType.STRING) key = String(value)
    else if (token === TokenType.COLON) {
      const list = open.at(-1)?.list
      if (list === undefined || list.names.size >= MEMBERS_MAX || list.names.has(key)) return
      list.names.add(key)
      const field = fieldOf(key)
      if (field !== undefined) list.fields.add(field)
    } else if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      const level = open.at(-1)
      // an object in a list that is not within another list
      const isRecord = token === TokenType.LEFT_BRACE && level?.isList === true
      const isWithin = open.slice(0, -1).some(({ isList }) => isList)
      let list: List | undefined
      if (isRecord && !isWithin) {
        const path = open
          .slice(1)
          .map((one) => one.key)
          .join('.')
        list = lists.get(path) ?? { count: 0, names: new Set(), fields: new Set() }
        list.count++
        if (lists.size < LIMITS.importColumnsMax) lists.set(path, list)
      }
      open.push({ isList: token === TokenType.LEFT_BRACKET, key, list })
      isDone = open.length > LIMITS.importDepthMax
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) {
      const list = open.pop()?.list
      if (list === undefined) return
      // done if the document itself is a list; if the first list has articles, only a similar list further on still matters
      isDone = lists.has('')
      if (lists.size === 1 && list.fields.size >= FIELDS_OF_ARTICLES) tokensLeft = Math.min(tokensLeft, TOKENS_BEHIND)
    }
  }
  try {
    await feed(
      head,
      (piece) => parser.write(piece),
      () => isDone,
    )
  } catch {
    // the reading of the document reports its errors
  }
  const records = [...lists].map(([path, { count, names, fields }]) => ({ path, count, names, fields }))
  return records[0]?.path === '' ? undefined : bestOf(records)
}
/** How many tokens after the first article of a list are searched for another list. */
const TOKENS_BEHIND = 20_000

/**
 * Chooses the records with the articles: the first ones, unless their members are not called like fields of articles and those of later ones are.
 */
function bestOf(records: readonly Records[]): RecordPath | undefined {
  const [first] = records
  if (first === undefined) return undefined
  if (first.fields.size >= FIELDS_OF_ARTICLES) return { path: first.path, ...alikeAmong(first, records) }
  /**
   * Whether records are beside the first ones, and neither contains the other, as products contain versions, and a feed with a title contains
   * articles.
   */
  const isBeside = ({ path }: Records) =>
    // in a feed of one article, the data of its shop may come first and exist once, too
    first.count === 1 || (!path.startsWith(`${first.path}.`) && !first.path.startsWith(`${path}.`))
  /**
   * Whether the first records describe another record that contains them, such as the properties of a feed's only article: nothing in them is for
   * sale.
   */
  const isWhatHasThem = ({ path }: Records) =>
    first.path.startsWith(`${path}.`) && !OF_GOODS.some((field) => first.fields.has(field))
  const [best] = records
    .filter(
      (one) =>
        one.fields.size >= Math.max(FIELDS_OF_ARTICLES, first.fields.size + FIELDS_MORE) &&
        OF_GOODS.some((field) => one.fields.has(field)) &&
        (isWhatHasThem(one) || (isBeside(one) && (one.count >= first.count || first.names.size <= FEW_MEMBERS))),
    )
    .toSorted((a, b) => b.fields.size - a.fields.size)
  return best === undefined
    ? { path: first.path, ...alikeAmong(first, records) }
    : { path: best.path, passedOver: first.path, ...alikeAmong(best, records) }
}

/** Records with fewer members may be alike by chance; others are alike if they share this part of the members. */
const ALIKE_MEMBERS_MIN = 2
const ALIKE_SHARE = 0.6

/** Another list whose records have most members of the chosen ones, such as articles of another category. */
function alikeAmong(read: Records, records: readonly Records[]): { alike?: string } {
  if (read.names.size < ALIKE_MEMBERS_MIN || read.fields.size === 0) return {}
  const isWithin = (one: string, other: string) => one.startsWith(`${other}.`)
  const found = records.find(
    ({ path, names }) =>
      path !== read.path &&
      !isWithin(path, read.path) &&
      !isWithin(read.path, path) &&
      [...read.names].filter((name) => names.has(name)).length >= read.names.size * ALIKE_SHARE,
  )
  return found === undefined ? {} : { alike: found.path }
}

/** The elements at one path. */
interface Place {
  name: string
  parent: Place | undefined
  depth: number
  count: number
  /** Whether one of them has child elements or several attributes. */
  isFilled: boolean
  inner: Map<string, Place>
  attributes: Set<string>
}

/**
 * The path of the records in the beginning of an XML document: the shallowest element that is repeated and has children, unless its members are not
 * called like fields of articles and those of another element are.
 */
export async function recordPathOf(head: string): Promise<RecordPath | undefined> {
  const parser = new SaxesParser({ xmlns: false })
  const root = placeOf('', undefined)
  const places: Place[] = []
  let at = root
  let isTooMuch = false
  parser.ENTITIES = ENTITIES
  parser.on('error', () => {})
  parser.on('opentag', ({ name, attributes }) => {
    at.isFilled = true
    let place = at.inner.get(name)
    if (place === undefined) {
      place = placeOf(name, at)
      at.inner.set(name, place)
      places.push(place)
      isTooMuch ||= place.depth > LIMITS.importDepthMax || places.length > PATHS_MAX
    }
    at = place
    place.count++
    const own = Object.keys(attributes)
    if (own.length > 1) place.isFilled = true
    for (const attribute of own) if (place.attributes.size < MEMBERS_MAX) place.attributes.add(attribute)
  })
  parser.on('closetag', () => (at = at.parent ?? root))
  const ampersands = new BareAmpersands()
  await feed(
    head.trimStart(),
    (piece) => parser.write(ampersands.take(piece)),
    () => isTooMuch,
  )
  const records = places.filter(({ depth, isFilled }) => depth > 1 && isFilled)
  const repeated = records.filter(({ count }) => count > 1)
  const sorted = (repeated.length > 0 ? repeated : records).toSorted((a, b) => a.depth - b.depth || b.count - a.count)
  const [first] = sorted
  if (first === undefined) return undefined
  // a list may have a single article, so elements that are not repeated count, too
  const others = records.filter((place) => place !== first).toSorted((a, b) => a.depth - b.depth || b.count - a.count)
  const fieldOf = openFields()
  return bestOf(
    [first, ...others].slice(0, PLACES_NAMED_MAX).map((place) => {
      const names = new Set([...place.inner.keys(), ...place.attributes].slice(0, MEMBERS_MAX))
      const fields = new Set([...names].map(fieldOf).filter((field) => field !== undefined))
      return { path: pathTo(place), count: place.count, names, fields }
    }),
  )
}

/** For how many kinds of elements the names of their members are examined. */
const PLACES_NAMED_MAX = 200

const placeOf = (name: string, parent: Place | undefined): Place => ({
  name,
  parent,
  depth: parent === undefined ? 0 : parent.depth + 1,
  count: 0,
  isFilled: false,
  inner: new Map(),
  attributes: new Set(),
})

function pathTo(place: Place): string {
  const names: string[] = []
  for (let at: Place | undefined = place; at?.parent !== undefined; at = at.parent) names.unshift(at.name)
  return names.join('.')
}
