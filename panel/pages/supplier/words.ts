import i18next from 'i18next'
import sources from '../../words/en/sources.json'

// English comes with the panel; these words come with what shows them.
i18next.addResourceBundle('en', 'sources', sources)
