import i18next from 'i18next'
import product from '../../words/en/product.json'
import productEdit from '../../words/en/product-edit.json'

// English comes with the panel; these words come with what shows them.
i18next.addResourceBundle('en', 'product-edit', productEdit)
i18next.addResourceBundle('en', 'product', product)
