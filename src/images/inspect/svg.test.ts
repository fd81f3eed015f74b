import { describe, expect, test } from 'vitest'
import { judgeSvg } from './svg.ts'

const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`
const judge = (text: string) => judgeSvg(new TextEncoder().encode(text))
const reasonOf = (text: string) => {
  const verdict = judge(text)
  return verdict.ok ? 'safe' : verdict.reason
}

describe('an SVG', () => {
  test('that only draws is safe, as drawing programs write it', () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
      <!-- made by hand -->
      ${svg(
        `<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:li>x</rdf:li></rdf:RDF></metadata>
         <style>.a { fill: url(#g); stroke: #333 }</style>
         <defs><linearGradient id="g"><stop offset="0" style="stop-color: red"/></linearGradient></defs>
         <path id="p" class="a" d="M0 0h10v10z" fill="url('#g')"/><use xlink:href="#p" x="20"/>
         <image href="data:image/png;base64,iVBORw0KGgo="/><text>onload=alert(1)</text>
         <g xmlns:i="urn:i" i:export="C:\\x" aria-label="a\\b"/>`,
        'width="24px" height="30" viewBox="0 0 48 60"',
      )}`
    expect(judge(text)).toEqual({ ok: true, width: 24, height: 30 })
  })

  test.each([
    ['width="100%" height="100%" viewBox="0 0 48 60.4"', 48, 60],
    ['viewBox="0,0,12,13"', 12, 13],
    ['width="2em"', 300, 150],
    ['width="0" height="-1"', 300, 150],
  ])('of %s has a size', (attributes, width, height) => {
    expect(judge(svg('<g/>', attributes))).toEqual({ ok: true, width, height })
  })

  test.each([
    ['a script', svg('<script>alert(1)</script>')],
    ['a script of another prefix', svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>')],
    ['HTML', svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>')],
    ['a foreign object', svg('<foreignObject><div/></foreignObject>')],
    ['an animation of an address', svg('<animate attributeName="href" to="javascript:alert(1)"/>')],
    ['a link', svg('<a href="#x"><path/></a>')],
    ['a handler', svg('<g/>', 'onload="alert(1)"')],
    ['a handler in capitals', svg('<g/>', 'ONLOAD="alert(1)"')],
    ['a handler of a child', svg('<path onclick="alert(1)"/>')],
    ['a reference to another file', svg('<use href="other.svg#a"/>')],
    ['a reference to another host', svg('<image xlink:href="https://example.com/x.png"/>')],
    ['an address that runs', svg('<image href=" javascript:alert(1)"/>')],
    ['an address that is an SVG', svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>')],
    ['an address whose letters are written as numbers', svg('<image href="&#104;ttps://example.com/x.png"/>')],
    ['a style that loads', svg('<style>@import "https://example.com/x.css";</style>')],
    ['a style that loads in CDATA', svg('<style><![CDATA[@import url(x.css);]]></style>')],
    ['a style that refers to a host', svg('<path style="fill: url(https://example.com/x#a)"/>')],
    ['a presentation attribute that refers to a host', svg('<path fill="url(//example.com/x#a)"/>')],
    ['a style with escapes', svg('<style>a{fill:\\75 rl(x)}</style>')],
    ['a style attribute with escapes', svg('<path style="fill:\\75 rl(x)"/>')],
    ['a style in two pieces', svg('<style>@imp<!-- -->ort "x.css";</style>')],
    ['a style in other pieces', svg('<style>@imp<![CDATA[ort "x.css";]]></style>')],
    ['a style with a set of pictures', svg('<style>a{fill:image-set("https://example.com/x" 1x)}</style>')],
    ['another base', svg('<g xml:base="https://example.com/"/>')],
    ['a style sheet', `<?xml-stylesheet href="https://example.com/x.css"?>${svg('')}`],
    ['entities', `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg('')}`],
    ['uses of uses', svg('<g id="a"><path/></g><g id="b"><use href="#a"/><use href="#a"/></g><use href="#b"/>')],
    ['itself', svg('<g id="a"><use href="#a"/></g>')],
    ['too many elements', svg('<g/>'.repeat(50_001))],
    ['too deep nesting', svg('<g>'.repeat(200) + '</g>'.repeat(200))],
  ])('with %s is unsafe', (_, text) => {
    expect(reasonOf(text)).toBe('unsafe_svg')
  })

  test.each([
    ['another document', '<html/>'],
    ['an svg of no namespace', '<svg/>'],
  ])('that is %s is no image', (_, text) => expect(reasonOf(text)).toBe('not_an_image'))

  test.each([
    ['is not well-formed', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'],
    ['ends early', '<svg xmlns="http://www.w3.org/2000/svg"><g>'],
    ['uses an entity that nobody declared', svg('&x;')],
  ])('that %s is unreadable', (_, text) => expect(reasonOf(text)).toBe('unreadable_image'))

  test('that is not UTF-8 is unreadable', () => {
    const utf16 = Buffer.from(svg('<script>alert(1)</script>'), 'utf16le')
    expect(judgeSvg(utf16)).toMatchObject({ ok: false })
    expect(judgeSvg(Buffer.from([0x3c, 0xff, 0xfe]))).toMatchObject({ ok: false, reason: 'unreadable_image' })
  })
})
