import { BUDGET_FORMS } from './budgets.ts'
import { FETCH_FORMS } from './fetches.ts'
import { FILE_FORMS } from './files.ts'
import { MAPPING_FORMS } from './mappings.ts'
import { ROW_FORMS } from './rows.ts'
import { RUN_FORMS } from './runs.ts'
import { SETTINGS_FORMS } from './settings.ts'

/** Forms of the service's sentences, with their values in braces. */
export const FAULT_FORMS = {
  ...RUN_FORMS,
  ...SETTINGS_FORMS,
  ...MAPPING_FORMS,
  ...FILE_FORMS,
  ...ROW_FORMS,
  ...FETCH_FORMS,
  ...BUDGET_FORMS,
}

/** A language's translation of each form; a missing one does not compile. */
export type FaultSentences = { readonly [Key in keyof typeof FAULT_FORMS]: string }
