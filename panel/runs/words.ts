import { addWords } from '../words/add-words.ts'
import imports from '../words/en/import.json'
import runs from '../words/en/runs.json'

addWords({ import: imports, runs })
