import i18next from 'i18next'
import pictures from '../words/en/pictures.json'

// English comes with the panel; these words come with what shows them.
i18next.addResourceBundle('en', 'pictures', pictures)
