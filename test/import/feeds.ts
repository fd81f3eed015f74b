import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { writeXlsx } from 'hucre/xlsx'
import iconv from 'iconv-lite'
import type { ReadLimits } from '../../src/supplier-files/rows.ts'

// One catalog of three articles in every format of suppliers, valid and broken.

/** A file and the mapping for it. */
export interface Feed {
  name: string
  bytes: () => Buffer | Promise<Buffer>
  mapping: object
}

/** A file that must change nothing, and the expected refusal. */
export interface BrokenFeed extends Feed {
  says: RegExp
  /** Smaller limits than LIMITS. */
  limits?: Partial<ReadLimits>
  code?: 'source-unreadable' | 'import-refused'
}

/** The offers of each whole feed: sku, cost, quantity, EAN, title and pictures. */
export const EXPECTED = [
  ['A-1', '1234.5', 7, '4006381333931', 'Größe „M“ – Spaten; geschmiedet', 2],
  ['A-2', '12.5', 0, null, 'Säge "Profi"', 0],
  ['A-3', '0.99', 12, null, 'Łopata', 1],
] as const

const IMAGE = 'https://lieferant.example/bilder/a 1.jpg'
const SIDE = 'https://lieferant.example/bilder/a2.jpg'
const HOE = 'https://lieferant.example/bilder/c.jpg'

const COLUMNS = ['Artikelnummer', 'EAN', 'Bezeichnung', 'EK netto', 'Bestand', 'Bild 1', 'Bild 2']
const ROWS = [
  ['A-1', '4006381333931', 'Größe „M“ – Spaten; geschmiedet', '1.234,50', '7', IMAGE, SIDE],
  ['A-2', '', 'Säge "Profi"', '12,50 EUR', 'nicht lieferbar', '', ''],
  ['A-3', '', 'Łopata', '0,99', '12 Stk.', HOE, ''],
]
const quoted = (cell: string) => (/[";\n,\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const lines = (delimiter: string, rows: readonly (readonly string[])[] = ROWS) =>
  [COLUMNS, ...rows].map((row) => `${row.map(quoted).join(delimiter)}\n`).join('')
/** Replaces Ł, which Windows-1252 does not have. */
const western = (text: string) => text.replaceAll('Ł', 'L')

export const TABLE = {
  locale: 'de',
  decimal: ',',
  fields: {
    sku: 'Artikelnummer',
    ean: 'EAN',
    title: 'Bezeichnung',
    cost: 'EK netto',
    quantity: 'Bestand',
    images: ['Bild 1', 'Bild 2'],
  },
}

const objects = ROWS.map(([sku, ean, name, , , first, second], i) => ({
  sku,
  ean: ean === '' ? null : ean,
  name,
  price: { net: Number(EXPECTED[i]?.[1]) },
  stock: EXPECTED[i]?.[2],
  pictures: [first, second].filter((url) => url !== '').map((url) => ({ url })),
}))
const MEMBERS = {
  locale: 'de',
  fields: { sku: 'sku', ean: 'ean', title: 'name', cost: 'price.net', quantity: 'stock', images: 'pictures.url' },
}

const escaped = (text: string | number | null | undefined) =>
  String(text ?? '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
const element = (name: string, text: string | number | null | undefined) => `<${name}>${escaped(text)}</${name}>`

const xmlRows = objects.map(
  ({ sku, ean, name, price, stock, pictures }) =>
    `  <artikel nr="${escaped(sku)}">${element('ean', ean)}<name><![CDATA[${name}]]></name><preis waehrung="EUR">${String(price.net).replace('.', ',')}</preis><bestand>${stock}</bestand>${pictures.map(({ url }) => element('bild', url)).join('')}</artikel>\n`,
)
const xml = (encoding = 'UTF-8', rows = xmlRows.join('')) =>
  `<?xml version="1.0" encoding="${encoding}"?>\n<katalog>\n<kopf><stand>2026</stand></kopf>\n<liste>\n${rows}</liste>\n</katalog>\n`
export const XML = {
  format: 'xml',
  items: 'katalog.liste.artikel',
  locale: 'de',
  decimal: ',',
  fields: {
    sku: '@nr',
    ean: 'ean',
    title: 'name',
    cost: 'preis',
    currency: 'preis.@waehrung',
    quantity: 'bestand',
    images: 'bild',
  },
}

const GOOGLE = { preset: 'google', locale: 'de' }
const googleFields = ({ sku, ean, name, price, stock, pictures }: (typeof objects)[number]) => [
  ['id', sku],
  ['title', name],
  ['price', `${price.net} EUR`],
  ['availability', (stock ?? 0) > 0 ? 'in_stock' : 'out_of_stock'],
  ['quantity', stock],
  ['gtin', ean],
  ['image_link', pictures[0]?.url],
  ['additional_image_link', pictures[1]?.url],
]
const googleItem = (tag: string) => (one: (typeof objects)[number]) =>
  `<${tag}>${googleFields(one)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => element(`g:${name}`, value))
    .join('')}</${tag}>`
const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>${objects.map(googleItem('item')).join('')}</channel></rss>`
const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><title>Shop</title>${objects.map(googleItem('entry')).join('')}</feed>`
const googleTable = [
  googleFields(objects[0] as (typeof objects)[number])
    .map(([name]) => String(name).replaceAll('_', ' '))
    .join('\t'),
  ...objects.map((one) =>
    googleFields(one)
      .map(([, value]) => quoted(String(value ?? '')))
      .join('\t'),
  ),
]
  .map((line) => `${line}\n`)
  .join('')

const BMECAT = { preset: 'bmecat' }
function bmecat(version: '1.2' | '2005', rows = objects): string {
  const [article, id] = version === '1.2' ? ['ARTICLE', 'AID'] : ['PRODUCT', 'PID']
  return `<?xml version="1.0" encoding="UTF-8"?>\n<BMECAT version="${version}"><HEADER><CATALOG><LANGUAGE>deu</LANGUAGE><CURRENCY>EUR</CURRENCY></CATALOG></HEADER>\n<T_NEW_CATALOG>\n${rows
    .map(
      ({ sku, ean, name, price, stock, pictures }) =>
        `<${article}><SUPPLIER_${id}>${sku}</SUPPLIER_${id}><${article}_DETAILS>${element('DESCRIPTION_SHORT', name)}${ean === null ? '' : element('EAN', ean)}</${article}_DETAILS>` +
        `<${article}_ORDER_DETAILS><PRICE_QUANTITY>100</PRICE_QUANTITY></${article}_ORDER_DETAILS><${article}_PRICE_DETAILS><${article}_PRICE price_type="net_customer"><PRICE_AMOUNT>${price.net * 100}</PRICE_AMOUNT></${article}_PRICE></${article}_PRICE_DETAILS>` +
        `<MIME_INFO>${pictures.map(({ url }) => `<MIME>${element('MIME_SOURCE', url)}</MIME>`).join('')}</MIME_INFO><USER_DEFINED_EXTENSIONS><UDX.X.STOCK>${stock}</UDX.X.STOCK></USER_DEFINED_EXTENSIONS></${article}>\n`,
    )
    .join('')}</T_NEW_CATALOG>\n</BMECAT>\n`
}

async function workbook(): Promise<Buffer> {
  const rows = ROWS.map(([sku = '', ean = '', name = '', , stock = '', first = '', second = ''], i) => [
    sku,
    // as a number, as spreadsheets store long digits
    ean === '' ? null : Number(ean),
    name,
    // the price is a formula of the sheet
    { formula: `${EXPECTED[i]?.[1]}*1`, formulaResult: Number(EXPECTED[i]?.[1]), value: Number(EXPECTED[i]?.[1]) },
    stock,
    first,
    second,
  ])
  const sheet = {
    name: 'Preise',
    rows: [
      ['Preisliste 2026'],
      [],
      COLUMNS,
      ...rows.map((row) => row.map((cell) => (typeof cell === 'object' && cell !== null ? cell.value : cell))),
    ],
  }
  return Buffer.from(await writeXlsx({ sheets: [sheet] }))
}

const zipOf = (files: Record<string, string | Buffer>) =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, data]) => [name, Buffer.from(data as string)]))),
  )
const preamble = `Lieferant GmbH;;;;;;\nPreisliste, gültig ab 1.1.2026;;;;;;\n\n`

/** Valid files in every format; all give the same offers. */
export const WHOLE: readonly Feed[] = [
  { name: 'CSV with ; and lines before its header', bytes: () => Buffer.from(preamble + lines(';')), mapping: TABLE },
  { name: 'CSV with , and a byte order mark', bytes: () => Buffer.from(`\ufeff${lines(',')}`), mapping: TABLE },
  {
    name: 'CSV with sep= and CR alone',
    bytes: () => Buffer.from(`sep=|\r${lines('|').replaceAll('\n', '\r')}`),
    mapping: TABLE,
  },
  { name: 'CSV in windows-1250', bytes: () => iconv.encode(lines(';'), 'windows-1250'), mapping: TABLE },
  {
    name: 'CSV in UTF-16 with a mark',
    bytes: () => iconv.encode(lines(';'), 'utf-16le', { addBOM: true }),
    mapping: TABLE,
  },
  {
    name: 'CSV in UTF-16 without a mark',
    bytes: () => iconv.encode(lines(';'), 'utf-16be', { addBOM: false }),
    mapping: TABLE,
  },
  { name: 'TSV', bytes: () => Buffer.from(lines('\t')), mapping: { ...TABLE, format: 'tsv' } },
  { name: 'XLSX', bytes: workbook, mapping: TABLE },
  {
    name: 'NDJSON',
    bytes: () => Buffer.from(objects.map((one) => `${JSON.stringify(one)}\r\n`).join('')),
    mapping: MEMBERS,
  },
  {
    name: 'JSON',
    bytes: () => Buffer.from(JSON.stringify({ meta: { pages: [1] }, data: { items: objects } }, null, 2)),
    mapping: { ...MEMBERS, format: 'json', items: 'data.items' },
  },
  { name: 'XML', bytes: () => Buffer.from(xml()), mapping: XML },
  {
    name: 'XML that declares windows-1250',
    bytes: () => iconv.encode(xml('windows-1250'), 'windows-1250'),
    mapping: XML,
  },
  {
    name: 'XML that declares UTF-8 and is windows-1250',
    bytes: () => iconv.encode(xml(), 'windows-1250'),
    mapping: XML,
  },
  { name: 'Google RSS', bytes: () => Buffer.from(rss), mapping: GOOGLE },
  { name: 'Google Atom', bytes: () => Buffer.from(atom), mapping: GOOGLE },
  { name: 'Google TSV', bytes: () => Buffer.from(googleTable), mapping: GOOGLE },
  { name: 'BMEcat 1.2', bytes: () => Buffer.from(bmecat('1.2')), mapping: BMECAT },
  { name: 'BMEcat 2005', bytes: () => Buffer.from(bmecat('2005')), mapping: BMECAT },
  { name: 'gzip', bytes: () => gzipSync(lines(';')), mapping: TABLE },
  {
    name: 'gzip of several members',
    bytes: () => Buffer.concat([gzipSync(lines(';').slice(0, 99)), gzipSync(lines(';').slice(99))]),
    mapping: TABLE,
  },
  {
    name: 'zip with pictures beside it',
    bytes: () => zipOf({ 'bilder/a.jpg': 'x', 'LIESMICH.txt': 'x', 'liste/artikel.csv': lines(';') }),
    mapping: TABLE,
  },
  {
    name: 'zip with two files, one of them named',
    bytes: () => zipOf({ 'kunden.csv': 'a;b\n1;2\n', 'artikel.csv': lines(';') }),
    mapping: { ...TABLE, file: 'artikel.csv' },
  },
]

const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * 0.6))
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => [
    `A-${i}`,
    '',
    `Artikel ${i} ${(i * 2_654_435_761) % 4_294_967_296}`,
    '1,00',
    '1',
    '',
    '',
  ])
const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`
const laughs = `<?xml version="1.0"?><!DOCTYPE katalog [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${`&a${i === 0 ? '' : i - 1};`.repeat(10)}">`).join('')}]><katalog><liste><artikel nr="A-1"><name>&a19;</name><preis>1</preis></artikel></liste></katalog>`
const MB = 1_048_576
/** Four megabytes of equal rows, which compress to about a 500th. */
const rowsOfNothing = () => Buffer.concat([Buffer.from(lines(';', [])), Buffer.alloc(4 * MB, 'A;;x;1,00;1;;\n')])

/** Broken files, of which no row may be written. */
export const BROKEN: readonly BrokenFeed[] = [
  { name: 'an empty file', bytes: () => Buffer.alloc(0), mapping: TABLE, says: /the file is empty \(0 bytes\)/ },
  {
    name: 'a file of its header alone',
    bytes: () => Buffer.from(lines(';', [])),
    mapping: TABLE,
    says: /without a valid offer/,
    code: 'import-refused',
  },
  {
    name: 'an HTML error page',
    bytes: () =>
      Buffer.from('<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>502</h1></body></html>'),
    mapping: TABLE,
    says: /the file is an HTML page, most likely an error page or a sign-in page/,
  },
  {
    name: 'an error in JSON',
    bytes: () => Buffer.from('{"error":"maintenance"}'),
    mapping: { ...MEMBERS, format: 'json', items: 'data.items' },
    says: /data\.items/,
  },
  {
    name: 'gzip that is cut off',
    bytes: () => half(gzipSync(lines(';', many(5_000)))),
    mapping: TABLE,
    says: /the gzip file is cut off; fetch it again/,
  },
  {
    name: 'zip that is cut off',
    bytes: () => half(zipOf({ 'a.csv': lines(';', many(5_000)) })),
    mapping: TABLE,
    says: /the zip archive is cut off.*fetch it again/,
  },
  {
    name: 'a workbook that is cut off',
    bytes: async () => half(await workbook()),
    mapping: TABLE,
    says: /the workbook is cut off; fetch it again/,
  },
  {
    name: 'XML that is cut off',
    bytes: () => half(Buffer.from(xml())),
    mapping: XML,
    says: /the file is cut off: <\w+> is not closed; fetch it again/,
  },
  {
    name: 'BMEcat that is cut off',
    bytes: () => half(Buffer.from(bmecat('2005'))),
    mapping: BMECAT,
    says: /the file is cut off/,
  },
  {
    name: 'JSON that is cut off',
    bytes: () => half(Buffer.from(JSON.stringify({ data: { items: objects } }))),
    mapping: { ...MEMBERS, format: 'json', items: 'data.items' },
    says: /cut off/,
  },
  {
    name: 'NDJSON that is cut off',
    bytes: () => half(Buffer.from(objects.map((one) => `${JSON.stringify(one)}\n`).join(''))),
    mapping: MEMBERS,
    says: /cut off/,
  },
  {
    name: 'CSV that is cut off within a row',
    bytes: () => Buffer.from(lines(';').slice(0, -60)),
    mapping: TABLE,
    says: /line 4: the file is cut off: .* of 7 columns/,
  },
  {
    name: 'CSV that is cut off within quotes',
    bytes: () => Buffer.from(lines(';').slice(0, 100)),
    mapping: TABLE,
    says: /the file is cut off: a quote .* never closed/,
  },
  {
    name: 'CSV in another encoding than the mapping says',
    bytes: () => iconv.encode(western(lines(';')), 'windows-1252'),
    mapping: { ...TABLE, encoding: 'utf-8' },
    says: /line 2: bytes that are not valid UTF-8/,
  },
  {
    name: 'columns that were swapped',
    bytes: () => Buffer.from(lines(';').replace('Bezeichnung;EK netto', 'EK netto;Bezeichnung')),
    mapping: TABLE,
    says: /without a valid offer .*line 2, cost must be a decimal.*Größe/,
    code: 'import-refused',
  },
  {
    name: 'a column that was renamed',
    bytes: () => Buffer.from(lines(';').replace('EK netto', 'EK nettto')),
    mapping: TABLE,
    says: /lacks columns .*"EK netto" \(did you mean "EK nettto"\?\)/,
  },
  {
    name: 'both number styles in one file',
    bytes: () => Buffer.from(lines(';', [...many(3), ['A-1', '', 'x', '1.234', '1', '', '']])),
    mapping: { ...TABLE, decimal: undefined },
    says: /"1,00".*set "decimal" in the mapping|read with "\." for decimals, but 3 such as "1,00" have ","/,
  },
  {
    name: 'XML with entities that grow',
    bytes: () => Buffer.from(laughs),
    mapping: XML,
    says: /not well-formed XML: undefined entity/,
  },
  {
    name: 'XML that is nested too deep',
    bytes: () => Buffer.from(xml('UTF-8', nested(100_000))),
    mapping: XML,
    says: /nested more than 64 deep/,
  },
  {
    name: 'XML with a text that does not end',
    bytes: () => Buffer.from(xml('UTF-8', `<artikel nr="1"><name>${'x'.repeat(20 * MB)}</name></artikel>`)),
    mapping: XML,
    says: /no element ends within \d+ bytes/,
  },
  {
    name: 'XML with a million attributes',
    bytes: () =>
      Buffer.from(
        xml('UTF-8', `<artikel ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}="some values"`).join(' ')}/>`),
      ),
    mapping: XML,
    says: /an element has more than 5000 attributes/,
  },
  {
    name: 'a gzip bomb',
    bytes: () => gzipSync(rowsOfNothing()),
    mapping: TABLE,
    limits: { importExpansionFreeBytes: MB },
    says: /expands to more than 250 times its size/,
  },
  {
    name: 'a zip bomb',
    bytes: () => zipOf({ 'a.csv': rowsOfNothing() }),
    mapping: TABLE,
    limits: { importExpansionFreeBytes: MB },
    says: /expands to more than 250 times its size/,
  },
  {
    name: 'a bomb in a workbook',
    bytes: () =>
      zipOf({
        '[Content_Types].xml': '<Types/>',
        'xl/workbook.xml': '<workbook/>',
        'xl/sharedStrings.xml': Buffer.alloc(3 * MB, '<si><t>aaaaaaaa</t></si>'),
      }),
    mapping: TABLE,
    limits: { importWorkbookPartsBytesMax: 2 * MB },
    says: /the workbook expands to too much: xl\/sharedStrings.xml goes beyond/,
  },
  {
    name: 'a zip with two files',
    bytes: () => zipOf({ 'kunden.csv': 'a;b\n1;2\n', 'artikel.csv': lines(';') }),
    mapping: TABLE,
    says: /several files \("kunden.csv", "artikel.csv"\): name one with "file"/,
  },
  {
    name: 'a zip without a catalog',
    bytes: () => zipOf({ 'readme.txt': 'x' }),
    mapping: TABLE,
    says: /no catalog, but only "readme.txt"/,
  },
  {
    name: 'an old workbook',
    bytes: () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
    mapping: TABLE,
    says: /old Excel .*save the sheet as .xlsx or CSV/,
  },
  {
    name: 'a picture',
    bytes: () => Buffer.concat([Buffer.from('ffd8ffe000104a46', 'hex'), Buffer.alloc(600)]),
    mapping: TABLE,
    says: /not a text file but a picture/,
  },
  {
    name: 'XML in place of CSV',
    bytes: () => Buffer.from(xml()),
    mapping: { ...TABLE, format: 'csv' },
    says: /the file is XML, and not csv/,
  },
  {
    name: 'a list of records at another path',
    bytes: () => Buffer.from(xml().replaceAll('artikel', 'produkt')),
    mapping: XML,
    says: /no element at "katalog.liste.artikel"/,
  },
]

/** A file in which some rows cannot be used: the others are imported. */
export const PARTLY = {
  name: 'repeated keys, faulty rows, and a key of blanks',
  bytes: () =>
    Buffer.from(
      lines(';', [
        ['A-1', '', 'erster', '1,00', '1', '', ''],
        ['A-1', '', 'zweiter', '2,00', '1', '', ''],
        ['A-2', '', 'x', 'neun Euro', '1', '', ''],
        ['A-3', '', 'x', '3,00', 'vielleicht', '', ''],
        ['A-4', '', 'neu', '4,00', '>10', '', ''],
      ]),
    ),
  mapping: TABLE,
}
