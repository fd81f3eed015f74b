/**
 * Decides which SVGs are safe to be served: only drawing, with nothing that runs, loads or links. It is a list of what is allowed,
 * because dangerous features cannot be listed completely. The Content-Security-Policy of served pictures is a second protection.
 */
import { SaxesParser, type SaxesAttributeNS, type SaxesTagNS } from 'saxes'
import { LIMITS } from '../../platform/limits.ts'

export type SvgVerdict =
  | { ok: true; width: number; height: number }
  | { ok: false; reason: 'not_an_image' | 'unreadable_image' | 'unsafe_svg'; message: string }

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'
/** Elements of these namespaces run or load in any document; those of other namespaces are inert. */
const ACTIVE_NAMESPACES = ['http://www.w3.org/1999/xhtml', 'http://www.w3.org/1998/Math/MathML']
const DRAWING = new Set(
  (
    'svg g defs symbol use switch path rect circle ellipse line polyline polygon text tspan textPath image style ' +
    'linearGradient radialGradient stop clipPath mask pattern marker filter title desc metadata view ' +
    'feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap ' +
    'feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode ' +
    'feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence'
  ).split(' '),
)
const EMBEDDED = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/
/** The size that CSS gives a drawing without a size. */
const DEFAULT_SIZE = { width: 300, height: 150 }

class Refusal extends Error {
  readonly reason: 'not_an_image' | 'unsafe_svg'
  constructor(reason: Refusal['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}
const unsafe = (message: string) => new Refusal('unsafe_svg', message)

/** Judges the text of a file that begins like XML. Time and memory are linear in its length. */
export function judgeSvg(bytes: Uint8Array): SvgVerdict {
  try {
    return { ok: true, ...readSvg(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.reason, message: error.message }
    const message = error instanceof Error ? error.message.slice(0, 200) : 'it cannot be parsed'
    return { ok: false, reason: 'unreadable_image', message: `it is no well-formed XML in UTF-8: ${message}` }
  }
}

function readSvg(text: string): { width: number; height: number } {
  const parser = new SaxesParser({ xmlns: true })
  let size: { width: number; height: number } | undefined
  let elements = 0
  const references: { target: string; within: readonly string[] }[] = []
  const open: { id: string | undefined; style: string | null }[] = []
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw unsafe('it declares entities')
  })
  parser.on('processinginstruction', ({ target }) => {
    if (/^xml-/i.test(target)) throw unsafe(`it has the instruction ${target.slice(0, 40)}`)
  })
  parser.on('opentag', (tag) => {
    if (++elements > LIMITS.imageSvgElementsMax) throw unsafe(`it has more than ${LIMITS.imageSvgElementsMax} elements`)
    size ??= sizeOfRoot(tag)
    requireDrawing(tag)
    const attributes = Object.values(tag.attributes)
    for (const attribute of attributes) requireHarmless(attribute)
    const within = open.flatMap(({ id }) => id ?? [])
    if (tag.local === 'use') references.push({ target: hrefOf(attributes).slice(1), within })
    open.push({ id: valueOf(tag, 'id'), style: tag.uri === SVG_NAMESPACE && tag.local === 'style' ? '' : null })
    if (open.length > LIMITS.imageSvgDepthMax) throw unsafe(`it is nested deeper than ${LIMITS.imageSvgDepthMax}`)
  })
  // comments and CDATA split a text into several events, but the style is one text
  const onText = (content: string) => {
    const element = open.at(-1)
    if (typeof element?.style === 'string') element.style += content
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', () => {
    const element = open.pop()
    if (typeof element?.style === 'string') requireHarmlessCss(element.style)
  })
  parser.write(text).close()
  // a referenced part must not reference others: ten levels of ten references each would be drawn ten thousand million times
  const using = new Set(references.flatMap(({ within }) => within))
  if (references.length > LIMITS.imageSvgUsesMax || references.some(({ target }) => using.has(target)))
    throw unsafe('it repeats parts of itself too often')
  return size ?? DEFAULT_SIZE
}

function sizeOfRoot(tag: SaxesTagNS): { width: number; height: number } {
  if (tag.local !== 'svg' || tag.uri !== SVG_NAMESPACE)
    throw new Refusal('not_an_image', `it is an XML document of ${tag.name.slice(0, 40)}, not of svg`)
  const [, , boxWidth, boxHeight] = (valueOf(tag, 'viewBox') ?? '').trim().split(/[\s,]+/)
  return {
    width: pixels(valueOf(tag, 'width')) ?? pixels(boxWidth) ?? DEFAULT_SIZE.width,
    height: pixels(valueOf(tag, 'height')) ?? pixels(boxHeight) ?? DEFAULT_SIZE.height,
  }
}

function pixels(text: string | undefined): number | undefined {
  const [, number] = /^\s*(\d{1,9}(?:\.\d{0,20})?)(?:px)?\s*$/.exec(text ?? '') ?? []
  const value = Math.round(Number(number ?? 0))
  return value > 0 ? value : undefined
}

function requireDrawing({ local, name, uri }: SaxesTagNS): void {
  if (ACTIVE_NAMESPACES.includes(uri) || (uri === SVG_NAMESPACE && !DRAWING.has(local)))
    throw unsafe(`it has an element ${name.slice(0, 40)}`)
}

const valueOf = (tag: SaxesTagNS, name: string) => tag.attributes[name]?.value
const hrefOf = (attributes: readonly SaxesAttributeNS[]) =>
  attributes.find(({ local }) => local === 'href')?.value.trim() ?? ''

function requireHarmless({ local, name, prefix, value }: SaxesAttributeNS): void {
  const lower = local.toLowerCase()
  if (lower.startsWith('on') || lower === 'src' || (prefix === 'xml' && lower === 'base'))
    throw unsafe(`it has an attribute ${name.slice(0, 40)}`)
  if (lower === 'href' && !value.trim().startsWith('#') && !EMBEDDED.test(value.trim()))
    throw unsafe('it refers to something outside of itself')
  // presentation attributes are CSS, too; attributes of other namespaces have no effect in browsers
  if (prefix === '' && name !== 'xmlns' && lower !== 'href' && !/^(?:data|aria)-/.test(lower)) requireHarmlessCss(value)
}

function requireHarmlessCss(css: string): void {
  // an escape could spell anything that is refused below
  if (css.includes('\\')) throw unsafe('it has a style with escapes')
  if (/@import|expression\s*\(|javascript:/i.test(css)) throw unsafe('it has a style that loads or runs')
  for (const [, target = ''] of css.matchAll(/(?:url|image-set|src)\s*\(\s*(["']?[^)]{0,20})/gi)) {
    if (!/^["']?#/.test(target)) throw unsafe('it has a style that refers to something outside of itself')
  }
}
