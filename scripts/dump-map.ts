import fs from 'node:fs'
import path from 'node:path'
import { floors } from '../server/src/features/floors.ts'
import { houseMap, readFeatures } from './house-map.ts'

// Writes the map of the features into ARCHITECTURE.md, from their folders. With --check it writes nothing and fails when the map differs.

const root = path.join(import.meta.dirname, '..')
const FILE = path.join(root, 'ARCHITECTURE.md')
const [BEGIN, END] = ['<!-- the map: npm run map -->', '<!-- end of the map -->']

const written = fs.readFileSync(FILE, 'utf8')
const [before, map, after] = [
  written.split(BEGIN)[0],
  houseMap(floors, readFeatures(path.join(root, 'server/src/features'))),
  written.split(END)[1],
]
if (before === undefined || after === undefined || before === written)
  throw new Error(`ARCHITECTURE.md has no place for the map, between ${BEGIN} and ${END}`)
const content = `${before}${BEGIN}\n\n${map}\n\n${END}${after}`
if (!process.argv.includes('--check')) fs.writeFileSync(FILE, content)
else if (content !== written) {
  console.error('The map in ARCHITECTURE.md is not what the folders say: run npm run map and commit it.')
  process.exitCode = 1
}
