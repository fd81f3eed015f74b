import { addWords } from './add-words.ts'
import resources from './en/resources.json' with { type: 'json' }

// Words of account resources, and what the fields of products are called: for all that shows either.
addWords({ resources })
