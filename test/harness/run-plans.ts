import { WEIGHT_PLANS } from './weight-plans.ts'

/** The expected access paths of the statements of run-queries.ts. */
export const RUN_PLANS: Readonly<Record<string, string[][]>> = {
  ...WEIGHT_PLANS,
  'runs: accounts': [['import_run_open by nothing']],
  'runs: claim': [['import_run drops by (state = ANY (?))', 'import_run_pkey by account_id, run_id']],
  'runs: progress': [['import_run drops by (holder_id = ?)', 'import_run_pkey by account_id, run_id']],
  'runs: page': [['import_run drops by ((holder_id = ?) AND (state = ?))', 'import_run_pkey by account_id, run_id']],
  'runs: changes': [[]],
  'runs: changes known': [['import_run_change_pkey by account_id, run_id, supplier_sku']],
  run: [['import_run_pkey by account_id, run_id']],
  'runs of an account': [['import_run_pkey by account_id, run_id']],
  'runs of a supplier': [['import_run_of_supplier by account_id, supplier_id, run_id']],
  'runs of a source': [['import_run_by_source by account_id, source_id, run_id']],
  'run: look': [['import_run_pkey by account_id, run_id']],
  'runs: newest written': [
    [
      'import_run drops by ((undone_by_run_id IS NULL) AND (trigger <> ?) AND (mode = ?))',
      'import_run_written by account_id, supplier_id',
    ],
  ],
  'runs: of a source': [['import_run_of_source by account_id, source_id']],
  'runs: open': [['import_run_open by account_id, supplier_id']],
  // a run has a few hundred groups at most
  'run: groups of rows': [['import_run_refusal_pkey by account_id, run_id']],
  'run: names': [
    ['supplier by account_id, supplier_id', 'supplier drops by (deleted_at IS NULL)'],
    ['supplier_source drops by (source_id = ?)', 'supplier_source_name by account_id, supplier_id'],
  ],
  'run: changes': [['import_run_change_pkey by account_id, run_id, supplier_sku']],
  'run: changed offers': [
    [
      'offer drops by (dropped_at IS NULL)',
      'offer_content_pkey by account_id, product_id, supplier_id, supplier_sku',
      'offer_pkey by account_id, supplier_id, supplier_sku',
      'product_ean_pkey by account_id, product_id, supplier_id, supplier_sku',
    ],
  ],
  'old runs: accounts with files': [['import_run_filed by ended_at']],
  'old runs: files': [
    [
      'import_run drops by ((file_key IS NOT NULL) OR (refusals_key IS NOT NULL))',
      'import_run_filed by account_id, ended_at',
    ],
    ['import_run_pkey by account_id, run_id'],
  ],
  'old runs: unnamed files': [
    [
      'import_run drops by (file_key IS NOT NULL)',
      'import_run drops by (refusals_key IS NOT NULL)',
      'import_run_filed by account_id',
    ],
  ],
  'old runs: accounts': [['import_run_old by ended_at']],
}
