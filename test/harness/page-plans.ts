const KEY = 'by account_id, store_id, product_id'
/** Both halves of a product, by their keys. */
export const PAYLOADS = [`payload_content_pkey ${KEY}`, `payload_price_pkey ${KEY}`]
const PAGE = ['payload_block_pkey by account_id, store_id', ...PAYLOADS]

/** The expected access paths of the statements by which products are read. */
export const PAGE_PLANS = {
  'single read': [PAYLOADS],
  'single reads that share a statement': [PAYLOADS],
  'first page': [PAGE],
  'last page': [PAGE],
  'page after an id': [PAGE],
  'page of ids': [PAYLOADS],
  'page without texts': [PAGE],
  'page of prices': [PAGE],
  'prices after an id': [PAGE],
  'prices of ids': [PAYLOADS],
  'texts in other locales': [[`payload_content_pkey ${KEY}`]],
}
