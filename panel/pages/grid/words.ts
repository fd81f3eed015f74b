import i18next from 'i18next'
import grid from '../../words/en/grid.json'

// English comes with the panel; these words come with what shows them.
i18next.addResourceBundle('en', 'grid', grid)
