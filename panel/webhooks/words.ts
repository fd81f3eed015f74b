import { addWords } from '../words/add-words.ts'
import webhooks from '../words/en/webhooks.json'

addWords({ webhooks })
