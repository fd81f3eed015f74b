import i18next from 'i18next'
import pricing from '../../words/en/pricing.json'

// English comes with the panel; these words come with what shows them.
i18next.addResourceBundle('en', 'pricing', pricing)
