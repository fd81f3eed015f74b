import i18next from 'i18next'
import runs from './en/runs.json'
import sources from './en/sources.json'

/** English of the pages of suppliers, which is loaded with them: the first load has a budget. */
export const enSuppliers = { runs, sources }

for (const [namespace, texts] of Object.entries(enSuppliers)) i18next.addResourceBundle('en', namespace, texts)
