import { addWords } from '../words/add-words.ts'
import pictures from '../words/en/pictures.json'

addWords({ pictures })
