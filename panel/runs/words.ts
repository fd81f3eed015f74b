import i18next from 'i18next'
import imports from '../words/en/import.json'
import runs from '../words/en/runs.json'

// English comes with the panel; these words come with what shows them.
i18next.addResourceBundle('en', 'import', imports)
i18next.addResourceBundle('en', 'runs', runs)
