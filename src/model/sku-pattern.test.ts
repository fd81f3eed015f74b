import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildSku, parseSkuPattern, type SkuFault, type SkuParts, type SkuPattern } from './sku-pattern.ts'

const SEED = { seed: Number(process.env['SEED'] ?? 13_579), numRuns: 1_000 }

const NOTHING: SkuParts = {
  id: 1,
  sku: null,
  supplierCode: null,
  supplierSku: null,
  ean: null,
  manufacturer: null,
  category: null,
}
const SPADE: SkuParts = {
  id: 1024,
  sku: 'own-1',
  supplierCode: 'nord',
  supplierSku: 'sp-77',
  ean: '4006381333931',
  manufacturer: 'Gärtner & Söhne',
  category: 'Tools/Hand tools',
}

function parsed(text: string): SkuPattern {
  const result = parseSkuPattern(text)
  if ('faults' in result) throw new Error(`${text}: ${JSON.stringify(result.faults)}`)
  return result.pattern
}
function faultsOf(text: string): SkuFault[] {
  const result = parseSkuPattern(text)
  return 'faults' in result ? result.faults : []
}
const build = (pattern: string, parts: Partial<SkuParts> = {}) => buildSku(parsed(pattern), { ...NOTHING, ...parts })
/** The result of transformations applied to the product's own SKU. */
const transformed = (transformations: string, sku: string | null) => build(`{sku|${transformations}}`, { sku }).sku

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
/**
 * The standard's verification, which includes the check character. Its arithmetic differs from that of the code under test.
 */
function isValid(text: string): boolean {
  let sum = 18
  for (const character of text) sum = ((((sum === 0 ? 36 : sum) * 2) % 37) + ALPHABET.indexOf(character)) % 36
  return sum === 1
}
const CHECKED = parsed('{sku}{checksum}')
const withCheck = (sku: string) => buildSku(CHECKED, { ...NOTHING, sku }).sku ?? ''

describe('a SKU pattern', () => {
  it.each([
    ['{id}', '1024'],
    ['{sku}', 'own-1'],
    ['{supplier_code}', 'nord'],
    ['{supplier_sku}', 'sp-77'],
    ['{ean}', '4006381333931'],
    ['{manufacturer}', 'Gärtner & Söhne'],
    ['{category}', 'Hand tools'],
    ['{category_path}', 'Tools/Hand tools'],
    ['{supplier_code|upper}-{supplier_sku}', 'NORD-sp-77'],
    ['{manufacturer|ascii|alnum|upper|first:3}-{id|pad:6}', 'GAR-001024'],
    ['{manufacturer|ascii|alnum|upper|first:3}-{id|pad:6}-{checksum}', 'GAR-001024-S'],
    ['{checksum}{id}', '51024'],
    ['{id}{id}', '10241024'],
    ['{{{id}}}', '{1024}'],
    ['{{id}}{id}}}{{', '{id}1024}{'],
    ['n° {id}/€', 'n° 1024/€'],
    ['{category|slug}.{category_path|slug}', 'hand-tools.tools-hand-tools'],
  ])('%s makes %s', (pattern, sku) => {
    expect(buildSku(parsed(pattern), SPADE)).toEqual({ sku, missing: null, steps: [] })
  })

  it.each([
    ['Tools', 'Tools'],
    ['Tools/', 'Tools'],
    ['Tools / Hand tools ', 'Hand tools'],
    ['a/b/c', 'c'],
    ['a// /', 'a'],
    ['/a', 'a'],
    ['', null],
    ['/', null],
    [' / ', null],
    [null, null],
  ])('the last level of %j is %j', (category, sku) => {
    expect(build('{category}', { category }).sku).toBe(sku)
  })
})

describe('a transformation', () => {
  it.each([
    ['upper', 'aß-ı', 'ASS-I'],
    ['lower', 'ABC-Ł', 'abc-ł'],
    ['trim', ' \u00a0a b\n', 'a b'],
    ['ascii', 'Žluťoučký kůň', 'Zlutoucky kun'],
    ['ascii', 'ßẞłŁøØæÆœŒđĐðÐþÞħĦŧŦŋŊıȷĸ', 'ssSSlLoOaeAEoeOEdDdDthTHhHtTngNGijk'],
    ['ascii', 'ǿǽ ﬁ Ⅳ ２ a\u0308', 'oae fi IV 2 a'],
    ['ascii', 'a–b € 水 😀 Ж\tz', 'ab    \tz'],
    ['alnum', 'a-b_c 1.2/', 'abc12'],
    ['alnum', 'Müller & Söhne', 'MullerSohne'],
    ['alnum', 'Łódź, Ørsted, Straße, Đorđe, ẞ', 'LodzOrstedStrasseDordeSS'],
    ['alnum', 'mu\u0308ller e\u0301', 'mullere'],
    ['alnum', 'Жуков, Щукарь, Юлия, йод', 'ZhukovShchukarYuliyayod'],
    ['alnum', 'Ελλάδα Ψωμί ἀρχή', 'ElladaPsomiarchi'],
    ['alnum', '２ ٣ Ⅳ ﬁ', '23IVfi'],
    ['alnum', '水', 'Shui'],
    // signs are neither letters nor digits: their names are not inserted
    ['alnum', '😀 € ™ – a m²', 'am2'],
    ['az09', 'a-b_c 1.2/ä', 'abc12'],
    ['az09', 'Müller Ж', 'Mller'],
    ['slug', '  Größe: M & L (łódź) ', 'grosse-m-l-lodz'],
    ['slug', 'O’Neill – 2\u00a0m', 'o-neill-2-m'],
    ['slug', 'a\u0308b\u00adc\td', 'abc-d'],
    ['digits', 'a1-2٣ 3', '123'],
    ['first:3', 'abcdef', 'abc'],
    ['first:3', 'ab', 'ab'],
    ['first:2', '😀😀😀', '😀😀'],
    ['first:200', 'a', 'a'],
    ['last:3', 'abcdef', 'def'],
    ['last:3', 'ab', 'ab'],
    ['last:2', 'a😀b😀', 'b😀'],
    ['last:2', '😀😀😀', '😀😀'],
    ['pad:6', '42', '000042'],
    ['pad:3', '😀', '00😀'],
    ['pad:3', '12345', '12345'],
    ['pad:50', '1', `${'0'.repeat(49)}1`],
    ['default:X', 'a', 'a'],
    ['default:X', '', 'X'],
    ['default:X', null, 'X'],
    ['default:a:b c', null, 'a:b c'],
    ['default:none|upper', null, 'NONE'],
    ['upper|default:none', null, 'none'],
    ['digits|default:0|pad:3', 'abc', '000'],
    ['first:4|last:2|upper', 'abcdef', 'CD'],
    ['upper|first:1', 'ß', 'S'],
    ['first:1|upper', 'ß', 'SS'],
  ])('%s of %j is %j', (transformations, sku, result) => {
    expect(transformed(transformations, sku)).toBe(result)
  })

  it.each(['pad:6', 'first:3', 'last:3', 'upper', 'slug'])('%s of nothing is nothing', (transformation) => {
    expect(transformed(transformation, '')).toBeNull()
    expect(transformed(transformation, null)).toBeNull()
  })

  it('reads a lone surrogate as U+FFFD', () => {
    expect(transformed('trim', 'a\ud83d')).toBe('a\ufffd')
    expect(transformed('ascii', 'a\ude00b')).toBe('ab')
    expect(build('{sku}{ean}', { sku: 'a\ud83d', ean: '\ude00' }).sku).toBe('a\ufffd\ufffd')
  })
})

describe('a SKU that cannot be built', () => {
  it.each<[string, Partial<SkuParts>, string]>([
    ['{supplier_code}-{sku}', { sku: 'a' }, 'supplier_code'],
    ['{sku}-{supplier_code}-{ean}', { sku: 'a' }, 'supplier_code'],
    ['{sku}', { sku: '' }, 'sku'],
    ['{sku|digits}', { sku: 'abc' }, 'sku'],
    ['{sku|default:X|digits}', {}, 'sku'],
    ['{category_path}', {}, 'category_path'],
    ['{manufacturer|ascii}{id}', { manufacturer: '水' }, 'manufacturer'],
    ['{sku}-{checksum}', { sku: '-' }, 'checksum'],
    ['{checksum}{sku}', {}, 'sku'],
    ['{sku}', { sku: 'a'.repeat(201) }, 'too_long'],
    ['{sku}{checksum}', { sku: 'a'.repeat(200) }, 'too_long'],
    ['{sku}', { sku: '😀'.repeat(201) }, 'too_long'],
  ])('of %s is null with the reason', (pattern, parts, missing) => {
    expect(build(pattern, parts)).toEqual({ sku: null, missing, steps: [] })
  })

  it('may have 200 characters', () => {
    expect(build('{sku}', { sku: 'a'.repeat(200) }).sku).toHaveLength(200)
    expect(build('{sku}', { sku: '😀'.repeat(200) }).missing).toBeNull()
  })
})

describe('an explanation', () => {
  it('has a step for every placeholder, the checksum last', () => {
    expect(buildSku(parsed('{manufacturer|upper|first:1}{checksum}-{id}'), SPADE, true)).toEqual({
      sku: 'GB-1024',
      missing: null,
      steps: [
        { placeholder: 'manufacturer', value: 'Gärtner & Söhne', result: 'G' },
        { placeholder: 'id', value: '1024', result: '1024' },
        { placeholder: 'checksum', value: 'G-1024', result: 'B' },
      ],
    })
  })

  it('goes on after a missing part', () => {
    expect(buildSku(parsed('{sku|digits}-{ean}-{id}{checksum}'), { ...NOTHING, sku: 'abc' }, true)).toEqual({
      sku: null,
      missing: 'sku',
      steps: [
        { placeholder: 'sku', value: 'abc', result: null },
        { placeholder: 'ean', value: null, result: null },
        { placeholder: 'id', value: '1', result: '1' },
        { placeholder: 'checksum', value: null, result: null },
      ],
    })
  })

  it('is not built unless asked for: the empty steps are shared and frozen', () => {
    const { steps } = build('{id}')
    expect(build('{sku}').steps).toBe(steps)
    expect(Object.isFrozen(steps)).toBe(true)
  })
})

describe('a pattern with faults', () => {
  const KNOWN = 'id, sku, supplier_code, supplier_sku, ean, manufacturer, category, category_path'
  it.each([
    ['', 0, 'is empty'],
    ['{colour}', 1, `"colour" is not a placeholder; the placeholders are ${KNOWN}, checksum`],
    ['{}', 1, '"" is not a placeholder'],
    ['{ id }', 1, '" id " is not a placeholder'],
    ['{ID}', 1, '"ID" is not a placeholder'],
    ['{constructor}', 1, '"constructor" is not a placeholder'],
    [
      'x{id|shout}',
      5,
      '"shout" is not a transformation; the transformations are upper, lower, trim, ascii, alnum, az09, slug, digits, first:N, last:N, pad:N, default:TEXT',
    ],
    ['{id|upper|}', 10, '"" is not a transformation'],
    ['{id|upper|__proto__}', 10, '"__proto__" is not a transformation'],
    ['{id|upper:2}', 4, 'upper takes no argument'],
    ['{id|first}', 4, 'first takes a number from 1 to 200'],
    ['{id|first:}', 4, 'first takes a number'],
    ['{id|first:0}', 4, 'first takes a number'],
    ['{id|first:201}', 4, 'first takes a number'],
    ['{id|trim|last:-1}', 9, 'last takes a number from 1 to 200'],
    ['{id|last:1.5}', 4, 'last takes a number'],
    ['{id|pad:51}', 4, 'pad takes a number from 1 to 50'],
    ['{id|pad:٣}', 4, 'pad takes a number'],
    ['{id|pad: 3}', 4, 'pad takes a number'],
    ['{id|default}', 4, 'default takes a string'],
    ['{id|default:}', 4, 'default takes a string'],
    ['{id}-{sku', 5, 'a { without a }'],
    ['{id}{', 4, 'a { without a }'],
    ['{sku{id}', 0, 'a { without a }'],
    ['{{{id', 2, 'a { without a }'],
    ['{id}}', 4, 'a } without a {'],
    ['a}{id}', 1, 'a } without a {'],
    ['{id}{checksum}-{checksum}', 16, 'a second checksum'],
    ['{id}{checksum|lower}', 14, 'the checksum takes no transformation'],
    ['abc', 0, `has no placeholder, so every product would have the same SKU; the placeholders are ${KNOWN}`],
    ['{{id}}', 0, 'has no placeholder'],
    ['A-{checksum}', 0, 'has no placeholder'],
    ['{id}'.repeat(21), 81, 'has more than 20 placeholders'],
    [`{id}${'x'.repeat(197)}`, 200, 'has more than 200 characters'],
    [`{id}${'😀'.repeat(197)}`, 396, 'has more than 200 characters'],
    ['{id}\n', 4, 'contains a control character'],
    ['{id|default:\ud83d}', 12, 'contains a control character or half a surrogate pair'],
  ])('%j: at index %d: %s', (pattern, at, reason) => {
    const faults = faultsOf(pattern)
    expect(faults).toHaveLength(1)
    expect(faults[0]?.at).toBe(at)
    expect(faults[0]?.reason).toContain(reason)
  })

  it('reports all of them, sorted by place', () => {
    const pattern = '}{colour|shout|pad:99}{sku|first:x}{checksum}{checksum}{id'
    expect(faultsOf(pattern).map(({ at, reason }) => [at, reason.split(/[;,]/)[0]])).toEqual([
      [0, 'a } without a {'],
      [2, '"colour" is not a placeholder'],
      [9, '"shout" is not a transformation'],
      [15, 'pad takes a number from 1 to 50'],
      [27, 'first takes a number from 1 to 200'],
      [46, 'a second checksum'],
      [55, 'a { without a }'],
    ])
    expect(faultsOf('{checksum}{id}{checksum}{checksum}').map(({ at }) => at)).toEqual([15, 25])
  })

  it('that is also too long: a placeholder halved by the cut is no fault, and faults after it are not listed', () => {
    const reasons = (pattern: string) => faultsOf(pattern).map(({ reason }) => reason)
    expect(reasons(`${'x'.repeat(198)}{id}`)).toEqual(['has more than 200 characters'])
    expect(reasons(`{id}${'x'.repeat(195)}}}`)).toEqual(['has more than 200 characters'])
    expect(reasons(`{id}${'x'.repeat(195)}{{`)).toEqual(['has more than 200 characters'])
    expect(faultsOf('{a'.repeat(500_000))).toHaveLength(100)
  })

  it('may have 200 characters and 20 placeholders', () => {
    expect(faultsOf(`{id}${'😀'.repeat(196)}`)).toEqual([])
    expect(faultsOf('{id}'.repeat(20))).toEqual([])
    expect(faultsOf(`${'{id}'.repeat(19)}{checksum}`)).toEqual([])
  })
})

describe('the checksum', () => {
  it.each([
    // the GRid standard's example, ISAN's two check characters (over its root and version), two from an integrator's manual
    ['A12425GABC1234002', 'M'],
    ['A1-2425G-ABC1234002', 'M'],
    ['00000000D07A0090', 'Q'],
    ['00000000D07A009000000000', 'X'],
    ['000000003A8D0000', 'Z'],
    ['000000003A8D000000000000', '6'],
    ['123AB', 'X'],
    ['DA-DPIDA-3897722461-', 'J'],
  ])('of %s is %s', (sku, check) => {
    expect(withCheck(sku)).toBe(sku + check)
    expect(isValid((sku + check).replaceAll('-', ''))).toBe(true)
  })

  it('covers all other text wherever it is placed, ignoring case and characters that are not ASCII letters or digits', () => {
    const parts = { ...NOTHING, sku: 'a1_2425g', ean: 'ß.abc١1234002' }
    expect(buildSku(parsed('{sku}{checksum}{ean}'), parts).sku).toBe('a1_2425gMß.abc١1234002')
    expect(buildSku(parsed('{checksum}{sku}{ean}'), parts).sku).toBe('Ma1_2425gß.abc١1234002')
  })

  it('covers the fixed text as well', () => {
    expect(build('A1-2425G-{sku}-{checksum}', { sku: 'ABC1234002' }).sku).toBe('A1-2425G-ABC1234002-M')
  })

  const body = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 1, maxLength: 40 })

  it(`is the only character that the standard's verification accepts (SEED=${SEED.seed})`, () => {
    fc.assert(
      fc.property(body, (sku) => {
        expect([...ALPHABET].filter((check) => isValid(sku + check))).toEqual([withCheck(sku).slice(-1)])
      }),
      SEED,
    )
  })

  it(`detects any single wrong character, its own included (SEED=${SEED.seed})`, () => {
    fc.assert(
      fc.property(body, fc.nat(), fc.integer({ min: 1, max: 35 }), (sku, place, by) => {
        const whole = withCheck(sku)
        const i = place % whole.length
        const other = ALPHABET.charAt((ALPHABET.indexOf(whole.charAt(i)) + by) % 36)
        const wrong = whole.slice(0, i) + other + whole.slice(i + 1)
        expect(isValid(wrong)).toBe(false)
        expect(withCheck(wrong.slice(0, -1))).not.toBe(wrong)
      }),
      SEED,
    )
  })

  /** The standard promises "all or nearly all" swaps: a swap of two characters that are adjacent in the alphabet may pass. */
  const areNeighbours = (a: string, b: string) =>
    [1, 35].includes((ALPHABET.indexOf(a) - ALPHABET.indexOf(b) + 36) % 36)

  it(`detects a swap of two neighbours that do not follow each other in the alphabet (SEED=${SEED.seed})`, () => {
    fc.assert(
      fc.property(body, fc.nat(), (sku, place) => {
        const whole = withCheck(sku)
        const i = place % (whole.length - 1)
        const [a, b] = [whole.charAt(i), whole.charAt(i + 1)]
        fc.pre(a !== b && !areNeighbours(a, b))
        const wrong = whole.slice(0, i) + b + a + whole.slice(i + 2)
        expect(isValid(wrong)).toBe(false)
        expect(withCheck(wrong.slice(0, -1))).not.toBe(wrong)
      }),
      SEED,
    )
  })

  it('misses the swap of exactly one pair in 630, whatever comes before', () => {
    const pairs = [...ALPHABET].flatMap((a) => [...ALPHABET].filter((b) => a < b).map((b) => [a, b] as const))
    expect(pairs).toHaveLength(630)
    const passing = (before: string) =>
      pairs
        .filter(([a, b]) => withCheck(before + a + b).slice(-1) === withCheck(before + b + a).slice(-1))
        .map(([a, b]) => a + b)
    expect(passing('')).toEqual(['IJ'])
    const found = [...ALPHABET].map((before) => passing(before))
    expect(found.every((swaps) => swaps.length === 1)).toBe(true)
    expect(new Set(found.flat()).size).toBe(36)
    expect(found.flat().every(([a = '', b = '']) => areNeighbours(a, b))).toBe(true)
  })
})

describe('for any input', () => {
  const signs = fc.constantFrom(
    '{',
    '}',
    '|',
    ':',
    '{{',
    '}}',
    '{id}',
    '{sku',
    '|first:',
    '|default:',
    'checksum',
    '-',
    'ß',
    '😀',
    '\ud83d',
    '\0',
    '7',
  )
  const anyText = fc.oneof(
    fc.array(signs, { maxLength: 60 }).map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
  )

  const transformation = fc.oneof(
    fc.constantFrom('upper', 'lower', 'trim', 'ascii', 'alnum', 'az09', 'slug', 'digits', 'default:-', 'default:ß😀'),
    fc
      .tuple(fc.constantFrom('first', 'last', 'pad'), fc.integer({ min: 1, max: 50 }))
      .map(([name, count]) => `${name}:${count}`),
  )
  const placeholder = fc
    .tuple(
      fc.constantFrom('id', 'sku', 'supplier_code', 'supplier_sku', 'ean', 'manufacturer', 'category', 'category_path'),
      fc.array(transformation, { maxLength: 4 }),
    )
    .map(([name, all]) => `{${[name, ...all].join('|')}}`)
  const goodPattern = fc
    .tuple(
      fc.array(fc.oneof(placeholder, fc.constantFrom('-', '{{', '}}', 'é', '😀')), { maxLength: 5 }),
      placeholder,
      fc.constantFrom('', '{checksum}'),
      fc.constantFrom('', '_x'),
    )
    .map(([all, one, check, end]) => all.join('') + one + check + end)
    .filter((text) => Array.from(text).length <= 200)

  const unit = fc.oneof(
    fc.constantFrom('a', 'Z', '7', ' ', '/', 'ß', 'İ', 'ﬃ', '\u0301', '\ud83d', '\ude00', '\0', '{', '}'),
    fc.nat(0xffff).map((code) => String.fromCharCode(code)),
  )
  const value = fc.option(fc.string({ unit, maxLength: 30 }), { freq: 6 })
  const anyParts: fc.Arbitrary<SkuParts> = fc.record({
    id: fc.oneof(fc.nat(), fc.double()),
    sku: value,
    supplierCode: value,
    supplierSku: fc.oneof(value, fc.string({ unit, minLength: 150, maxLength: 400 })),
    ean: value,
    manufacturer: value,
    category: value,
  })

  it(`parsing returns a pattern, or faults with places inside the text (SEED=${SEED.seed})`, () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const result = parseSkuPattern(text)
        if ('pattern' in result) return
        expect(result.faults.length).toBeGreaterThan(0)
        let before = 0
        for (const { at, reason } of result.faults) {
          expect(at).toBeGreaterThanOrEqual(before)
          expect(at).toBeLessThanOrEqual(text.length)
          expect(reason).not.toBe('')
          before = at
        }
      }),
      SEED,
    )
  })

  it(`building is deterministic and well-formed, with and without an explanation (SEED=${SEED.seed})`, () => {
    fc.assert(
      fc.property(goodPattern, anyParts, (text, parts) => {
        const built = buildSku(parsed(text), parts)
        expect(built).toEqual(buildSku(parsed(text), { ...parts }))
        const { steps, ...explained } = buildSku(parsed(text), parts, true)
        expect({ ...explained, steps: [] }).toEqual(built)
        expect(steps).toHaveLength(text.match(/(?:^|[^{])(?:\{\{)*\{(?=[a-z])/g)?.length ?? 0)
        for (const step of steps) expect(`${step.value}${step.result}`.isWellFormed()).toBe(true)
        if (built.sku === null) {
          const first = steps.find((step) => step.result === null)
          expect(built.missing).toBe(first?.placeholder ?? 'too_long')
        } else {
          expect(built.missing).toBeNull()
          expect(built.sku.isWellFormed()).toBe(true)
          expect(built.sku).not.toBe('')
          expect(Array.from(built.sku).length).toBeLessThanOrEqual(200)
        }
      }),
      SEED,
    )
  })
})
