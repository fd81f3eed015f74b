import { budgetsPl } from './budgets-pl.ts'
import { fetchesPl } from './fetches-pl.ts'
import { filesPl } from './files-pl.ts'
import { FAULT_FORMS, type FaultSentences } from './forms.ts'
import { mappingsPl } from './mappings-pl.ts'
import { rowsPl } from './rows-pl.ts'
import { runsPl } from './runs-pl.ts'
import { settingsPl } from './settings-pl.ts'

export const forms = FAULT_FORMS
export const sentences: FaultSentences = {
  ...mappingsPl,
  ...filesPl,
  ...rowsPl,
  ...fetchesPl,
  ...runsPl,
  ...settingsPl,
  ...budgetsPl,
}
