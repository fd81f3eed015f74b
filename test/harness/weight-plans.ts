/** The expected access paths of the statements that read how heavy products and offers are: only rows of these may be read. */
export const WEIGHT_PLANS: Record<string, string[][]> = {
  'input: weights': [
    [
      'offer_content_pkey by account_id, product_id',
      'product_override_pkey by account_id, product_id',
      'attribute_override_pkey by account_id, product_id',
    ],
  ],
  'import: weights': [
    [
      'offer_pkey by account_id, supplier_id, supplier_sku',
      'offer_content_pkey by account_id, product_id, supplier_id, supplier_sku',
    ],
  ],
}
