import { deflateRawSync, gzipSync, crc32 } from 'node:zlib'

/** A file that an attacker sends: deep, wide, long, with many parts, or small but expanding to a large size. */
export interface FileShape {
  name: string
  bytes: () => Buffer
  /** For previews and imports; detection needs none. */
  mapping?: unknown
}

const MIB = 1_048_576
const sku = { fields: { sku: 'sku' } }
const anyKey = { fields: { sku: { constant: 'A' } } }
const text = (name: string, make: () => string, mapping: unknown = anyKey): FileShape => ({
  name,
  bytes: () => Buffer.from(make()),
  mapping,
})
const columns = (count: number, name: (i: number) => string) => Array.from({ length: count }, (_, i) => name(i))
const table = (names: readonly string[], rows: number, cell: (row: number, column: number) => string) =>
  [names, ...Array.from({ length: rows }, (_, row) => names.map((_name, column) => cell(row, column)))]
    .map((cells) => cells.join(','))
    .join('\n') + '\n'

/** A zip archive with deflated files, made without a library that would hold all of it in memory. */
export function zipOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(crc32(content), 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(content.length, 22)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    head.copy(entry, 6, 4, 30)
    entry.writeUInt32LE(offset, 42)
    locals.push(head, Buffer.from(name), packed)
    entries.push(entry, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook of one sheet. */
export function workbookOf(sheet: string, texts = '', parts: Readonly<Record<string, string>> = {}): Buffer {
  const all: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" sheetId="1" r:id="s" xmlns:r="r"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      `<Relationships><Relationship Id="s" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="t" Type="${REL}/sharedStrings" Target="sharedStrings.xml"/>` +
      `<Relationship Id="f" Type="${REL}/styles" Target="styles.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheet,
    'xl/sharedStrings.xml': `<sst>${texts}</sst>`,
    ...parts,
  }
  return zipOf(Object.fromEntries(Object.entries(all).map(([name, content]) => [name, Buffer.from(content)])))
}

const deepXml = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`
const bmecat = (articles: string) =>
  `<BMECAT><HEADER><CATALOG><LANGUAGE>deu</LANGUAGE></CATALOG></HEADER><T_NEW_CATALOG>${articles}</T_NEW_CATALOG></BMECAT>`
const feed = (items: string) =>
  `<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel>${items}</channel></rss>`
const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const inline = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`

/** The shapes of the issue first; each stopped the service once, or is similar to one that did. */
export const FILE_SHAPES: readonly FileShape[] = [
  { name: 'gzip of 64,000 nested elements', bytes: () => gzipSync(deepXml(64_000)), mapping: anyKey },
  text('16,000 nested elements', () => deepXml(16_000)),
  text('800 columns', () =>
    table(
      columns(800, (i) => `column ${i} netto price`),
      300,
      (row, i) => `${row}${i}`,
    ),
  ),
  text('2,000 columns', () =>
    table(
      columns(2_000, (i) => `column ${i}`),
      300,
      (row, i) => `${row}.${i}`,
    ),
  ),
  text('4,990 columns', () =>
    table(
      columns(4_990, (i) => `bestellnummer einkaufspreis ${i}`),
      300,
      () => '12,50 EUR',
    ),
  ),
  text('4,990 columns of pictures', () =>
    table(
      columns(4_990, (i) => `image ${i}`),
      100,
      (r, i) => `https://a.example/${r}/${i}.jpg`,
    ),
  ),
  text('100,000 columns', () =>
    table(
      columns(100_000, (i) => `c${i}`),
      5,
      () => 'x',
    ),
  ),
  text('rows of one character', () => 'a\n'.repeat(4 * MIB)),
  text('separators alone', () => ','.repeat(8 * MIB)),
  text('lines of separators', () => `${','.repeat(4_000)}\n`.repeat(2_000)),
  text(
    'one separator too few in wide rows',
    () =>
      table(
        columns(4_990, (i) => `c${i}`),
        1,
        () => 'x',
      ) + `${'x,'.repeat(4_960)}\n`.repeat(300),
  ),
  text('an open quote of 8 MB', () => `sku,title\n"${'a'.repeat(8 * MIB)}`, sku),
  text('an open quote of doubled quotes', () => `sku,title\n"${'""'.repeat(8 * MIB)}`, sku),
  text('an open quote of lines', () => `sku,title\n"${'a,b\n'.repeat(4 * MIB)}`, sku),
  text('quotes after blanks', () => `sku,title\n${'a, "b"\n'.repeat(200_000)}`, sku),
  text('text after quotes', () => `sku,title\n${'"a"b,c\n'.repeat(200_000)}`, sku),
  text('a quote after blanks that is never closed', () => `sku,title\nx, "${'a "" b '.repeat(MIB)}`, sku),
  text('a cell of 4 MB', () => `sku,title\na,${'x'.repeat(4 * MIB - 10)}\n`, sku),
  text('a header of 1 MB', () => `${'sku '.repeat(MIB / 4)},b\n1,2\n2,3\n`),
  text('known names in 20 long rows', () => `${'price,sku,title,ean,'.repeat(1_200)}\n`.repeat(20)),
  text(
    'addresses with many ends',
    () => `sku,url\n${Array.from({ length: 300 }, (_, i) => `${i},http://a${'.jpg?x'.repeat(4_000)}`).join('\n')}\n`,
    sku,
  ),
  text(
    'wide records that list their articles',
    () => {
      const members = columns(4_900, (i) => `"a${i}":"v${i}"`).join(',')
      const variants = (record: number) =>
        columns(40, (i) => `{"sku":"S${record}-${i}","price":"${i + 1}.50","size":"${i}"}`).join(',')
      return `[${columns(50, (record) => `{"id":"P${record}","title":"Lamp ${record}","variants":[${variants(record)}],${members}}`).join(',')}]`
    },
    { format: 'json', each: 'variants', fields: { sku: 'variants.sku' } },
  ),
  text('20,000 attributes', () => `<l><p ${columns(20_000, (i) => `a${i}="1"`).join(' ')}/><p b="1"/></l>`),
  text(
    '5,000 attributes in many elements',
    () => `<l>${`<p ${columns(4_000, (i) => `a${i}="1"`).join(' ')}/>`.repeat(150)}</l>`,
  ),
  text('200,000 different elements', () => `<l><p>${columns(200_000, (i) => `<e${i}>1</e${i}>`).join('')}</p></l>`),
  text(
    '300 rows of 3,000 different elements',
    () => `<l>${`<p>${columns(3_000, (i) => `<price${i}>1.5</price${i}>`).join('')}</p>`.repeat(100)}</l>`,
  ),
  text('an element with a text of 8 MB', () => `<l><p><a>${'x'.repeat(8 * MIB)}</a></p></l>`),
  text('an attribute of 8 MB', () => `<l><p a="${'x'.repeat(8 * MIB)}"/></l>`),
  text('a name of 8 MB', () => `<l><${'x'.repeat(8 * MIB)}/></l>`),
  text('comments before the root', () => '<!---->'.repeat(9_000)),
  text('comments and instructions before the root', () => `${'<!--a--><?a?>'.repeat(4_000)}<`),
  text('a comment that does not end', () => `<l><!-- ${'- '.repeat(8 * MIB)}`),
  text('a document type of 8 MB', () => `<!DOCTYPE l [${'<!ENTITY a "b">'.repeat(500_000)}`),
  text(
    'entities of entities',
    () => `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><l><p><q>&b;&b;</q></p></l>`,
  ),
  text('JSON of 300,000 keys', () => `[{${columns(300_000, (i) => `"k${i}":${i}`).join(',')}}]`),
  text(
    '300 objects of 4,000 keys',
    () => `[${columns(150, (r) => `{${columns(4_000, (i) => `"k${i}":"${r}"`).join(',')}}`).join(',')}]`,
  ),
  text(
    'objects with different keys',
    () => `[${columns(300, (r) => `{${columns(500, (i) => `"k${r * 500 + i}":"${r}"`).join(',')}}`).join(',')}]`,
  ),
  text('3,000,000 opening brackets', () => '['.repeat(3_000_000)),
  text('100,000 objects in each other', () => `[${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}]`),
  text('a list of 2,000,000 numbers in a row', () => `[{"a":[${'1,'.repeat(2_000_000)}1]}]`),
  text('a list of empty lists', () => `[${'[],'.repeat(2_000_000)}[]]`),
  text('a JSON text of 8 MB', () => `[{"a":"${'x'.repeat(8 * MIB)}"}]`),
  text('a JSON text of escapes', () => `[{"a":"${'\\u0041'.repeat(MIB)}"}]`),
  text('a number of 4 MB', () => `[{"a":${'1'.repeat(4 * MIB)}}]`),
  text('lines of JSON, 30,000 keys each', () => `{${columns(30_000, (i) => `"k${i}":${i}`).join(',')}}\n`.repeat(5)),
  text('lines of JSON, nested 4,000 deep', () => `${'{"a":'.repeat(4_000)}1${'}'.repeat(4_000)}\n`.repeat(30)),
  text('a line of JSON of 1,000,000 lists', () => `{"a":[${'[],'.repeat(1_000_000)}1]}\n{"a":1}\n`),
  text('lines of JSON of 4 kB keys', () =>
    `{${columns(500, (i) => `"${i}${'k'.repeat(4_000)}":1`).join(',')}}\n`.repeat(4),
  ),
  text('a feed with 3,000 times one field', () =>
    feed(`<item><g:id>1</g:id>${'<g:image_link>http://a/b.jpg</g:image_link>'.repeat(3_000)}</item>`.repeat(20)),
  ),
  text(
    'a feed as a table with 4,900 columns of one name',
    () => `id\t${columns(4_900, () => 'image link').join('\t')}\n${`1\t${'x\t'.repeat(4_899)}x\n`.repeat(200)}`,
    { format: 'google', fields: { sku: 'id' } },
  ),
  text('a catalog with 200,000 features', () =>
    bmecat(
      `<ARTICLE><SUPPLIER_AID>1</SUPPLIER_AID><ARTICLE_FEATURES>${'<FEATURE><FNAME>a</FNAME><FVALUE>b</FVALUE></FEATURE>'.repeat(80_000)}</ARTICLE_FEATURES></ARTICLE>`,
    ),
  ),
  text('a catalog with 10,000 features in some articles', () =>
    bmecat(
      columns(
        10,
        (n) =>
          `<ARTICLE><SUPPLIER_AID>${n}</SUPPLIER_AID><ARTICLE_FEATURES>${columns(10_000, (i) => `<FEATURE><FNAME>a${i}</FNAME><FVALUE>b</FVALUE></FEATURE>`).join('')}</ARTICLE_FEATURES></ARTICLE>`,
      ).join(''),
    ),
  ),
  text('a catalog with 10,000 texts of one language', () =>
    bmecat(
      columns(
        20,
        (n) =>
          `<ARTICLE><SUPPLIER_AID>${n}</SUPPLIER_AID><ARTICLE_DETAILS>${'<DESCRIPTION_SHORT>a</DESCRIPTION_SHORT>'.repeat(10_000)}</ARTICLE_DETAILS></ARTICLE>`,
      ).join(''),
    ),
  ),
  {
    name: 'bytes of no encoding',
    bytes: () => Buffer.alloc(8 * MIB, Buffer.from([0xe4, 0xf6, 0xfc, 0x20, 0xdf, 0x3b])),
    mapping: anyKey,
  },
  {
    name: 'bytes of another alphabet',
    bytes: () => Buffer.alloc(4 * MIB, Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x0a])),
    mapping: anyKey,
  },
  { name: 'a zip of 60 MB of line ends', bytes: () => zipOf({ 'a.csv': Buffer.alloc(60 * MIB, '\n') }), mapping: sku },
  { name: 'a gzip of 60 MB of line ends', bytes: () => gzipSync(Buffer.alloc(60 * MIB, '\n')), mapping: sku },
  { name: 'a gzip of 1,000 times its size', bytes: () => gzipSync(Buffer.alloc(200 * MIB, 'a,b\n')), mapping: anyKey },
  {
    name: 'a gzip in a zip in a gzip',
    bytes: () => gzipSync(zipOf({ 'a.gz': gzipSync(Buffer.alloc(60 * MIB, 'a')) })),
    mapping: anyKey,
  },
  {
    name: 'a zip of 60,000 files',
    bytes: () => zipOf(Object.fromEntries(columns(60_000, (i) => `${i}.jpg`).map((name) => [name, Buffer.alloc(0)]))),
    mapping: sku,
  },
  { name: 'a workbook of 60 MB of rows', bytes: () => workbookOf(sheet('<row/>'.repeat(10 * MIB))), mapping: sku },
  {
    name: 'a workbook of rows to its last column',
    bytes: () =>
      workbookOf(
        sheet(
          `<row>${inline('sku')}<c r="XFD1"><v>1</v></c></row>${'<row><c r="XFD1"><v>1</v></c></row>'.repeat(100_000)}`,
        ),
      ),
    mapping: sku,
  },
  {
    name: 'a workbook of rows to column 4,999',
    bytes: () => workbookOf(sheet('<row><c r="GJG1"><v>1</v></c></row>'.repeat(50_000))),
    mapping: anyKey,
  },
  {
    name: 'a workbook whose cells share a text of 1 MB',
    bytes: () =>
      workbookOf(
        sheet(`<row>${'<c t="s"><v>0</v></c>'.repeat(3_000)}</row>`.repeat(20)),
        `<si><t>${'x'.repeat(MIB)}</t></si>`,
      ),
    mapping: anyKey,
  },
  {
    name: 'a workbook with a text in 1,000,000 pieces',
    bytes: () =>
      workbookOf(
        sheet(`<row>${inline('sku')}</row><row><c t="s"><v>0</v></c></row>`),
        `<si>${'<t>aaaa</t>'.repeat(MIB)}</si>`,
      ),
    mapping: sku,
  },
  {
    name: 'a workbook of 6,000,000 empty texts',
    bytes: () => workbookOf(sheet(`<row>${inline('sku')}</row>`), '<si/>'.repeat(6_000_000)),
    mapping: sku,
  },
  {
    name: 'a workbook of 500,000 sheets',
    bytes: () =>
      workbookOf('', '', {
        'xl/workbook.xml': `<workbook><sheets>${'<sheet name="A" id="s"/>'.repeat(500_000)}</sheets></workbook>`,
      }),
    mapping: sku,
  },
  {
    name: 'a workbook with formats of 1 MB',
    bytes: () =>
      workbookOf(sheet(`<row>${inline('sku')}</row>`), '', {
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'[['.repeat(MIB / 2)}"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(60_000)}</cellXfs></styleSheet>`,
      }),
    mapping: sku,
  },
  { name: 'a workbook nested 100,000 deep', bytes: () => workbookOf(deepXml(100_000)), mapping: sku },
  text(
    '10,000 rows of one product with collected pictures',
    () => `sku,group,image\n${columns(10_000, (i) => `${i},g,http://a.example/${i}.jpg`).join('\n')}\n`,
    { group: { by: 'group', collect: ['image'] }, fields: { sku: 'sku', images: 'image' } },
  ),
  text(
    '10,000 children of a parent with 50,000 pictures',
    () =>
      `[{"sku":"p","parent":"","image":[${columns(49_000, (i) => `"http://a/${i}.jpg"`).join(',')}]}${columns(10_000, (i) => `,{"sku":"c${i}","parent":"p"}`).join('')}]`,
    { group: { by: 'sku', parent: 'parent', collect: ['image'] }, fields: { sku: 'sku', images: 'image' } },
  ),
]

const rows = (count: number, cell: string) =>
  Buffer.from(`sku,a\n${columns(count, (i) => `S${i},${cell}`).join('\n')}\n`)
const mapped = (source: unknown, more: object = {}) => ({
  locale: 'en',
  fields: { sku: 'sku', title: source },
  ...more,
})
const UNICODE = '((?:\\p{L}|\\p{N}|\\p{P}){1,200})'

/** Mappings that would make large results from small files, each with a file. */
export const MAPPING_SHAPES: readonly Required<FileShape>[] = [
  {
    name: 'replacements that grow 16,000 times each',
    bytes: () => rows(1, 'a'),
    mapping: mapped({
      column: 'a',
      replace: [
        ['a', 'a'.repeat(16_384)],
        ['a', 'a'.repeat(16_001)],
        ['a', 'b'],
      ],
    }),
  },
  {
    name: 'replacements that double 60 times',
    bytes: () => rows(300, 'a'),
    mapping: mapped({ column: 'a', replace: Array.from({ length: 60 }, () => ['a', 'aa']) }),
  },
  {
    name: 'replacements that do nothing, 1,500 times',
    bytes: () => rows(50, 'a'.repeat(9_000)),
    mapping: mapped({ column: 'a', replace: Array.from({ length: 1_500 }, () => ['b', 'c']) }),
  },
  {
    name: 'alternatives of classes, repeated',
    bytes: () => rows(100, 'ab1-'.repeat(2_250)),
    mapping: mapped({ column: 'a', capture: UNICODE.repeat(4) }),
  },
  {
    name: 'alternatives of classes, repeated less',
    bytes: () => rows(100, 'ab1-'.repeat(2_250)),
    mapping: mapped({ column: 'a', capture: `${UNICODE.replace('200', '60')}${UNICODE.replace('200', '60')}x$` }),
  },
  {
    name: 'random letters for counted classes',
    bytes: () =>
      rows(
        100,
        Array.from({ length: 9_000 }, (_, i) => String.fromCodePoint(97 + ((i * i * 31 + i * 7) % 26))).join(''),
      ),
    mapping: mapped({ column: 'a', capture: '(\\w{1,100}[aeiou])(\\w{1,100})(\\d{1,100})q$' }),
  },
  {
    name: 'expressions in each other',
    bytes: () => rows(100, 'a'.repeat(9_000)),
    mapping: mapped({ column: 'a', capture: '((((a{0,9}){0,9}){0,9})*)*b' }),
  },
  {
    name: 'an expression of 40 counted classes',
    bytes: () => rows(1, 'a'),
    mapping: mapped({ column: 'a', capture: '\\p{L}{1000}'.repeat(40) }),
  },
  {
    name: '1,000 expressions',
    bytes: () => rows(1, 'a'),
    mapping: mapped({
      first: Array.from({ length: 1_000 }, (_, i) => ({ column: 'a', capture: `(a{1,50}b{1,50}${i})` })),
    }),
  },
  {
    name: 'one cell joined 1,900 times',
    bytes: () => rows(5, 'a'.repeat(500_000)),
    mapping: mapped({ join: Array.from({ length: 1_900 }, () => 'a') }),
  },
  {
    name: 'joins in joins',
    bytes: () => rows(300, 'aaaaaaaaaa'),
    mapping: mapped(Array.from({ length: 10 }).reduce<unknown>((inner) => ({ join: [inner, inner].flat() }), 'a')),
  },
  {
    name: 'a cell cut at each letter',
    bytes: () => rows(4, 'a'.repeat(1_000_000)),
    mapping: mapped({ column: 'a', split: 'a', take: -1 }),
  },
  {
    name: 'a cell cut at each letter into pictures',
    bytes: () => rows(4, 'b'.repeat(1_000_000)),
    mapping: { fields: { sku: 'sku', images: { column: 'a', split: 'b' } } },
  },
  {
    name: '100,000 columns named',
    bytes: () => rows(4, 'a'),
    mapping: mapped({ first: Array.from({ length: 100_000 }, (_, i) => `c${i}`) }),
  },
  {
    name: '1,900 columns that are not there',
    bytes: () => Buffer.from(`${columns(4_900, (i) => `${'n'.repeat(50)}${i}`).join(',')}\n`.repeat(30)),
    mapping: { fields: { sku: { first: columns(1_900, (i) => `${'m'.repeat(50)}${i}`) } } },
  },
  {
    name: 'a path of 100,000 names',
    bytes: () => Buffer.from('{"a":1}\n'.repeat(10_000)),
    mapping: { fields: { sku: 'a', manufacturer: 'a.'.repeat(100_000) + 'a' } },
  },
  {
    name: 'pairs of long names',
    bytes: () => rows(4, 'a'),
    mapping: {
      fields: {
        sku: 'sku',
        attributes: Array.from({ length: 20 }, () => ({ pairs: `${'x'.repeat(400)}{n}`, value: '{n}' })),
      },
    },
  },
  {
    name: 'packed attributes of 1 MB',
    bytes: () => rows(4, 'k=v;'.repeat(250_000)),
    mapping: { fields: { sku: 'sku', attributes: [{ packed: 'a', pair: ';', assign: '=' }] } },
  },
  {
    name: '20,000 unknown members',
    bytes: () => rows(1, 'a'),
    mapping: {
      fields: { sku: 'a' },
      ...Object.fromEntries(columns(20_000, (i) => `${'k'.repeat(40)}${i}`).map((key) => [key, 1])),
    },
  },
  {
    name: '50,000 sources that are none',
    bytes: () => rows(1, 'a'),
    mapping: { fields: { sku: 'a', attributes: Array.from({ length: 50_000 }, () => ({})) } },
  },
  {
    name: 'sources nested 2,000 deep',
    bytes: () => rows(1, 'a'),
    mapping: mapped(Array.from({ length: 2_000 }).reduce<unknown>((inner) => ({ join: [inner] }), 'a')),
  },
]
