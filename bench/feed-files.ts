import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { createGzip } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { Zip, ZipDeflate, strToU8 } from 'fflate'

// Files of a supplier, the same articles in every format.

/** The names of the values in every format but the standard ones. */
const FIELDS = {
  sku: 'sku',
  ean: 'ean',
  title: 'name',
  description: 'description',
  cost: 'price',
  quantity: 'stock',
  manufacturer: 'brand',
  category: 'category',
}

/** The formats that are measured, with the mapping of each. */
export const FEEDS = {
  csv: { mapping: table({ format: 'csv', delimiter: ';' }), write: writeCsv },
  'csv.gz': { mapping: table({ format: 'csv', delimiter: ';' }), write: writeGzip },
  xlsx: { mapping: table({ format: 'xlsx' }), write: writeWorkbook },
  ndjson: { mapping: members({ format: 'ndjson' }), write: writeNdjson },
  json: { mapping: members({ format: 'json', items: 'data.products' }), write: writeJson },
  xml: { mapping: members({ format: 'xml', items: 'shop.products.product' }), write: writeXml },
  google: { mapping: { preset: 'google' }, write: writeGoogle },
  bmecat: { mapping: { preset: 'bmecat' }, write: writeBmecat },
} as const
export type FeedFormat = keyof typeof FEEDS

interface Article {
  sku: string
  ean: string
  name: string
  description: string
  price: string
  stock: number
  brand: string
  category: string
  images: readonly string[]
  attributes: readonly (readonly [string, string])[]
}

const WORDS =
  'garden spade steel handle forged ash blade long short light heavy strong for every soil and weather made in small series with care'.split(
    ' ',
  )
const COLORS = ['green', 'red', 'blue', 'black', 'natural']

/** Article number `n`: the same in every run, except for the cost of an article that `isChanged`. */
function article(n: number, isChanged: boolean): Article {
  const word = (i: number) => WORDS[(n * 7 + i * 13) % WORDS.length] ?? ''
  const words = (count: number, from: number) => Array.from({ length: count }, (_, i) => word(from + i)).join(' ')
  const digits = `400${String(n).padStart(9, '0')}`
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return {
    sku: `ART-${n}`,
    ean: `${digits}${(10 - (sum % 10)) % 10}`,
    name: `${words(4, 0)} ${n}`,
    description: `${words(45, n % 11)}.`,
    price: `${1 + (n % 900)}.${String((n * 7) % 100).padStart(2, '0')}${isChanged ? '5' : ''}`,
    stock: n % 120,
    brand: `Brand ${n % 200}`,
    category: `Tools/Group ${n % 40}`,
    images: [`https://cdn.example.com/${n}/front.jpg`, `https://cdn.example.com/${n}/back.jpg`],
    attributes: [
      ['color', COLORS[n % COLORS.length] ?? ''],
      ['weight', `${(n % 50) / 10} kg`],
      ['length', `${20 + (n % 100)} cm`],
      ['material', word(3)],
    ],
  }
}

type IsChanged = (n: number) => boolean

function* articles(count: number, isChanged: IsChanged): Generator<Article> {
  for (let n = 1; n <= count; n++) yield article(n, isChanged(n))
}

/** Writes a file of `rows` articles in one format. */
export async function writeFeed(format: FeedFormat, path: string, rows: number, isChanged: IsChanged = () => false) {
  await FEEDS[format].write(path, rows, isChanged)
}

function table(form: object): object {
  return {
    ...form,
    locale: 'en',
    fields: {
      ...FIELDS,
      images: ['image 1', 'image 2'],
      attributes: ['color', 'weight', 'length', 'material'].map((name) => ({ key: name, column: name })),
    },
  }
}

function members(form: object): object {
  return {
    ...form,
    locale: 'en',
    fields: {
      ...FIELDS,
      images: 'images.image',
      attributes: [{ list: 'attributes.attribute', name: 'name', value: 'value' }],
    },
  }
}

const COLUMNS = [
  'sku',
  'ean',
  'name',
  'description',
  'price',
  'stock',
  'brand',
  'category',
  'image 1',
  'image 2',
  'color',
  'weight',
  'length',
  'material',
]
const cellsOf = (one: Article): (string | number)[] => [
  one.sku,
  one.ean,
  one.name,
  one.description,
  one.price,
  one.stock,
  one.brand,
  one.category,
  ...one.images,
  ...one.attributes.map(([, value]) => value),
]

/** Writes texts in blocks, so that a large file is not held in memory. */
async function writeTexts(path: string, texts: Iterable<string>): Promise<void> {
  const out = createWriteStream(path)
  let block = ''
  for (const text of texts) {
    block += text
    if (block.length < 262_144) continue
    if (!out.write(block)) await once(out, 'drain')
    block = ''
  }
  out.end(block)
  await once(out, 'finish')
}

function* csvTexts(rows: number, isChanged: IsChanged): Generator<string> {
  yield `${COLUMNS.join(';')}\n`
  // descriptions are quoted, as spreadsheets do with a text that contains the delimiter
  for (const one of articles(rows, isChanged))
    yield `${cellsOf(one)
      .map((cell, i) => (i === 3 ? `"${cell}"` : cell))
      .join(';')}\n`
}

async function writeCsv(path: string, rows: number, isChanged: IsChanged): Promise<void> {
  await writeTexts(path, csvTexts(rows, isChanged))
}

async function writeGzip(path: string, rows: number, isChanged: IsChanged): Promise<void> {
  await pipeline(Readable.from(csvTexts(rows, isChanged)), createGzip({ level: 6 }), createWriteStream(path))
}

const recordOf = ({ images, attributes, ...one }: Article) => ({
  ...one,
  images: { image: images },
  attributes: { attribute: attributes.map(([name, value]) => ({ name, value })) },
})

async function writeNdjson(path: string, rows: number, isChanged: IsChanged): Promise<void> {
  function* lines() {
    for (const one of articles(rows, isChanged)) yield `${JSON.stringify(recordOf(one))}\n`
  }
  await writeTexts(path, lines())
}

async function writeJson(path: string, rows: number, isChanged: IsChanged): Promise<void> {
  function* texts() {
    yield '{"data":{"products":['
    let between = ''
    for (const one of articles(rows, isChanged)) {
      yield `${between}${JSON.stringify(recordOf(one))}`
      between = ',\n'
    }
    yield ']}}\n'
  }
  await writeTexts(path, texts())
}

async function writeXml(path: string, rows: number, isChanged: IsChanged): Promise<void> {
  function* texts() {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<shop><products>\n'
    for (const one of articles(rows, isChanged))
      yield `<product><sku>${one.sku}</sku><ean>${one.ean}</ean><name>${one.name}</name><description>${one.description}</description><price>${one.price}</price><stock>${one.stock}</stock><brand>${one.brand}</brand><category>${one.category}</category><images>${one.images.map((url) => `<image>${url}</image>`).join('')}</images><attributes>${one.attributes.map(([name, value]) => `<attribute><name>${name}</name><value>${value}</value></attribute>`).join('')}</attributes></product>\n`
    yield '</products></shop>\n'
  }
  await writeTexts(path, texts())
}

async function writeGoogle(path: string, rows: number, isChanged: IsChanged): Promise<void> {
  function* texts() {
    yield '<?xml version="1.0"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>x</title>\n'
    for (const one of articles(rows, isChanged))
      yield `<item><g:id>${one.sku}</g:id><title>${one.name}</title><description>${one.description}</description><g:price>${one.price} EUR</g:price><g:availability>${one.stock > 0 ? 'in_stock' : 'out_of_stock'}</g:availability><g:brand>${one.brand}</g:brand><g:gtin>${one.ean}</g:gtin><g:product_type>${one.category.replace('/', ' &gt; ')}</g:product_type><g:image_link>${one.images[0]}</g:image_link><g:additional_image_link>${one.images[1]}</g:additional_image_link>${one.attributes.map(([name, value]) => `<g:product_detail><g:attribute_name>${name}</g:attribute_name><g:attribute_value>${value}</g:attribute_value></g:product_detail>`).join('')}</item>\n`
    yield '</channel></rss>\n'
  }
  await writeTexts(path, texts())
}

async function writeBmecat(path: string, rows: number, isChanged: IsChanged): Promise<void> {
  function* texts() {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<BMECAT version="2005"><HEADER><CATALOG><LANGUAGE>eng</LANGUAGE><CURRENCY>EUR</CURRENCY><MIME_ROOT>https://cdn.example.com</MIME_ROOT></CATALOG></HEADER><T_NEW_CATALOG>\n'
    yield `<CATALOG_GROUP_SYSTEM>${Array.from({ length: 40 }, (_, i) => `<CATALOG_STRUCTURE type="leaf"><GROUP_ID>${i}</GROUP_ID><GROUP_NAME>Group ${i}</GROUP_NAME><PARENT_ID>-</PARENT_ID></CATALOG_STRUCTURE>`).join('')}</CATALOG_GROUP_SYSTEM>\n`
    for (const one of articles(rows, isChanged))
      yield `<PRODUCT><SUPPLIER_PID>${one.sku}</SUPPLIER_PID><PRODUCT_DETAILS><DESCRIPTION_SHORT>${one.name}</DESCRIPTION_SHORT><DESCRIPTION_LONG>${one.description}</DESCRIPTION_LONG><INTERNATIONAL_PID type="gtin">${one.ean}</INTERNATIONAL_PID><MANUFACTURER_NAME>${one.brand}</MANUFACTURER_NAME></PRODUCT_DETAILS><PRODUCT_FEATURES>${one.attributes.map(([name, value]) => `<FEATURE><FNAME>${name}</FNAME><FVALUE>${value}</FVALUE></FEATURE>`).join('')}</PRODUCT_FEATURES><PRODUCT_ORDER_DETAILS><ORDER_UNIT>C62</ORDER_UNIT></PRODUCT_ORDER_DETAILS><PRODUCT_PRICE_DETAILS><PRODUCT_PRICE price_type="net_customer"><PRICE_AMOUNT>${one.price}</PRICE_AMOUNT><PRICE_CURRENCY>EUR</PRICE_CURRENCY></PRODUCT_PRICE></PRODUCT_PRICE_DETAILS><MIME_INFO>${one.images.map((url) => `<MIME><MIME_TYPE>image/jpeg</MIME_TYPE><MIME_SOURCE>${url}</MIME_SOURCE></MIME>`).join('')}</MIME_INFO><USER_DEFINED_EXTENSIONS><UDX.X.STOCK>${one.stock}</UDX.X.STOCK></USER_DEFINED_EXTENSIONS></PRODUCT>\n`
    for (let n = 1; n <= rows; n++)
      yield `<PRODUCT_TO_CATALOGGROUP_MAP><PROD_ID>ART-${n}</PROD_ID><CATALOG_GROUP_ID>${n % 40}</CATALOG_GROUP_ID></PRODUCT_TO_CATALOGGROUP_MAP>\n`
    yield '</T_NEW_CATALOG></BMECAT>\n'
  }
  await writeTexts(path, texts())
}

const COLUMN_LETTERS = 'ABCDEFGHIJKLMN'

/** A workbook as Excel saves it, with each text stored once, in the table of shared texts. */
async function writeWorkbook(path: string, rows: number, isChanged: IsChanged): Promise<void> {
  const out = createWriteStream(path)
  const zip = new Zip((error, data, isLast) => {
    if (error) throw error
    out.write(data)
    if (isLast) out.end()
  })
  const part = async (name: string, texts: Iterable<string>) => {
    const file = new ZipDeflate(name, { level: 1 })
    zip.add(file)
    let block = ''
    for (const text of texts) {
      block += text
      if (block.length < 262_144) continue
      file.push(strToU8(block))
      block = ''
      if (out.writableNeedDrain) await once(out, 'drain')
    }
    file.push(strToU8(block), true)
  }
  const shared = new Map<string, number>()
  const number = (text: string) => {
    const known = shared.get(text)
    if (known !== undefined) return known
    shared.set(text, shared.size)
    return shared.size - 1
  }
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  await part('[Content_Types].xml', [
    `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>`,
  ])
  await part('_rels/.rels', [
    `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ])
  await part('xl/workbook.xml', [
    `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Articles" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ])
  await part('xl/_rels/workbook.xml.rels', [
    `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  ])
  function* sheet() {
    yield `${head}<worksheet xmlns="${main}"><sheetData>`
    let line = 1
    const row = (cells: readonly (string | number)[]) => {
      const at = line++
      return `<row r="${at}">${cells
        .map((cell, i) =>
          typeof cell === 'number'
            ? `<c r="${COLUMN_LETTERS[i]}${at}"><v>${cell}</v></c>`
            : `<c r="${COLUMN_LETTERS[i]}${at}" t="s"><v>${number(cell)}</v></c>`,
        )
        .join('')}</row>`
    }
    yield row(COLUMNS)
    for (const one of articles(rows, isChanged))
      yield row(cellsOf(one).map((cell, i) => (i === 4 ? Number(cell) : cell)))
    yield '</sheetData></worksheet>'
  }
  await part('xl/worksheets/sheet1.xml', sheet())
  function* strings() {
    yield `${head}<sst xmlns="${main}" uniqueCount="${shared.size}">`
    for (const text of shared.keys()) yield `<si><t>${text}</t></si>`
    yield '</sst>'
  }
  await part('xl/sharedStrings.xml', strings())
  zip.end()
  await once(out, 'finish')
}
