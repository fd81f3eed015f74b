/** The expected access paths of the statements of image-queries.ts. */
export const IMAGE_PLANS: Readonly<Record<string, string[][]>> = {
  'input: pictures': [['image_pkey by account_id, url_hash', 'product_image_pkey by account_id, product_id']],
  'input: URLs of pictures': [
    [
      'offer drops by (dropped_at IS NULL)',
      'offer_content_pkey by account_id, product_id, supplier_id, supplier_sku',
      'offer_product by account_id, product_id',
    ],
    ['product_override_pkey by account_id, product_id, field'],
  ],
  'pictures: named': [['product_image_pkey by account_id, product_id']],
  'pictures: insert': [['account_inputs by account_id']],
  'pictures: lock shared': [['image_pkey by account_id, url_hash']],
  'pictures: name': [['account_inputs by account_id']],
  'pictures: name no more': [['product_image_pkey by account_id, product_id']],
  // one look per account that mirrors pictures: whether any is due
  'mirror: accounts': [
    [
      'account_inputs by nothing',
      'account_inputs drops by (image_base <> ?)',
      'image_due by account_id, next_fetch_at',
    ],
  ],
  'mirror: hosts of the oldest': [['image_due by account_id, next_fetch_at']],
  // a loose index scan from host to host, with one look per host: whether any picture is due
  'mirror: hosts': [['image_host_due by account_id, host', 'image_host_due by account_id, host, next_fetch_at']],
  'mirror: claim': [['image_host_due by account_id, host, next_fetch_at', 'image_pkey by account_id, url_hash']],
  'mirror: claim new': [
    [
      'image drops by ((fetched_at IS NULL) AND (failures = 0))',
      'image_new by account_id, host, next_fetch_at',
      'image_pkey by account_id, url_hash',
    ],
  ],
  'mirror: hosts of new': [
    ['image_new by account_id', 'image_new by account_id, host', 'image_new by account_id, host, next_fetch_at'],
  ],
  'mirror: lock': [['image drops by (lease_id = ?)', 'image_pkey by account_id, url_hash']],
  'mirror: update': [['image_pkey by account_id, url_hash']],
  'mirror: mark': [['product_image_products by account_id, url_hash']],
  'mirror: unnamed': [['image_pkey by account_id, url_hash', 'product_image_products by account_id, url_hash']],
  'mirror: lock for removal': [['image drops by (lease_id = ?)', 'image_pkey by account_id, url_hash']],
  'stored: used': [['image_stored by hash']],
  'stored: of an account': [['image drops by (hash IS NOT NULL)', 'image_pkey by account_id, url_hash']],
}
