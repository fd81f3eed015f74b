/** The access paths of what the panel's overview reads, and of what it reads to know whose it is. */
export const OVERVIEW_PLANS: Readonly<Record<string, string[][]>> = {
  'imports that are running': [['import_run_open by account_id', 'supplier by account_id, supplier_id']],
  'what changed in stores since yesterday': [
    [
      'change_feed by account_id, store_id, changed_at',
      'price_history_pkey by account_id, product_id, store_id',
      // of one product in one store, those of the last day
      'price_history drops by (from_at < ?)',
    ],
  ],
  'excluded products by reason': [['payload_price_exclusion by account_id']],
  'heads for waiters': [['change_counter_pkey by account_id']],
}
