const ENDPOINTS = [
  'change_counter_pkey by account_id',
  'store by account_id',
  'store drops by ((deleted_at IS NULL) AND is_active)',
  'store drops by (deleted_at IS NULL)',
]

/** The expected access paths of the statements of webhook-queries.ts. */
export const WEBHOOK_PLANS: Readonly<Record<string, string[][]>> = {
  'webhooks: accounts due': [['endpoint_due by due_at']],
  'webhooks: leases of ended processes': [['endpoint_due by due_at']],
  'webhooks: leases end': [[], []],
  'webhooks: accounts behind': [['change_counter_pkey by account_id', 'endpoint_state_pkey by nothing']],
  'webhooks: accounts with endpoints': [['endpoint_pkey by nothing']],
  'webhooks: lock': [[]],
  'webhooks: endpoints': [ENDPOINTS],
  'webhooks: waiting': [['delivery drops by (delivery_id <> ALL (?))', 'delivery_waiting by account_id, endpoint_id']],
  'webhooks: in flight': [
    ['delivery drops by (delivery_id = g.delivery_id)', 'delivery_waiting by account_id, endpoint_id'],
  ],
  'webhooks: scan of the log': [
    [
      'change_content_id by account_id, content_id',
      'change_counter_pkey by account_id',
      'change_price_id by account_id, price_id',
      'change_removed_id by account_id, removed_id',
    ],
  ],
  'webhooks: scan ahead': [
    [
      'account_inputs by account_id',
      'change_content_id by account_id, content_id',
      'change_counter_pkey by account_id',
      'change_price_id by account_id, price_id',
      'change_removed_id by account_id, removed_id',
      'delivery_waiting by account_id, endpoint_id',
      'store by account_id',
      'store drops by (deleted_at IS NULL)',
    ],
  ],
  'webhooks: listing': [
    [
      'change drops by (removed_id IS NULL)',
      'change_pkey by account_id, store_id, product_id',
      'store by account_id',
      'store drops by is_active',
    ],
  ],
  'webhooks: deliveries end': [
    [
      'Tid Scan of delivery',
      'delivery drops by (account_id = ?)',
      'delivery drops by (delivery_id = g.delivery_id)',
      'delivery_waiting by account_id, endpoint_id',
    ],
  ],
  'webhooks: deliveries void': [
    ['Tid Scan of delivery', 'delivery drops by (account_id = ?)', 'delivery_waiting by account_id, endpoint_id'],
  ],
  'webhooks: deliveries park': [
    ['delivery drops by (parks IS NOT NULL)', 'delivery_pkey by account_id, endpoint_id, delivery_id'],
  ],
  'webhooks: states': [ENDPOINTS, []],
  'webhooks: courses': [
    ENDPOINTS,
    [
      'Tid Scan of delivery',
      'account_inputs by account_id',
      'delivery drops by (account_id = ?)',
      'delivery drops by (delivery_id = g_1.delivery_id)',
      'delivery_waiting by account_id, endpoint_id',
    ],
  ],
  'webhooks: owner change': [[]],
  'webhooks: rewind': [['change_feed by account_id, store_id, changed_at', 'store by account_id']],
  'webhooks: list': [['change_counter_pkey by account_id', 'delivery_parked by account_id, endpoint_id']],
  'webhooks: attempts back': [
    ['attempt_pkey by account_id, endpoint_id, attempt_id', 'delivery_pkey by account_id, endpoint_id, delivery_id'],
  ],
  'webhooks: attempts forward': [
    ['attempt_pkey by account_id, endpoint_id, attempt_id', 'delivery_pkey by account_id, endpoint_id, delivery_id'],
  ],
  'webhooks: attempts of one': [
    [
      'attempt drops by (delivery_id = ?)',
      'attempt_pkey by account_id, endpoint_id',
      'delivery_pkey by account_id, endpoint_id, delivery_id',
    ],
  ],
  'webhooks: parked': [['delivery_parked by account_id, endpoint_id']],
  'webhooks: endpoints after': [[]],
  'webhooks: trim': [
    [
      'Tid Scan of attempt',
      'attempt drops by (account_id = ?)',
      'attempt_pkey by account_id, endpoint_id',
      'attempt_pkey by account_id, endpoint_id, attempt_id',
    ],
    [
      'Tid Scan of delivery',
      'delivery drops by (account_id = ?)',
      'delivery_parked by account_id, endpoint_id',
      'delivery_parked by account_id, endpoint_id, number',
    ],
    [
      'Tid Scan of delivery',
      'delivery drops by (account_id = ?)',
      'attempt_pkey by account_id, endpoint_id',
      'delivery drops by (created_at < ?)',
      'delivery drops by (state <> ALL (?))',
      'delivery_order by account_id, endpoint_id',
      'delivery_order by account_id, endpoint_id, number',
      'delivery_pkey by account_id, endpoint_id',
    ],
  ],
  'webhooks: pending ages': [
    [
      'change_content_id by account_id, content_id',
      'change_counter_pkey by account_id',
      'change_price_id by account_id, price_id',
      'change_removed_id by account_id, removed_id',
      'endpoint_state_pkey by nothing',
    ],
  ],
}
