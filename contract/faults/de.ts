import { budgetsDe } from './budgets-de.ts'
import { fetchesDe } from './fetches-de.ts'
import { filesDe } from './files-de.ts'
import { FAULT_FORMS, type FaultSentences } from './forms.ts'
import { mappingsDe } from './mappings-de.ts'
import { rowsDe } from './rows-de.ts'
import { runsDe } from './runs-de.ts'
import { settingsDe } from './settings-de.ts'

export const forms = FAULT_FORMS
export const sentences: FaultSentences = {
  ...mappingsDe,
  ...filesDe,
  ...rowsDe,
  ...fetchesDe,
  ...runsDe,
  ...settingsDe,
  ...budgetsDe,
}
