import { addWords } from './add-words.ts'
import resources from './en/resources.json' with { type: 'json' }

// Words of account resources and names of product fields, for every page that shows either.
addWords({ resources })
